import { finishMessage } from "#src/domain/messages/compose.ts";
import { generateDkimKey, importDkimKey } from "#src/mime/dkim.ts";
import { createTrackTokens } from "#src/domain/messages/tracking/track-token.ts";

/** The page of a campaign mail: some paragraphs, two links, German, as people write it. */
const paragraph =
  '<p style="margin:0 0 12px">Guten Tag, für Ihr Team in Zürich haben wir etwas vorbereitet, das in zwei Minuten gelesen ist.</p>\n';
const link = '<p><a href="https://acme.zz/pricing?plan=team&amp;ref=mail">Preise ansehen</a></p>\n';
const html = `<html><body>\n${link}${paragraph.repeat(9)}${link}</body></html>`;

const DOMAIN = "sender.zz";
const SELECTOR = "s1";
const date = new Date("2026-05-05T10:00:00Z");
const tokens = createTrackTokens(["a secret of the benchmark"]);
const pair = await generateDkimKey("rsa");
const signer = await importDkimKey(DOMAIN, SELECTOR, pair);

/** The key as nodemailer wants it: the same RSA-2048 pair. */
export const dkimOfNodemailer = {
  domainName: DOMAIN,
  keySelector: SELECTOR,
  privateKey: `-----BEGIN PRIVATE KEY-----\n${pair.privateKey.replace(/.{64}/g, "$&\n")}\n-----END PRIVATE KEY-----\n`,
};
/** The `p=` of its DNS record. */
export const dkimPublicKey = pair.publicKey;

export const SENDER = "zoe@sender.zz";
export const recipientOf = (number: number): string => `ann.${number}@example.zz`;

const subject = "Grüße aus Zürich – zwei Minuten für Ihr Team?";
/** The same as a campaign's own text, which greets everybody by name. */
export const campaignText = {
  subject,
  body: html.replaceAll("Guten Tag", "Guten Tag {{ first_name }}"),
};
const sendIdOf = (number: number) => `0190b0a0-1234-7abc-8def-${String(number).padStart(12, "0")}`;
const threadOf = (number: number) => `first.${number}@sender.zz`;
const messageIdOf = (number: number) => `second.${number}@sender.zz`;
const fromName = "Zoë Müller";
const toName = "Ånn Lindström";

/**
 * Letter `number` as a campaign sends it, from a rendered page to signed bytes: footer, text
 * alternative, tracked links, pixel, MIME and DKIM with RSA-2048.
 */
export function composeLetter(number: number) {
  return finishMessage(
    { subject, html },
    {
      sendId: sendIdOf(number),
      messageId: messageIdOf(number),
      from: { name: fromName, email: SENDER },
      to: { name: toName, email: recipientOf(number) },
      date,
      thread: { inReplyTo: threadOf(number), references: [threadOf(number)] },
      tracking: { opens: true, clicks: true, patterns: [] },
      tokens,
      trackingBaseUrl: "https://link.sender.zz",
      postalAddress: "Acme AG, Bahnhofstrasse 1, 8001 Zürich",
      feedbackId: "campaign:workspace:campaign:overture",
      dkim: [signer],
    },
  );
}

/** What ours made of one letter: nodemailer is handed the finished parts and does not make them. */
const finished = await composeLetter(0);

/** The same letter as nodemailer takes it; text, page and addresses are ready made. */
export function letterForNodemailer(number: number) {
  return {
    envelope: { from: SENDER, to: [recipientOf(number)] },
    from: { name: fromName, address: SENDER },
    to: { name: toName, address: recipientOf(number) },
    subject,
    date,
    messageId: `<${messageIdOf(number)}>`,
    inReplyTo: `<${threadOf(number)}>`,
    references: [`<${threadOf(number)}>`],
    headers: {
      "List-Unsubscribe": "<https://link.sender.zz/u/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "Feedback-ID": "campaign:workspace:campaign:overture",
    },
    text: finished.text,
    html: finished.html,
  };
}

export const letterBytes = finished.raw.length;
