/** The header with its empty line: the octets before `bodyStart`. */
export function bodyStart(raw: string): number {
  if (raw.startsWith("\r\n")) return 2;
  const at = raw.indexOf("\r\n\r\n");
  return at < 0 ? raw.length : at + 4;
}

/** Name and whole lines of each field of a message's header, folding and all. */
export function headerLines(raw: string): { name: string; lines: string }[] {
  return raw
    .slice(0, bodyStart(raw))
    .split(/\r\n(?![ \t])/)
    .map((lines) => ({ name: lines.slice(0, lines.indexOf(":")).trim().toLowerCase(), lines }))
    .filter(({ name }) => name !== "");
}
