/** One term of an SPF record (RFC 7208 section 4.6.1). */
export interface SpfTerm {
  qualifier: "+" | "-" | "~" | "?";
  name: string;
  /** Behind `:`, or the modifier's value; null for the domain itself. */
  target: string | null;
}

export interface SpfRecord {
  mechanisms: SpfTerm[];
  redirect: string | null;
}

const MECHANISMS = new Set(["all", "include", "a", "mx", "ptr", "ip4", "ip6", "exists"]);
const NEEDS_TARGET = new Set(["include", "exists", "ip4", "ip6"]);
const MECHANISM = /^([+\-~?]?)([a-z0-9]+)(?::([^/\s]\S*?))?((?:\/\d{1,3})?(?:\/\/\d{1,3})?)$/i;
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(\S*)$/i;

/** The records among a name's TXT records that are SPF's (section 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1( |$)/i.test(text);

/** The record's terms, or its fault in words. Unknown modifiers are ignored (section 6). */
export function readSpf(text: string): SpfRecord | { fault: string } {
  const mechanisms: SpfTerm[] = [];
  let redirect: string | null = null;
  for (const term of text.split(" ").slice(1)) {
    if (term === "") continue;
    const modifier = MODIFIER.exec(term);
    if (modifier !== null) {
      if (modifier[1]!.toLowerCase() !== "redirect") continue;
      if (redirect !== null || modifier[2] === "") return { fault: `${term} is out of place` };
      redirect = modifier[2]!;
      continue;
    }
    // Addresses carry colons and slashes of their own.
    const address = /^([+\-~?]?)(ip[46]):(\S+)$/i.exec(term);
    const found = address ?? MECHANISM.exec(term);
    const name = found?.[2]!.toLowerCase() ?? "";
    const target = found?.[3] ?? null;
    if (found === null || !MECHANISMS.has(name) || (target === null && NEEDS_TARGET.has(name)))
      return { fault: `${term} is not understood` };
    if (address !== null && !isNetwork(name, target!)) return { fault: `${term} is no network` };
    mechanisms.push({ qualifier: (found[1] || "+") as SpfTerm["qualifier"], name, target });
  }
  return { mechanisms, redirect };
}

function isNetwork(name: string, text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  if (more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  if (Number(bits ?? 0) > (name === "ip4" ? 32 : 128)) return false;
  if (name === "ip4")
    return /^\d{1,3}(\.\d{1,3}){3}$/.test(address) && address.split(".").every((n) => +n < 256);
  return address.includes(":") && URL.canParse(`http://[${address}]/`);
}
