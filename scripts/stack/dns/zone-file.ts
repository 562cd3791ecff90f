export const RECORD_TYPES = ["A", "AAAA", "CNAME", "MX", "NS", "PTR", "TXT"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export interface ZoneRecord {
  /** Lower case, without the last dot. */
  name: string;
  ttl: number;
  type: RecordType;
  /** As a zone file writes it: TXT in quoted strings. */
  data: string;
}

const DEFAULT_TTL = 300;
const LINE =
  /^(\S+)\s+(?:(\d+)\s+)?(?:IN\s+)?(?:(\d+)\s+)?(A|AAAA|CNAME|MX|NS|PTR|TXT)\s+(\S[\s\S]*)$/i;

/**
 * Records one a line, `name [ttl] [IN] type data`, with `;` before a comment: the master file format of
 * RFC 1035 section 5.1 without its shortcuts, so names are whole. Throws with the number of a bad line.
 */
export function readZone(text: string): ZoneRecord[] {
  return text.split(/\r?\n/).flatMap((raw, index) => {
    const line = withoutComment(raw).trim();
    if (line === "") return [];
    const found = LINE.exec(line);
    if (found === null) throw new Error(`line ${index + 1} is no record: ${line.slice(0, 200)}`);
    const [, name, before, after, type, data] = found;
    return {
      name: plainName(name!),
      ttl: Number(before ?? after ?? DEFAULT_TTL),
      type: type!.toUpperCase() as RecordType,
      data: dataOf(type!.toUpperCase() as RecordType, data!.trim()),
    };
  });
}

export const plainName = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/** TXT without quotes is taken as one text, split into strings of 255 octets as servers have to. */
function dataOf(type: RecordType, data: string): string {
  if (type === "TXT") return data.startsWith('"') ? data : txtData(data);
  if (type === "MX") return data.replace(/\s+/g, " ").toLowerCase();
  return type === "A" || type === "AAAA" ? data : plainName(data);
}

export function txtData(text: string): string {
  const strings = text.match(/[\s\S]{1,255}/g) ?? [""];
  return strings.map((each) => `"${each.replace(/["\\]/g, "\\$&")}"`).join(" ");
}

function withoutComment(line: string): string {
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === "\\") at++;
    else if (character === '"') isQuoted = !isQuoted;
    // An unquoted TXT may carry semicolons of its own; a comment has a blank before it.
    else if (character === ";" && !isQuoted && (at === 0 || /^\s;\s/.test(line.slice(at - 1))))
      return line.slice(0, at);
  }
  return line;
}
