import type { PresetAccount } from "./index.ts";
import type { OutgoingRaw, SmtpCredentials } from "./index.ts";

/**
 * The SMTP submission account behind a provider's own settings.
 *
 * Postmark: https://postmarkapp.com/developer/user-guide/send-email-with-smtp (the server token is
 * both user and password). Resend: https://resend.com/docs/send-with-smtp.
 */
export function presetCredentials(account: PresetAccount): SmtpCredentials {
  switch (account.kind) {
    case "postmark":
      return {
        host: "smtp.postmarkapp.com",
        port: 587,
        security: "starttls",
        username: account.serverToken,
        password: account.serverToken,
      };
    case "resend":
      return {
        host: "smtp.resend.com",
        port: 465,
        security: "tls",
        username: "resend",
        password: account.apiKey,
      };
  }
}

/** The ids of message streams that Postmark accepts; the settings' schema checks it. */
export const MESSAGE_STREAM = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * The message as the account wants it. Postmark parses and rebuilds it: headers tell it the stream to
 * use, and to keep the Message-ID, which replies will name. Throws on a stream that is not
 * `MESSAGE_STREAM`.
 */
export function presetMessage(account: PresetAccount, message: OutgoingRaw): OutgoingRaw {
  if (account.kind !== "postmark") return message;
  const { messageStream } = account;
  if (messageStream !== undefined && !MESSAGE_STREAM.test(messageStream))
    throw new Error("the message stream is not an id that Postmark gives");
  const headers = [
    "X-PM-KeepID: true",
    ...(messageStream === undefined ? [] : [`X-PM-Message-Stream: ${messageStream}`]),
  ];
  const head = new TextEncoder().encode(headers.map((header) => `${header}\r\n`).join(""));
  const raw = new Uint8Array(head.length + message.raw.length);
  raw.set(head);
  raw.set(message.raw, head.length);
  return { ...message, raw };
}
