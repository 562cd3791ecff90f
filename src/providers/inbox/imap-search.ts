import { numberOf } from "./imap-fetch.ts";
import type { ImapResponse } from "./imap-responses.ts";

/** A set such as 1:4000000000 is short to send and long to write out. */
const MOST_UIDS = 2_000_000;

/** The UIDs of a SEARCH response (RFC 3501), or of the ESEARCH one that newer servers may give in its place (RFC 9051). */
export function searchedUids([first]: ImapResponse): number[] {
  const text = typeof first === "string" ? first : "";
  const [, plain] = /^\* SEARCH\b(.*)$/is.exec(text) ?? [];
  if (plain !== undefined)
    return plain.split(" ").flatMap((word) => {
      const uid = numberOf(word);
      return uid === null ? [] : [uid];
    });
  const [, set] = /^\* ESEARCH\b.*? ALL ([\d:,]+)/is.exec(text) ?? [];
  return set === undefined ? [] : expanded(set);
}

function expanded(set: string): number[] {
  const uids: number[] = [];
  for (const range of set.split(",")) {
    const [from, to = from] = range.split(":").map(numberOf);
    if (from == null || to == null) continue;
    for (let uid = Math.min(from, to); uid <= Math.max(from, to); uid++) {
      if (uids.length === MOST_UIDS) return uids;
      uids.push(uid);
    }
  }
  return uids;
}
