import { InboxError, type MessageHeader } from "./index.ts";
import { readFetch } from "./imap-fetch.ts";
import type { ImapResponse } from "./imap-responses.ts";
import { searchedUids } from "./imap-search.ts";
import type { ImapCommand, ImapWire } from "./imap-wire.ts";

/** An answer that lists little: statuses, counters, flags of others' changes. */
export const SMALL_BYTES = 256 * 1024;
/** A search over a million messages. */
const SEARCH_BYTES = 12 * 1024 * 1024;
/** Of a header, whose fields may be endless, this much is kept. */
const HEADER_BYTES = 64 * 1024;
const HEADERS_BYTES = 24 * 1024 * 1024;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
export const searchDate = (date: Date): string =>
  `${date.getUTCDate()}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()}`;

/** UIDs, ascending. */
export async function search(wire: ImapWire, criteria: string, ms: number): Promise<number[]> {
  const found = new Set<number>();
  await mustRead(wire, {
    line: `UID SEARCH ${criteria}`,
    ms,
    bytes: SEARCH_BYTES,
    onUntagged(response) {
      for (const uid of searchedUids(response)) found.add(uid);
    },
  });
  return [...found].toSorted((a, b) => a - b);
}

export async function fetchHeaders(
  wire: ImapWire,
  uids: readonly number[],
  fields: readonly string[],
  ms: number,
): Promise<MessageHeader[]> {
  const line = `UID FETCH ${uidSet(uids)} (UID INTERNALDATE BODY.PEEK[HEADER.FIELDS (${fields.join(" ")})])`;
  const command = { line, ms, bytes: HEADERS_BYTES, keep: HEADER_BYTES };
  const found = await fetchBodies(wire, command, new Set(uids));
  return found.toSorted((a, b) => a.uid - b.uid);
}

export async function fetchMessage(
  wire: ImapWire,
  uid: number,
  maxBytes: number,
  ms: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const line = `UID FETCH ${uid} (UID BODY.PEEK[]<0.${maxBytes}>)`;
  const command = { line, ms, bytes: maxBytes + SMALL_BYTES, keep: maxBytes };
  const [found] = await fetchBodies(wire, command, new Set([uid]));
  return found?.bytes ?? null;
}

/** Servers tell of other messages too, and of some twice: only what was asked counts, and the first that is said of it. */
async function fetchBodies(
  wire: ImapWire,
  command: ImapCommand,
  asked: ReadonlySet<number>,
): Promise<MessageHeader[]> {
  const found = new Map<number, MessageHeader>();
  await mustRead(wire, {
    ...command,
    onUntagged(response: ImapResponse) {
      const { uid, receivedAt, body } = readFetch(response) ?? { uid: 0, body: null };
      if (body === null || !asked.has(uid) || found.has(uid)) return;
      found.set(uid, { uid, receivedAt: receivedAt ?? null, bytes: body });
    },
  });
  return [...found.values()];
}

async function mustRead(wire: ImapWire, command: ImapCommand): Promise<void> {
  const { status, text } = await wire.command(command);
  if (status !== "OK")
    throw new InboxError("reading", `The server refused to let us read: "${text}".`, "line");
}

/** UIDs, ascending, as ranges: `5:7,9`. */
function uidSet(uids: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const uid of uids) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === uid) last[1] = uid;
    else ranges.push([uid, uid]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}:${to}`)).join(",");
}
