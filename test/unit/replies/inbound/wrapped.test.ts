import { expect, test } from "vitest";
import { matchKeys } from "#src/domain/replies/inbound/matching.ts";
import { classifyInbound } from "#src/domain/replies/inbound/classify.ts";
import { attached, classified, mail, ofParts, report, type MailInput } from "./mails.ts";

const GONE = report({ status: "5.1.1", diagnostic: "550 5.1.1 no such user" });
const WORDS = "Content-Type: text/plain\n\nYour message was not delivered. The report is attached.";

/** A gateway's mail with another one attached. */
const wrapping = (inner: MailInput): MailInput =>
  ofParts("multipart/mixed", [WORDS, attached(inner)]);

const tokens = { read: () => Promise.resolve(null) };

test.each([
  ["a gateway has attached it", wrapping(GONE)],
  ["two gateways have", wrapping(wrapping(GONE))],
  [
    "a robot's mail has a return path",
    {
      ...wrapping(GONE),
      from: "Gateway <noreply@gateway.zz>",
      headers: [
        "Return-Path: <noreply@gateway.zz>",
        "Auto-Submitted: auto-generated",
        wrapping(GONE).headers![1]!,
      ],
    },
  ],
] as const)("a report is read where %s", async (_, input) => {
  expect(await classified(input)).toMatchObject({
    class: "bounce",
    format: "report",
    recipients: [{ recipient: "ann@lead.zz", kind: "hard", status: "5.1.1" }],
  });
});

test("a wrapped report is about the message that it returns", async () => {
  const read = await mail(wrapping(GONE));
  const keys = await matchKeys(read, classifyInbound(read), tokens);
  expect(keys).toContainEqual({
    by: "message_id",
    messageId: "0123abc@sender.zz",
    found: "original",
  });
});

test("a person who attaches a report forwards it", async () => {
  const forwarded = {
    ...wrapping(GONE),
    from: "Ann <ann@lead.zz>",
    subject: "Fwd: Undelivered Mail Returned to Sender",
    headers: ["Return-Path: <ann@lead.zz>", wrapping(GONE).headers![1]!],
  };
  expect(await classified(forwarded)).toMatchObject({ class: "reply" });
});

test("of reports wrapped deeper than three gateways nothing is believed", async () => {
  let input: MailInput = GONE;
  for (let depth = 0; depth < 4; depth++) input = wrapping(input);
  const inbound = await classified(input);
  expect(inbound).not.toMatchObject({ recipients: [{ kind: "hard" }] });
});

test("what a report returns is not opened: it may be a report itself", async () => {
  const status =
    "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.zz\n\nFinal-Recipient: rfc822; bob@lead.zz\nAction: failed\nStatus: 5.2.2\n";
  const input = ofParts("multipart/report; report-type=delivery-status", [
    WORDS,
    status,
    attached(GONE),
  ]);
  expect(await classified(input)).toMatchObject({
    recipients: [{ recipient: "bob@lead.zz", kind: "soft" }],
  });
});
