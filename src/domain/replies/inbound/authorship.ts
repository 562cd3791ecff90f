import { believedResults, type MethodResult } from "#src/mime/authentication-results.ts";
import { domainOfKey, emailKey } from "#src/mime/email-key.ts";
import { organisation } from "./arrival.ts";
import type { Inbound } from "./classify.ts";
import { fieldValues } from "./header-fields.ts";
import type { InboundMail } from "./inbound-mail.ts";
import type { MatchKey } from "./matching.ts";

/**
 * What a mail is taken for. One that is about a message of ours by its author alone, and speaks against that author, is
 * anybody's: its wish for no more mail is for a person to judge, and its absence is as long as one without a date.
 */
export function asAuthored(mail: InboundMail, inbound: Inbound, key: MatchKey): Inbound {
  if (key.by !== "address" || !speaksAgainstAuthor(mail)) return inbound;
  if (inbound.class === "reply" && inbound.optOut === "stop")
    return { ...inbound, optOut: "perhaps", byProgram: false };
  if (inbound.class === "out_of_office") return { ...inbound, returnsOn: null };
  return inbound;
}

/**
 * Whether the receiving host says that a mail is not of the organisation in its From, or its envelope names another one.
 * A pass for that organisation, as DMARC aligns it (RFC 7489 section 3.1), outweighs both: forwarding breaks either.
 */
export function speaksAgainstAuthor(mail: InboundMail): boolean {
  const own = organisationOf(mail.from?.email ?? "");
  const said = believedResults(fieldValues(mail.headers, "authentication-results"))?.results ?? [];
  const isOwn = ({ domain }: MethodResult) => domain !== null && organisation(domain) === own;
  const vouched = said.some(
    (each) =>
      each.result === "pass" &&
      (isOwn(each) ? OF_AUTHOR.has(each.method) : each.method === "dmarc" && each.domain === null),
  );
  if (vouched) return false;
  const denied = said.some(
    (each) =>
      each.result === "fail" && (each.method === "dmarc" || (each.method === "spf" && isOwn(each))),
  );
  return denied || (!!mail.returnPath && organisationOf(mail.returnPath) !== own);
}

const OF_AUTHOR: ReadonlySet<string> = new Set(["dkim", "spf", "dmarc"]);

const organisationOf = (email: string): string =>
  organisation(domainOfKey(emailKey(email) ?? email));
