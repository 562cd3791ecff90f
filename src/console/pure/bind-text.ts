/** The records of a domain as a zone file has them, to paste where a DNS page takes one. */
import { isOpen } from "./dns-difference.ts";

interface Wanted {
  type: "TXT" | "MX" | "CNAME";
  host: string;
  expected: string;
}

export function bindText(domain: string, records: readonly Wanted[]): string {
  const width = Math.max(0, ...records.map(({ host }) => host.length)) + 2;
  return [
    `; Records of ${domain}`,
    ...records.map(({ type, host, expected }) => {
      const line = `${`${host}.`.padEnd(width)} 3600 IN ${type.padEnd(5)} ${valueOf(type, expected)}`;
      // What only the domain's owner knows is to be filled in first.
      return isOpen(expected) ? `; fill in: ${line}` : line;
    }),
    "",
  ].join("\n");
}

function valueOf(type: Wanted["type"], expected: string): string {
  if (type === "TXT") return quoted(expected);
  return expected.endsWith(".") || isOpen(expected) ? expected : `${expected}.`;
}

/** A string of a TXT record has at most 255 bytes (RFC 1035, section 3.3); longer ones are several. */
const LONGEST = 255;

function quoted(text: string): string {
  const parts = text.match(new RegExp(`[^]{1,${LONGEST}}`, "g")) ?? [""];
  return parts.map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`).join(" ");
}
