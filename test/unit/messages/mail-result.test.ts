/** Whose trouble a relay's words are, and whether the address is given up by them. */
import { describe, expect, test } from "vitest";
import { actionResult } from "#src/domain/messages/mail-result.ts";
import type { SendStage } from "#src/providers/mail/index.ts";
import { createReplyParser } from "#src/providers/mail/smtp-replies.ts";
import { refusal } from "#src/providers/mail/smtp-verdict.ts";

function read(line: string, stage: SendStage) {
  const parser = createReplyParser();
  parser.push(new TextEncoder().encode(`${line}\r\n`));
  return actionResult(refusal(parser.take()!, stage));
}

describe("once the recipient is named", () => {
  test.each([
    ["550 5.7.1 Not accepted by policy", "doubtful", undefined],
    ["550 5.7.1 <bob@lead.zz>: Recipient address rejected: Policy", "doubtful", undefined],
    ["554 5.7.1 <bob@lead.zz>: Recipient address rejected: Access denied", "doubtful", undefined],
    ["550 5.7.1 Access denied", "doubtful", undefined],
    ["550 5.7.1 The account is disabled", "doubtful", "disabled"],
    ["451 4.7.1 Service unavailable - try again later", "doubtful", undefined],
    ["451 4.3.0 Temporary failure", "doubtful", undefined],
    ["450 Try again later", "doubtful", undefined],
    ["550 Failed", "doubtful", "for_good"],
    ["550 Administrative prohibition", "doubtful", undefined],
    ["554 Refused", "doubtful", undefined],
    ["550 No such user here", "recipient", "for_good"],
    ["550 5.1.1 User unknown", "recipient", "for_good"],
    ["550 5.1.0 Failed", "recipient", "for_good"],
    ["550 5.2.1 Failed", "recipient", "disabled"],
    ["550 5.2.1 The email account that you tried to reach is disabled", "recipient", "disabled"],
    ["550 5.2.1 No such user here", "recipient", "for_good"],
    ["554 This mailbox has been suspended", "recipient", "disabled"],
    ["552 5.2.2 Mailbox full", "recipient", undefined],
    ["452 4.3.1 Mailbox is full", "recipient", undefined],
    ["450 4.2.1 Mailbox disabled for now", "recipient", undefined],
    ["451 4.7.1 Greylisted for 5 minutes", "recipient", undefined],
    ["553 5.7.1 <me@us.zz>: Sender address rejected: not owned by user me", "sender", undefined],
    ["554 5.7.1 Service unavailable; client [192.0.2.1] blocked using bl.zz", "sender", undefined],
    ["550 5.7.1 192.0.2.1 is listed", "sender", undefined],
    ["550 5.7.1 Rejected for the low reputation of the sending domain", "sender", undefined],
    ["554 5.7.1 <bob@lead.zz>: Relay access denied", "sender", undefined],
    ["550 5.7.26 Unauthenticated email is not accepted: DMARC", "sender", undefined],
    ["451 4.7.1 Client host rejected: cannot find your hostname", "sender", undefined],
    ["450 4.7.1 Too many messages this hour", "sender", undefined],
    ["452 4.3.1 Insufficient system storage", "connection", undefined],
    ["451 4.3.0 Error: queue file write error", "connection", undefined],
    ["451 4.3.5 Server configuration error", "connection", undefined],
    ["421 4.3.2 Closing", "connection", undefined],
  ] as const)("%s: %s, gone %s", (line, scope, gone) => {
    const result = read(line, "rcpt");
    expect(result).toMatchObject({ scope, isNamed: true });
    expect("gone" in result ? result.gone : undefined).toBe(
      result.state === "rejected" ? gone : undefined,
    );
  });
});

test.each(["550 5.7.1 Not accepted by policy", "550 Failed", "451 4.7.1 Not now", "421 Busy"])(
  "before the recipient is named it is the sender's or the line's: %s",
  (line) => {
    const result = read(line, "mail");
    expect(result).toMatchObject({ isNamed: false });
    expect(["sender", "connection"]).toContain("scope" in result && result.scope);
  },
);
