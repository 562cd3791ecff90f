import type { DnsAnswer, DnsType } from "#src/providers/dns/index.ts";

export type Lookup = (name: string, type: DnsType) => Promise<DnsAnswer>;

/** Each name and type is asked once, however many records depend on it. */
export function rememberLookups(lookup: Lookup): Lookup {
  const known = new Map<string, Promise<DnsAnswer>>();
  return (name, type) => {
    const key = `${type} ${name}`;
    const answer = known.get(key) ?? lookup(name, type);
    known.set(key, answer);
    return answer;
  };
}

/** The records, none of them when there are none; null when DNS gave no answer. */
export const recordsOf = (answer: DnsAnswer): string[] | null =>
  answer.kind === "error" ? null : answer.kind === "records" ? answer.records : [];
