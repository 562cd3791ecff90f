import { readBoundedText } from "#src/platform/bounded-text.ts";
import { plainName, readDnsJson } from "./dns-json.ts";
import type { Dns, DnsAnswer, DnsType } from "./index.ts";

export interface DohSettings {
  fetch: typeof fetch;
  /** Resolvers that speak DNS over HTTPS with JSON. */
  resolverUrls: string[];
  /** How long a resolver may take, 5 s if absent. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 5000;
const LONGEST_REPLY = 64 * 1024;
/** RFC 1035 section 2.3.4. */
const LONGEST_NAME = 253;

/**
 * Asks all resolvers at once. What one of them found counts, also when another gave no answer; that
 * there is nothing counts only when all say so; and where they differ, as while a change spreads,
 * nothing is known.
 */
export function createDohDns({ fetch, resolverUrls, timeoutMs = TIMEOUT_MS }: DohSettings): Dns {
  return {
    async addresses(name) {
      const asked = plainName(name);
      if (isNoName(asked)) return { kind: "no_name" };
      let found: DnsAnswer = { kind: "error", reason: "there is no resolver" };
      for (const url of resolverUrls) {
        found = joined(
          await Promise.all([
            ask(fetch, url, asked, "A", timeoutMs),
            ask(fetch, url, asked, "AAAA", timeoutMs),
          ]),
        );
        if (found.kind !== "error") break;
      }
      return found;
    },
    async lookup(name, type) {
      const asked = plainName(name);
      if (isNoName(asked)) return { kind: "no_name" };
      const answers = resolverUrls.map((url) => ask(fetch, url, asked, type, timeoutMs));
      return agreed(await Promise.all(answers));
    },
  };
}

const isNoName = (name: string) =>
  name === "" || name.length > LONGEST_NAME || name.split(".").some(isBadLabel);

/** What two types of record of one name say together. */
function joined(answers: DnsAnswer[]): DnsAnswer {
  const records = answers.flatMap((answer) => (answer.kind === "records" ? answer.records : []));
  if (records.length > 0) return { kind: "records", records };
  return answers.find(({ kind }) => kind === "error") ?? answers[0]!;
}

const isBadLabel = (label: string) => label.length === 0 || label.length > 63;

/** What several resolvers say together. */
export function agreed(answers: DnsAnswer[]): DnsAnswer {
  const spoken = answers.filter(({ kind }) => kind !== "error");
  const [first] = spoken;
  if (first === undefined) return answers[0] ?? { kind: "error", reason: "there is no resolver" };
  if (spoken.some((answer) => keyOf(answer) !== keyOf(first)))
    return { kind: "error", reason: "the resolvers do not agree" };
  const silent = answers.find(({ kind }) => kind === "error");
  return first.kind !== "records" && silent !== undefined ? silent : first;
}

const keyOf = (answer: DnsAnswer) =>
  // Whether a name without such a record exists at all is a matter that resolvers see differently.
  answer.kind === "records" ? JSON.stringify(answer.records.toSorted()) : "nothing";

async function ask(
  fetch: DohSettings["fetch"],
  resolver: string,
  name: string,
  type: DnsType,
  timeoutMs: number,
): Promise<DnsAnswer> {
  const url = new URL(resolver);
  url.searchParams.set("name", name);
  url.searchParams.set("type", type);
  try {
    const response = await fetch(url.href, {
      headers: { accept: "application/dns-json", "cache-control": "no-cache" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { kind: "error", reason: `the resolver answered ${response.status}` };
    }
    const text = await readBoundedText(response, LONGEST_REPLY);
    if (text === null) return { kind: "error", reason: "the resolver's reply is too long" };
    return readDnsJson(text, name, type);
  } catch (error) {
    const late = error instanceof Error && error.name === "TimeoutError";
    return {
      kind: "error",
      reason: late ? "the resolver did not answer in time" : "the resolver was not reached",
    };
  }
}
