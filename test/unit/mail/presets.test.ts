import { expect, test } from "vitest";
import { presetCredentials, presetMessage } from "#src/providers/mail/presets.ts";

const message = {
  id: "m",
  from: "me@sender.zz",
  to: "lead@example.zz",
  raw: new TextEncoder().encode("Subject: x\r\n\r\nHello\r\n"),
};
const text = (raw: Uint8Array) => new TextDecoder().decode(raw);

test("Postmark is submission with the server token as user and password, Resend with its key", () => {
  expect(presetCredentials({ kind: "postmark", serverToken: "token" })).toEqual({
    host: "smtp.postmarkapp.com",
    port: 587,
    security: "starttls",
    username: "token",
    password: "token",
  });
  expect(presetCredentials({ kind: "resend", apiKey: "re_key" })).toEqual({
    host: "smtp.resend.com",
    port: 465,
    security: "tls",
    username: "resend",
    password: "re_key",
  });
});

test("Postmark is told to keep our Message-ID, and which stream to use, in headers in front", () => {
  const account = { kind: "postmark", serverToken: "token", messageStream: "outreach-1" } as const;
  const sent = presetMessage(account, message);
  expect(text(sent.raw)).toBe(
    `X-PM-KeepID: true\r\nX-PM-Message-Stream: outreach-1\r\n${text(message.raw)}`,
  );
  expect(sent).toMatchObject({ id: "m", from: "me@sender.zz", to: "lead@example.zz" });
});

test("at Resend the message is the same object", () => {
  expect(presetMessage({ kind: "resend", apiKey: "re_key" }, message)).toBe(message);
});

test("a stream that would add headers is refused", () => {
  const account = {
    kind: "postmark",
    serverToken: "t",
    messageStream: "a\r\nBcc: x@y.zz",
  } as const;
  expect(() => presetMessage(account, message)).toThrow("stream");
});
