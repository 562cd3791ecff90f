import { expect, test } from "vitest";
import { isComplaint } from "#src/domain/replies/inbound/complaint.ts";
import { classified, type MailInput } from "./mails.ts";

const arf = (
  fields: string,
  original = "From: sam@sender.zz\nTo: ann@lead.zz\nMessage-ID: <0123abc@sender.zz>\nSubject: Question",
): MailInput => ({
  from: "fbl@provider.zz",
  subject: "FW: Question",
  headers: ['Content-Type: multipart/report; report-type=feedback-report; boundary="=b"'],
  body: `--=b\nContent-Type: text/plain\n\nThis is an abuse report.\n--=b\nContent-Type: message/feedback-report\n\n${fields}\n\n--=b\nContent-Type: message/rfc822\n\n${original}\n\nHello\n--=b--\n`,
});

test("a feedback report (RFC 5965) is a complaint of its recipient", async () => {
  const fields =
    "Feedback-Type: abuse\nUser-Agent: FBL/1\nVersion: 1\nOriginal-Rcpt-To: <Ann@lead.zz>";
  expect(await classified(arf(fields))).toMatchObject({
    class: "complaint",
    feedbackType: "abuse",
    recipients: ["ann@lead.zz"],
  });
});

test("a redacted recipient is looked for in the returned message", async () => {
  expect(await classified(arf("Feedback-Type: abuse\nVersion: 1"))).toMatchObject({
    recipients: ["ann@lead.zz"],
  });
  const redacted = "From: sam@sender.zz\nTo: [redacted]\nMessage-ID: <0123abc@sender.zz>";
  expect(await classified(arf("Feedback-Type: abuse\nVersion: 1", redacted))).toMatchObject({
    class: "complaint",
    recipients: [],
  });
});

test.each([
  ["abuse", true],
  ["fraud", true],
  ["not-spam", false],
  ["auth-failure", false],
])("a report of type %s is somebody's complaint: %s", async (type, complains) => {
  const inbound = await classified(arf(`Feedback-Type: ${type}\nVersion: 1`));
  expect(inbound.class === "complaint" && isComplaint(inbound)).toBe(complains);
});

test("the type of a report is kept", async () => {
  expect(await classified(arf("Feedback-Type: not-spam\nVersion: 1"))).toMatchObject({
    feedbackType: "not-spam",
  });
});

test("Microsoft's report is a complaint without a report part", async () => {
  const inbound = await classified({
    from: "staff@hotmail.com",
    subject: "complaint about message from 192.0.2.1",
    headers: ['Content-Type: multipart/mixed; boundary="=b"'],
    body: "--=b\nContent-Type: message/rfc822\n\nX-HmXmrOriginalRecipient: ann@hotmail.zz\nFrom: sam@sender.zz\nTo: x@y.zz\nMessage-ID: <1@sender.zz>\n\nHello\n--=b--\n",
  });
  expect(inbound).toMatchObject({ class: "complaint", recipients: ["ann@hotmail.zz"] });
});

test("anybody else's complaint is a letter", async () => {
  expect(
    (
      await classified({
        subject: "complaint about message from 192.0.2.1",
        body: "I did not like it.",
      })
    ).class,
  ).toBe("reply");
});
