import { describe, expect, test } from "vitest";
import type { Bounce } from "#src/domain/replies/inbound/bounce-kinds.ts";
import { actionResult, withoutFinality } from "#src/domain/messages/mail-result.ts";
import { classified, ofParts, report } from "./mails.ts";

const TROUBLE = [
  "Host or domain name not found. Name service error for name=lead.zz type=MX: Host not found, try again",
  "Name service error for name=mx.lead.zz type=A: Server failure",
  "DNS Error: DNS type 'mx' lookup of lead.zz responded with code SERVFAIL",
  "550 lead.zz: Domain not found (temporary failure in name resolution)",
  "getaddrinfo EAI_AGAIN mx.lead.zz",
  "Name server: lead.zz.: host name lookup failure",
  "unrouteable address: DNS lookup of lead.zz did not complete",
  "CNAME lookup failed temporarily for lead.zz",
  "Host not found (try again)",
  "The name servers of lead.zz timed out; domain not found",
  "Could not resolve the recipient's domain at this time, host unknown",
];

const FINAL = [
  "Host or domain name not found. Name service error for name=lead.zz type=A: Host not found",
  "DNS Error: DNS type 'mx' lookup of lead.zz responded with code NXDOMAIN",
  "Domain not found. Check the address for mistakes and try again.",
  "550 User unknown. Correct the address and try again later",
  "550 5.1.1 mailbox not found, please try again",
];

const reasonOf = async (diagnostic: string, status: string) =>
  ((await classified(report({ status, diagnostic }))) as Bounce).recipients[0];

describe.each(["5.4.4", "5.1.2", "5.0.0"])("with %s in a report", (status) => {
  test.each(TROUBLE)("soft: %s", async (words) => {
    expect(await reasonOf(words, status)).toMatchObject({ kind: "soft", category: "network" });
  });
  test.each(FINAL)("hard: %s", async (words) => {
    expect(await reasonOf(words, status)).toMatchObject({ kind: "hard" });
  });
});

test("5.4.4 alone is a domain that is not there, and is not with trouble in the human part", async () => {
  expect(await reasonOf("", "5.4.4")).toMatchObject({ kind: "hard", category: "no_domain" });
  const told = ofParts("multipart/report; report-type=delivery-status", [
    `Content-Type: text/plain\n\n<ann@lead.zz>: ${TROUBLE[0]}`,
    "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.zz\n\nFinal-Recipient: rfc822; ann@lead.zz\nAction: failed\nStatus: 5.4.4\n",
  ]);
  expect(await classified(told)).toMatchObject({
    recipients: [{ kind: "soft", category: "network" }],
  });
});

describe("from a relay at RCPT", () => {
  const answer = (reply: string, enhanced = "5.1.2") => ({
    state: "rejected" as const,
    code: 550,
    enhanced,
    reply: `550 ${enhanced} ${reply}`,
    scope: "recipient" as const,
    stage: "rcpt" as const,
  });
  test.each(TROUBLE)("is tried again, and nobody is given up: %s", (words) => {
    expect(actionResult(answer(words))).toMatchObject({ state: "deferred", scope: "recipient" });
  });
  test.each(FINAL)("is final: %s", (words) => {
    expect(actionResult(answer(words))).toMatchObject({ state: "rejected", gone: "for_good" });
  });
  test("a refusal of the sender stays one", () => {
    const ours = { ...answer(TROUBLE[0]!), scope: "sender" as const };
    expect(withoutFinality(ours)).toBe(ours);
  });
});
