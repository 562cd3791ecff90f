/** A part of a message, by positions in its octets; the message itself is the outermost. */
export interface Part {
  start: number;
  /** Where the body begins: behind the empty line. */
  body: number;
  end: number;
  /** `text/plain`, in lower case. */
  type: string;
  parameters: Record<string, string>;
  /** Of a multipart. */
  parts: Part[];
}

const MOST_DEPTH = 10;
const MOST_PARTS = 200;

/** The tree of a message's MIME parts (RFC 2046 section 5.1). */
export function readParts(raw: string, start = 0, end = raw.length, depth = 0): Part {
  const body = bodyStart(raw, start, end);
  const header = headerField(raw.slice(start, body), "content-type") ?? "text/plain";
  const { value: type, parameters } = readParameters(header);
  const part: Part = { start, body, end, type: type.toLowerCase(), parameters, parts: [] };
  const boundary = parameters["boundary"];
  if (part.type.startsWith("multipart/") && boundary && depth < MOST_DEPTH) {
    for (const [from, to] of sections(raw, body, end, boundary)) {
      part.parts.push(readParts(raw, from, to, depth + 1));
    }
  }
  return part;
}

/** The header with its empty line: the octets before `body`. */
export function bodyStart(raw: string, start = 0, end = raw.length): number {
  if (raw.startsWith("\r\n", start)) return start + 2;
  const at = raw.indexOf("\r\n\r\n", start);
  return at < 0 || at + 4 > end ? end : at + 4;
}

function sections(raw: string, body: number, end: number, boundary: string): [number, number][] {
  const delimiter = `--${boundary}`;
  const found: [number, number][] = [];
  let from: number | null = null;
  for (
    let at = raw.indexOf(delimiter, body);
    at >= 0 && at < end && found.length < MOST_PARTS;
    at = raw.indexOf(delimiter, at + delimiter.length)
  ) {
    if (at > body && raw[at - 1] !== "\n") continue;
    // The line break before a delimiter belongs to the delimiter.
    if (from !== null) found.push([from, Math.max(from, at - 2)]);
    const isLast = raw.startsWith("--", at + delimiter.length);
    const lineEnd = raw.indexOf("\r\n", at);
    if (isLast || lineEnd < 0) return found;
    from = lineEnd + 2;
  }
  if (from !== null && from < end) found.push([from, end]);
  return found;
}

/** Name and whole lines of each field of a header, folding and all. */
export function headerLines(header: string): { name: string; lines: string }[] {
  return header
    .split(/\r\n(?![ \t])/)
    .map((lines) => ({ name: lines.slice(0, lines.indexOf(":")).trim().toLowerCase(), lines }))
    .filter(({ name }) => name !== "");
}

/** The first value of a field, unfolded, or null. */
export function headerField(header: string, name: string): string | null {
  const field = headerLines(header).find((one) => one.name === name.toLowerCase());
  if (field === undefined) return null;
  return field.lines
    .slice(field.lines.indexOf(":") + 1)
    .replace(/\r\n[ \t]?/g, " ")
    .trim();
}

/** `value; name=value; name="value"`, names in lower case. */
export function readParameters(field: string): {
  value: string;
  parameters: Record<string, string>;
} {
  const [value = "", ...others] = field.match(/(?:"(?:[^"\\]|\\[^])*"|[^;"])+/g) ?? [];
  const parameters: Record<string, string> = {};
  for (const each of others) {
    const equals = each.indexOf("=");
    if (equals < 0) continue;
    const text = each.slice(equals + 1).trim();
    parameters[each.slice(0, equals).trim().toLowerCase()] = text.startsWith('"')
      ? text.slice(1, -1).replace(/\\([^])/g, "$1")
      : text;
  }
  return { value: value.trim(), parameters };
}
