import { txtData } from "../../scripts/stack/dns/zone-file.ts";

export interface Publishable {
  domain: string;
  records: { purpose: string; type: string; host: string; expected: string }[];
}

/**
 * The zone that the owner of a domain would write: the records it was told, and an SPF record that
 * allows the addresses of the tests. `without` leaves purposes out.
 */
export function zoneFor({ records }: Publishable, without: string[] = []): string {
  const lines = records
    .filter(({ purpose }) => !without.includes(purpose))
    .map(({ purpose, host, type, expected }) => {
      const data = type === "TXT" ? txtData(expected) : expected;
      if (purpose === "spf") return `${host}. TXT "v=spf1 include:_spf.relay.zz ~all"`;
      if (purpose === "mx") return `${host}. MX 10 mx.relay.zz.`;
      return `${host}. ${type} ${data}`;
    });
  return [...lines, `_spf.relay.zz. TXT "v=spf1 ip4:192.0.2.25 -all"`, ""].join("\n");
}
