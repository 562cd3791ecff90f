import type { Lookup } from "#src/domain/senders/domain-check/lookup.ts";
import { readDnsJson } from "#src/providers/dns/dns-json.ts";
import { answerQuery, TYPE_NUMBERS } from "../../scripts/stack/dns/answer.ts";
import { readZone } from "../../scripts/stack/dns/zone-file.ts";

/** What a resolver would say of a zone; names in `silent` get no answer. Counts what is asked. */
export function lookupIn(zone: string, silent: string[] = []): Lookup & { asked: string[] } {
  const records = readZone(zone);
  const asked: string[] = [];
  const lookup: Lookup = async (name, type) => {
    asked.push(`${name} ${type}`);
    if (silent.includes(name)) return { kind: "error", reason: "SERVFAIL" };
    return readDnsJson(JSON.stringify(answerQuery(records, name, TYPE_NUMBERS[type])), name, type);
  };
  return Object.assign(lookup, { asked });
}

/** What `dns.resolve` would give, for judges that ask DNS themselves. */
export function nodeResolver(zone: () => string) {
  return async (name: string, type: string): Promise<unknown> => {
    const answer = await lookupIn(zone())(name, type as "TXT");
    if (answer.kind === "records") {
      if (type === "TXT") return answer.records.map((text) => [text]);
      if (type !== "MX") return answer.records;
      return answer.records.map((text) => {
        const [priority, exchange] = text.split(" ");
        return { priority: Number(priority), exchange };
      });
    }
    const code = answer.kind === "no_name" ? "ENOTFOUND" : "ENODATA";
    throw Object.assign(new Error(`${type} ${name} ${code}`), { code });
  };
}
