import type { OriginalMessage } from "./inbound-mail.ts";
import { fieldValue, messageIds, readHeaderBlock, type HeaderField } from "./header-fields.ts";

/** Fields that a header has and a letter's text has not. */
const TRACE =
  /^(received|return-path|message-id|mime-version|dkim-signature|delivered-to|x-[\w-]+)[ \t]*:/i;
const USUAL = /^(from|to|subject|date|content-type|reply-to|cc|sender)[ \t]*:/i;
const MAX_LINES = 4_000;

/** The original of a report, from the text of a message/rfc822 or text/rfc822-headers part. */
export function originalOf(text: string): OriginalMessage | null {
  const headers = readHeaderBlock(text.replace(/^\s*(From |>From )[^\n]*\n/, "").trimStart());
  return headers.some(({ name }) => /^(message-id|from|to|received|subject)$/.test(name))
    ? describe(headers)
    : null;
}

/**
 * Where, in a text, a returned message begins: the first line of a block of header fields with a
 * trace of transport in it. -1 when there is none.
 */
export function returnedMessageLine(lines: readonly string[]): number {
  const end = Math.min(lines.length, MAX_LINES);
  for (let start = 0; start < end; start++) {
    const first = unquoted(lines[start]!);
    if (!TRACE.test(first) && !USUAL.test(first)) continue;
    let trace = 0;
    let usual = 0;
    let at = start;
    for (; at < Math.min(end, start + 60); at++) {
      const line = unquoted(lines[at]!);
      if (TRACE.test(line)) trace++;
      else if (USUAL.test(line)) usual++;
      else if (!/^[ \t]+\S/.test(line) && !/^[\w-]{2,40}:/.test(line)) break;
    }
    if (trace > 0 && trace + usual > 2) return start;
    start = Math.max(start, at - 1);
  }
  return -1;
}

/** The returned message in the text of a notice without parts. */
export function originalInText(lines: readonly string[]): OriginalMessage | null {
  const start = returnedMessageLine(lines);
  if (start === -1) return null;
  return originalOf(
    lines
      .slice(start, start + 300)
      .map(unquoted)
      .join("\n"),
  );
}

/** Some systems indent or quote what they return. */
const unquoted = (line: string): string => line.replace(/^(> ?|\| ?| {1,4}(?=[A-Z][\w-]*:))/, "");

function describe(headers: readonly HeaderField[]): OriginalMessage {
  const returnPath = /^<?([^<>\s]*)>?/.exec(fieldValue(headers, "return-path"))?.[1];
  return {
    headers,
    messageId: messageIds(fieldValue(headers, "message-id"))[0] ?? null,
    returnPath: returnPath === undefined || returnPath === "" ? null : returnPath.toLowerCase(),
    to: addressesIn(fieldValue(headers, "to")),
    subject: fieldValue(headers, "subject"),
  };
}

const ADDRESS =
  /[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,250}[\p{L}\p{N}])?/gu;

/** The addresses a text mentions, in order, in lower case, each once. */
export function addressesIn(text: string): string[] {
  const found = text.slice(0, 100_000).match(ADDRESS) ?? [];
  return [...new Set(found.map((address) => address.replace(/^['.]+/, "").toLowerCase()))].slice(
    0,
    200,
  );
}
