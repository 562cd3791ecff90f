import { readZone, type ZoneRecord } from "../dns/zone-file.ts";
import type { DnsTrouble } from "./format.ts";
import type { FarmTable } from "./table.ts";

/** What DNS is to know beside the zones that people put. */
export interface KnownNames {
  records: ZoneRecord[];
  /** Names for which the resolver has nothing but trouble. */
  troubles: ReadonlyMap<string, DnsTrouble>;
}

/** The records of the farm's domains and hosts. `addressOf` is where a host listens. */
export function farmNames(
  { hosts, domains }: FarmTable,
  addressOf: (host: string) => string,
): KnownNames {
  const lines = [
    ...domains.flatMap(({ name, records }) => records.map((record) => `${name} ${record}`)),
    ...hosts.map(({ name, address }) => `${name} A ${address ?? addressOf(name)}`),
    ...hosts.flatMap(({ name, aliases }) => aliases.map((alias) => `${alias} CNAME ${name}`)),
  ];
  const troubles = [...hosts, ...domains].flatMap(({ name, dns }) =>
    dns === undefined ? [] : [[name, dns] as const],
  );
  return { records: readZone(lines.join("\n")), troubles: new Map(troubles) };
}
