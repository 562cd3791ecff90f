import type { PresetAccount } from "./accounts.ts";
import type { OutgoingRaw, SmtpCredentials } from "./index.ts";

/**
 * The SMTP submission account behind a provider's own settings. Both take finished MIME, so that
 * our Message-ID and DKIM signature go out as they are.
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

/** What Postmark takes as the id of a message stream; the schema of the settings holds to it. */
export const MESSAGE_STREAM = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * The message as the account wants it: Postmark reads the stream from a header. It goes in front and
 * is no part of what DKIM signed. Throws on a stream that is not `MESSAGE_STREAM`.
 */
export function presetMessage(account: PresetAccount, message: OutgoingRaw): OutgoingRaw {
  if (account.kind !== "postmark" || account.messageStream === undefined) return message;
  if (!MESSAGE_STREAM.test(account.messageStream))
    throw new Error("the message stream is not an id that Postmark gives");
  const header = new TextEncoder().encode(`X-PM-Message-Stream: ${account.messageStream}\r\n`);
  const raw = new Uint8Array(header.length + message.raw.length);
  raw.set(header);
  raw.set(message.raw, header.length);
  return { ...message, raw };
}
