import { registrable } from "#src/mime/registrable.ts";
import type { DomainRecord, RecordPurpose } from "./domain-records.ts";

export interface RecordAdvice {
  /** Its name as DNS pages want it, without the zone; `@` for the zone itself. */
  hostInZone: string;
  /** What is wrong, and what it costs; null where nothing is. */
  why: string | null;
  /** What to do about it; null where nothing is to be done. */
  fix: string | null;
}

/** Of a record of `domain`: what is wrong with it, and how it is mended, in words for the domain's owner. */
export function adviceOn(record: DomainRecord, domain: string): RecordAdvice {
  const zone = registrable(domain);
  const { host, status } = record;
  const hostInZone = host === zone ? "@" : host.slice(0, -zone.length - 1);
  const said = (why: string, fix: string): RecordAdvice => ({ hostInZone, why, fix });
  const add = `In the zone ${zone}, add a ${record.type} record named ${hostInZone} with the value ${record.expected}`;
  switch (status) {
    case "ok":
      return { hostInZone, why: null, fix: null };
    case "unknown":
      return said(
        "It has not been looked for yet, or DNS gave no answer.",
        "Let the domain be verified again in a few minutes.",
      );
    case "missing":
      return said(`${host} has no such record. ${WITHOUT[record.purpose]}`, add);
    case "multiple":
      return said(`${host} has more than one. ${SEVERAL[record.purpose] ?? ""}`.trim(), ONE_ONLY);
    case "mismatch":
      return said(`${mismatchOf(record)} ${WITHOUT[record.purpose]}`, changeOf(record));
  }
}

const WITHOUT: Record<RecordPurpose, string> = {
  ownership: "Without it nothing shows that the domain is yours.",
  dkim: "Without it receivers cannot check the signatures of the mail.",
  spf: "Without it receivers do not know which servers may send in the domain's name.",
  dmarc: "Without it large receivers refuse mail that is sent to many.",
  mx: "Without it replies to the domain's addresses are lost.",
  return_path: "Without it bounces come back to the alias, if at all.",
  tracking: "Without it tracked links carry the service's name instead of the domain's.",
};

const SEVERAL: Partial<Record<RecordPurpose, string>> = {
  // RFC 7208 section 4.5, RFC 9989 section 4.10 and RFC 6376 section 3.6.2.2.
  spf: "Receivers then count none of them.",
  dmarc: "Receivers then follow none of them.",
  dkim: "Receivers may take either key.",
};
const ONE_ONLY =
  "Keep one of them with all that is needed in it, and delete the others; two that say v=spf1 become one with the terms of both.";

/** What was found wrong beside the records themselves stands in brackets. */
const remarkOf = ({ found }: DomainRecord): string | undefined =>
  found.find((text) => /^\(.*\)$/.test(text))?.slice(1, -1);

function mismatchOf(record: DomainRecord): string {
  const remark = remarkOf(record);
  if (remark !== undefined) return `${remark[0]!.toUpperCase()}${remark.slice(1)}.`;
  // RFC 7505.
  if (record.purpose === "mx") return `${record.host} says that it takes no mail.`;
  return `${record.host} has another value than expected.`;
}

function changeOf(record: DomainRecord): string {
  const { purpose, expected, host } = record;
  switch (purpose) {
    case "ownership":
      return `Add a value beside what is there: ${expected}`;
    case "spf":
      return `Change the record that begins with v=spf1 so that it includes what is expected: ${expected}`;
    case "dmarc":
      return remarkOf(record) === undefined
        ? `Replace it by: ${expected}`
        : "Send from addresses at the domain itself, or take adkim=s out of the policy.";
    case "mx":
      return `Replace it by the mail host that takes the replies of ${host}.`;
    case "dkim":
    case "return_path":
    case "tracking":
      return `Replace it by: ${expected}`;
  }
}
