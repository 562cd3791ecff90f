import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  createReplyParser,
  type SmtpReply,
  SmtpProtocolError,
} from "../../../src/providers/mail/smtp-replies.ts";
import { dotStuffed } from "../../../src/providers/mail/smtp-envelope.ts";
import { refusal } from "../../../src/providers/mail/smtp-verdict.ts";
import type { SendStage } from "../../../src/providers/mail/index.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("replies come out alike however the stream is cut", () => {
  const stream =
    "220 hi\r\n250-first\r\n250-PIPELINING\r\n250 SIZE 1\r\n550 5.1.1 no such user\r\n354\r\n";
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 100, maxLength: 100 }),
      (cuts) => {
        const parser = createReplyParser();
        const replies: SmtpReply[] = [];
        let rest = stream;
        for (const cut of cuts) {
          parser.push(bytes(rest.slice(0, cut)));
          rest = rest.slice(cut);
          for (let reply = parser.take(); reply; reply = parser.take()) replies.push(reply);
        }
        expect(replies).toEqual([
          { code: 220, lines: ["hi"] },
          { code: 250, lines: ["first", "PIPELINING", "SIZE 1"] },
          { code: 550, enhanced: "5.1.1", lines: ["5.1.1 no such user"] },
          { code: 354, lines: [""] },
        ]);
        expect(parser.pendingBytes()).toBe(0);
      },
    ),
  );
});

test("what is no reply is an error: other text, mixed codes, more than 64 kB", () => {
  for (const text of [
    "hello\r\n",
    "25 x\r\n",
    "250x\r\n",
    "999 x\r\n",
    "250-a\r\n550 b\r\n",
    `250 ${"x".repeat(65_536)}`,
    "250-x\r\n".repeat(10_000),
    `${"250-x\r\n".repeat(10_000)}250 end\r\n`,
  ]) {
    const parser = createReplyParser();
    parser.push(bytes(text));
    expect(() => parser.take()).toThrow(SmtpProtocolError);
  }
});

test("whose fault a refusal is", () => {
  const cases: [reply: string, stage: SendStage, state: string, scope: string][] = [
    ["550 5.1.1 user unknown", "rcpt", "rejected", "recipient"],
    // Once the recipient is named, words and what happens to others decide (mail-result.test.ts).
    ["550 no such user", "rcpt", "rejected", "doubtful"],
    ["550 5.7.1 refused by policy", "rcpt", "rejected", "doubtful"],
    ["550 5.7.1 refused by policy", "mail", "rejected", "sender"],
    ["451 4.3.0 local error", "rcpt", "deferred", "doubtful"],
    ["550 5.1.1 user unknown", "final", "rejected", "recipient"],
    ["552 5.2.2 mailbox full", "rcpt", "rejected", "recipient"],
    ["550 5.7.1 relaying denied", "rcpt", "rejected", "sender"],
    ["554 Relay access denied", "rcpt", "rejected", "sender"],
    ["550 5.7.515 not aligned", "final", "rejected", "doubtful"],
    ["553 5.1.8 sender domain does not exist", "rcpt", "rejected", "sender"],
    ["552 5.3.4 too big", "mail", "rejected", "message"],
    ["554 5.6.0 malformed", "final", "rejected", "message"],
    ["450 4.2.0 greylisted", "rcpt", "deferred", "recipient"],
    ["451 4.7.1 greylisting in action", "rcpt", "deferred", "doubtful"],
    ["450 4.7.1 rate limit exceeded", "rcpt", "deferred", "sender"],
    ["452 4.2.2 over quota", "rcpt", "deferred", "recipient"],
    ["452 4.5.3 too many recipients", "rcpt", "deferred", "sender"],
    ["451 4.3.0 local error", "final", "deferred", "connection"],
    ["421 closing", "mail", "deferred", "connection"],
    ["451 try later", "final", "deferred", "connection"],
  ];
  for (const [line, stage, state, scope] of cases) {
    const parser = createReplyParser();
    parser.push(bytes(`${line}\r\n`));
    expect([line, refusal(parser.take()!, stage)]).toMatchObject([line, { state, scope }]);
  }
});

test("a server that wants TLS or a login first says it of the account, whatever the stage", () => {
  for (const [line, stage, advice] of [
    ["530 5.7.0 Must issue a STARTTLS command first", "mail", "choose the security starttls"],
    ["530 5.7.0 Authentication required", "mail", "give user name and password"],
    ["538 encryption required", "rcpt", "choose the security starttls"],
    ["535 5.7.8 not any more", "final", ""],
  ] as const) {
    const parser = createReplyParser();
    parser.push(bytes(`${line}\r\n`));
    const result = refusal(parser.take()!, stage);
    expect(result).toMatchObject({ state: "deferred", scope: "sender" });
    expect("accountError" in result && result.accountError).toContain(advice);
    expect("accountError" in result && result.accountError).toContain(line);
  }
});

test("dot stuffing doubles leading dots only, ends the last line, and can be undone", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(".", "..", "\r\n", "x", ". "), { maxLength: 20 }),
      (pieces) => {
        const raw = pieces.join("");
        const wire = new TextDecoder().decode(dotStuffed(bytes(raw)));
        expect(wire.endsWith("\r\n.\r\n") || wire === ".\r\n").toBe(true);
        const lines = wire.slice(0, -3).split("\r\n");
        expect(lines).not.toContain(".");
        const back = lines.map((line) => line.replace(/^\./, "")).join("\r\n");
        expect(back).toBe(raw === "" || raw.endsWith("\r\n") ? raw : `${raw}\r\n`);
      },
    ),
    { numRuns: 500 },
  );
});
