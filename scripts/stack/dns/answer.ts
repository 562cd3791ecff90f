import { plainName, type RecordType, type ZoneRecord } from "./zone-file.ts";

/** A reply in the JSON form of Cloudflare's and Google's resolvers. */
export interface JsonReply {
  Status: number;
  TC: boolean;
  RD: boolean;
  RA: boolean;
  AD: boolean;
  CD: boolean;
  Question: { name: string; type: number }[];
  Answer?: { name: string; type: number; TTL: number; data: string }[];
}

export const TYPE_NUMBERS: Record<RecordType, number> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
};
export const NO_ERROR = 0;
export const SERVFAIL = 2;
export const NXDOMAIN = 3;
const LONGEST_CHAIN = 8;

export const emptyReply = (status: number, name: string, type: number): JsonReply => ({
  Status: status,
  TC: false,
  RD: true,
  RA: true,
  AD: false,
  CD: false,
  Question: [{ name, type }],
});

/** Answers as a resolver would that knows these records and nothing else: aliases are followed. */
export function answerQuery(records: ZoneRecord[], name: string, type: number): JsonReply {
  const Answer: NonNullable<JsonReply["Answer"]> = [];
  let at = plainName(name);
  let status = NO_ERROR;
  for (let hops = 0; ; hops++) {
    if (hops > LONGEST_CHAIN) return emptyReply(SERVFAIL, name, type);
    const here = records.filter((record) => record.name === at);
    // A name with names below it exists, though it has no records (RFC 8020).
    const exists = here.length > 0 || records.some((record) => record.name.endsWith(`.${at}`));
    status = exists ? NO_ERROR : NXDOMAIN;
    const wanted = here.filter((record) => TYPE_NUMBERS[record.type] === type);
    const alias = here.find((record) => record.type === "CNAME");
    const shown = wanted.length > 0 ? wanted : alias === undefined ? [] : [alias];
    for (const record of shown)
      Answer.push({
        name: record.name,
        type: TYPE_NUMBERS[record.type],
        TTL: record.ttl,
        data: record.data,
      });
    if (wanted.length > 0 || alias === undefined) break;
    at = alias.data;
  }
  const reply = emptyReply(status, name, type);
  return Answer.length > 0 ? { ...reply, Answer } : reply;
}
