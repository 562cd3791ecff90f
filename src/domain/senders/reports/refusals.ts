import type { Refusal } from "./unpack.ts";

/** For who sent the report, in the answer of our mail host. */
export const REFUSALS: Record<Refusal, string> = {
  too_large: "The report is larger than 4 MiB, or than 6 MiB unpacked, or has too many parts",
  no_report: "This address takes DMARC aggregate and TLS reports only",
  unreadable: "The report cannot be unpacked or read to its end",
  incomplete: "The report lacks its sender, id, domain or time",
  wrong_domain: "No domain of this report asks for reports here",
  wrong_time: "The report is of more than 400 days ago, or of a time to come",
  failure_report: "Failure reports hold other people's mail and are not taken here",
  too_many: "The domain has had as many reports today as it takes",
};
