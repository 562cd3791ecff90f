import { describe, expect, test } from "vitest";
import { classifyInbound } from "#src/domain/replies/inbound/classify.ts";
import { matchKeys } from "#src/domain/replies/inbound/matching.ts";
import { classified, mail, type MailInput, ofParts } from "./mails.ts";

const AUTOMATIC = "automatic-action/MDN-sent-automatically";

/** A disposition notification (RFC 8098), by default as Sieve's `reject` sends it (RFC 5429). */
const notification = (
  words: string,
  { subject = "Rejected: Question", disposition = `${AUTOMATIC}; deleted` } = {},
): MailInput => ({
  ...ofParts("multipart/report; report-type=disposition-notification", [
    `Content-Type: text/plain; charset=utf-8\n\n${words}`,
    `Content-Type: message/disposition-notification\n\nReporting-UA: lead.zz; Mail Delivery Subsystem\nFinal-Recipient: rfc822; ann@lead.zz\nOriginal-Message-ID: <0123abc@sender.zz>\nDisposition: ${disposition}\n`,
  ]),
  from: "Mail Delivery Subsystem <postmaster@lead.zz>",
  subject,
});

const REJECTED = "Your message to <ann@lead.zz> was automatically rejected:\n";

describe("a filter that rejects", () => {
  test.each([
    "stop writing to me",
    "Please stop sending me mail.",
    "Bitte keine weiteren E-Mails.",
  ])("and says %j asks for no more mail, though nobody has answered", async (reason) => {
    expect(await classified(notification(REJECTED + reason))).toMatchObject({
      class: "reply",
      optOut: "stop",
      byProgram: true,
    });
  });

  test.each(["I only read mail from people I know.", ""])(
    "for another reason (%j) has refused the message, and suppresses nobody",
    async (reason) => {
      expect(await classified(notification(REJECTED + reason))).toMatchObject({
        class: "bounce",
        recipients: [{ recipient: "ann@lead.zz", kind: "soft", category: "recipient_filter" }],
      });
    },
  );

  test("names the message in its fields where it returns nothing of it", async () => {
    const read = await mail(notification(REJECTED));
    const keys = await matchKeys(read, classifyInbound(read), {
      read: () => Promise.resolve(null),
    });
    expect(keys).toContainEqual({
      by: "message_id",
      messageId: "0123abc@sender.zz",
      found: "original",
    });
  });
});

test.each([
  ["shown", { disposition: "manual-action/MDN-sent-manually; displayed", subject: "Read: Stop" }],
  ["deleted by hand", { disposition: "manual-action/MDN-sent-manually; deleted" }],
  ["deleted unread", { disposition: `${AUTOMATIC}; deleted`, subject: "Not read: Question" }],
])("a receipt for a message that was %s says nothing else", async (_, how) => {
  const inbound = await classified(notification("Your message to Ann was deleted.", how));
  expect(inbound.class).toBe("automated");
});
