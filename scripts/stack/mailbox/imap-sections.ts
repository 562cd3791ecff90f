import { bodyStart, headerLines, type Part, readParts } from "./imap-parts.ts";
import { ImapSyntaxError, itemsOf, readValues, textOf } from "./imap-syntax.ts";

/**
 * The octets that `BODY[spec]` names (RFC 3501 section 6.4.5): `""`, `HEADER`, `HEADER.FIELDS (..)`, `TEXT`, `1.2`,
 * `1.MIME` and so on; null for a part that the message has not.
 */
export function readSection(raw: string, spec: string): string | null {
  const match = /^((?:\d+\.)*\d+)?\.?(.*)$/s.exec(spec);
  const [, path, rest = ""] = match ?? [];
  if (path === undefined) return ofMessage(raw, rest);
  const part = findPart(readParts(raw), path.split(".").map(Number));
  if (part === null) return null;
  if (rest === "") return raw.slice(part.body, part.end);
  if (/^mime$/i.test(rest)) return raw.slice(part.start, part.body);
  return part.type === "message/rfc822" ? ofMessage(raw.slice(part.body, part.end), rest) : null;
}

function ofMessage(raw: string, spec: string): string {
  const body = bodyStart(raw);
  if (spec === "") return raw;
  if (/^header$/i.test(spec)) return raw.slice(0, body);
  if (/^text$/i.test(spec)) return raw.slice(body);
  const fields = /^header\.fields(\.not)? (.*)$/is.exec(spec);
  if (fields === null) throw new ImapSyntaxError("no such section");
  const names = itemsOf(readValues(fields[2] ?? "")[0]).map((name) => textOf(name).toLowerCase());
  return chosenFields(raw.slice(0, body), names, fields[1] === undefined);
}

function chosenFields(header: string, names: string[], wanted: boolean): string {
  const chosen = headerLines(header).filter(({ name }) => names.includes(name) === wanted);
  return `${chosen.map(({ lines }) => `${lines.replace(/(?:\r\n)+$/, "")}\r\n`).join("")}\r\n`;
}

/** Part 1 of a message that is no multipart is its body. */
function findPart(whole: Part, path: number[]): Part | null {
  let part: Part | undefined = whole;
  for (const [depth, number] of path.entries()) {
    if (part.parts.length === 0) return number === 1 && depth === path.length - 1 ? part : null;
    part = part.parts[number - 1];
    if (part === undefined) return null;
  }
  return part;
}
