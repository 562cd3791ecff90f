import * as z from "zod";
import type { DnsAnswer, DnsType } from "./index.ts";

/** https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/ */
const reply = z.object({
  Status: z.number().int(),
  Answer: z
    .array(z.object({ name: z.string(), type: z.number().int(), data: z.string() }))
    .max(300)
    .nullish(),
});

const TYPE_NUMBERS: Record<DnsType, number> = {
  ...{ A: 1, CNAME: 5, PTR: 12, MX: 15, TXT: 16, AAAA: 28 },
};
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;
const RCODES: Record<number, string> = { 1: "FORMERR", 2: "SERVFAIL", 4: "NOTIMP", 5: "REFUSED" };
/** A chain of aliases longer than this is taken for a loop. */
const LONGEST_CHAIN = 10;

/** Reads the JSON that Cloudflare and Google give for a DNS query. */
export function readDnsJson(text: string, name: string, type: DnsType): DnsAnswer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: "error", reason: "the resolver's reply is not JSON" };
  }
  const parsed = reply.safeParse(json);
  if (!parsed.success) return { kind: "error", reason: "the resolver's reply is not understood" };
  const { Status: status, Answer } = parsed.data;
  if (status !== NO_ERROR && status !== NO_SUCH_NAME)
    return { kind: "error", reason: RCODES[status] ?? `RCODE ${status}` };
  const records = recordsOf(Answer ?? [], plainName(name), type);
  if (records === null) return { kind: "error", reason: "a chain of CNAME records does not end" };
  if (records.length > 0) return { kind: "records", records };
  return { kind: status === NO_SUCH_NAME ? "no_name" : "no_data" };
}

/** Null when the aliases lead in a circle. */
function recordsOf(
  answers: { name: string; type: number; data: string }[],
  name: string,
  type: DnsType,
): string[] | null {
  let at = name;
  for (let hops = 0; hops <= LONGEST_CHAIN; hops++) {
    const here = answers.filter((answer) => plainName(answer.name) === at);
    const wanted = here.filter((answer) => answer.type === TYPE_NUMBERS[type]);
    if (wanted.length > 0) return wanted.map(({ data }) => readData(data, type));
    const alias = here.find((answer) => answer.type === TYPE_NUMBERS.CNAME);
    if (alias === undefined) return [];
    at = plainName(alias.data);
  }
  return null;
}

export const plainName = (name: string): string => name.trim().toLowerCase().replace(/\.$/, "");

function readData(data: string, type: DnsType): string {
  if (type === "TXT") return readTxt(data);
  return plainName(data.replace(/\s+/g, " "));
}

/** One character-string in quotes, as in a zone file (RFC 1035 section 5.1), or unquoted. */
const STRING = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^\s"]+))/y;

/**
 * The strings of a TXT record joined. Cloudflare quotes each string; Google gives the joined text
 * without quotes, which is then taken as it is.
 */
export function readTxt(data: string): string {
  if (!data.trimStart().startsWith('"')) return data;
  let out = "";
  let at = 0;
  while (data.slice(at).trim() !== "") {
    STRING.lastIndex = at;
    const found = STRING.exec(data);
    // A quote that does not end: rather the raw text than half of it.
    if (found === null) return data;
    out += unescape(found[1] ?? found[2] ?? "");
    at = STRING.lastIndex;
  }
  return out;
}

/** `\DDD` is an octet; octets beyond ASCII are read as UTF-8. */
function unescape(text: string): string {
  if (!text.includes("\\")) return text;
  const octets: number[] = [];
  for (const [, decimal, escaped, plain] of text.matchAll(/\\(\d{3})|\\([\s\S])|([^\\])/gu)) {
    if (decimal !== undefined && Number(decimal) < 256) octets.push(Number(decimal));
    else octets.push(...new TextEncoder().encode(decimal ?? escaped ?? plain));
  }
  return new TextDecoder().decode(Uint8Array.from(octets));
}
