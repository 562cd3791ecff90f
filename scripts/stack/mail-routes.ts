import type { ZoneRecord } from "./dns/zone-file.ts";

/** As long as a resolver would keep an answer, at its shortest. */
const KEPT_MS = 1000;
const MOST_DOMAINS = 10_000;

/** Whether mail to an address comes to the host `mx`: its domain is `own`, or its zone says so. Asks anew each second. */
export function createMailRoutes(
  mx: string,
  own: string,
  records: () => ZoneRecord[],
): (address: string) => boolean {
  const known = new Map<string, { at: number; leads: boolean }>();
  const leadsTo = (domain: string) =>
    records().some(
      ({ name, type, data }) =>
        type === "MX" && name === domain && data.split(/\s+/)[1]?.replace(/\.$/, "") === mx,
    );
  return (address) => {
    const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
    if (domain === own) return true;
    const now = performance.now();
    const before = known.get(domain);
    if (before !== undefined && now - before.at < KEPT_MS) return before.leads;
    if (known.size >= MOST_DOMAINS) known.clear();
    const leads = leadsTo(domain);
    known.set(domain, { at: now, leads });
    return leads;
  };
}
