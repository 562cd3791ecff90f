import type { Mailbox } from "#src/mime/address.ts";
import { type DkimSigner, signDkim } from "#src/mime/dkim.ts";
import { escapeHtml } from "#src/mime/escape-html.ts";
import { MAX_OPEN_TAGS, readHtml } from "#src/mime/read-html.ts";
import { MailInputError } from "#src/mime/input-error.ts";
import { type Attachment, buildMime, type MimeInput } from "#src/mime/message.ts";
import { rewriteLinks, type TrackedLink } from "#src/domain/messages/tracking/rewrite-links.ts";
import { isSafeFrame } from "./safe-frame.ts";
import { sanitizePage } from "#src/mime/sanitize-html.ts";
import { createRenderer } from "#src/domain/senders/templates/template.ts";
import { htmlToText, textReader } from "#src/mime/html-to-text.ts";
import { textToHtml } from "#src/mime/text-to-html.ts";
import type { TrackTokens } from "#src/domain/messages/tracking/track-token.ts";

export interface MessageSource {
  subject: string;
  body: string;
  format: "html" | "text";
}

export interface RenderedMessage {
  subject: string;
  /** The sanitised page, before footer and tracking; text messages become plain paragraphs. */
  html: string;
  /** Of a text message, as it was written: what its text alternative says. */
  text?: string;
}

/** Spintax, Liquid, then sanitising: what a preview shows. `missing` names variables without a value or default. */
export function renderMessage(
  source: MessageSource,
  variables: Readonly<Record<string, unknown>>,
  seed: string,
): { ok: true; message: RenderedMessage } | { ok: false; missing: string[] } {
  const render = createRenderer(variables);
  const subject = render(source.subject, "subject", `${seed}/subject`);
  const body = render(source.body, source.format, `${seed}/body`);
  if (!subject.ok || !body.ok) {
    const missing = [subject, body].flatMap((part) => (part.ok ? [] : part.missing));
    return { ok: false, missing: [...new Set(missing)] };
  }
  if (source.format === "html" && body.skeleton !== undefined && isSafeFrame(body.skeleton))
    return { ok: true, message: { subject: subject.text, html: body.text } };
  return {
    ok: true,
    message: literalMessage({ ...source, subject: subject.text, body: body.text }),
  };
}

/** A text that is no template (typed by hand, or approved word by word): sanitised, otherwise unchanged. Throws MailInputError. */
export function literalMessage({ subject, body, format }: MessageSource): RenderedMessage {
  if (format === "text")
    return { subject, html: textToHtml(body), text: body.replaceAll("\r\n", "\n") };
  const { html, isWhole } = sanitizePage(body);
  if (!isWhole)
    throw new MailInputError("body", `more than ${MAX_OPEN_TAGS} tags are open at once`);
  return { subject, html };
}

export interface FinishOptions {
  sendId: string;
  messageId: string;
  from: Mailbox;
  to: Mailbox;
  replyTo?: Mailbox;
  date: Date;
  thread?: { inReplyTo: string; references: readonly string[] };
  tracking: { opens: boolean; clicks: boolean; patterns: readonly string[] };
  tokens: TrackTokens;
  /** Where tracking addresses live, without a trailing slash. */
  trackingBaseUrl: string;
  signature?: string;
  postalAddress?: string;
  /** Null for mail outside of campaigns, which has no unsubscribe link. */
  feedbackId: string | null;
  /** Takes unsubscriptions by mail, for programs that do not speak HTTP (RFC 2369 section 3.2). */
  unsubscribeAddress?: string;
  attachments?: readonly Attachment[];
  /** Further header fields. */
  headers?: NonNullable<MimeInput["headers"]>;
  dkim: readonly DkimSigner[];
}

export interface ComposedMessage {
  raw: Uint8Array;
  html: string;
  text: string;
  links: TrackedLink[];
}

/**
 * From a rendered message to signed bytes: signature and footer, text
 * alternative (a text message's own words, else from the untracked page), tracked links, pixel, MIME, DKIM.
 * One-click unsubscription as RFC 2369 and RFC 8058 want it, under the signature.
 */
export async function finishMessage(
  { subject, html, text: written }: RenderedMessage,
  options: FinishOptions,
): Promise<ComposedMessage> {
  const { sendId, tokens, tracking, trackingBaseUrl } = options;
  const address = (path: string, token: string) => `${trackingBaseUrl}/${path}/${token}`;
  const unsubscribeUrl =
    options.feedbackId === null
      ? null
      : address("u", await tokens.sign({ kind: "unsubscribe", sendId }));
  const footer = footerOf(options, unsubscribeUrl);
  const page = footer === "" ? html : beforeBodyEnd(html, `\n${footer}\n`);

  // The page is read once, for its links and for its text.
  const reader = textReader();
  let tracked = page;
  let links: TrackedLink[] = [];
  if (tracking.clicks) {
    const rules = { patterns: tracking.patterns, ownPrefixes: [`${trackingBaseUrl}/`] };
    const sign = async ({ index, url }: TrackedLink) =>
      address("c", await tokens.sign({ kind: "click", sendId, linkIndex: index, url }));
    ({ html: tracked, links } = await rewriteLinks(page, rules, sign, reader.listen));
  } else readHtml(page, reader.listen);
  // Blanks have no meaning in a page; in a text that is read as one they have.
  const text = written === undefined ? reader.text() : withFooter(written, footer);
  if (tracking.opens)
    tracked = withPixel(
      tracked,
      address("o", `${await tokens.sign({ kind: "open", sendId })}.gif`),
    );

  const mime = buildMime({
    from: options.from,
    to: options.to,
    ...(options.replyTo === undefined ? {} : { replyTo: options.replyTo }),
    subject,
    messageId: options.messageId,
    date: options.date,
    ...options.thread,
    headers: [
      ...(unsubscribeUrl === null
        ? []
        : [
            ["List-Unsubscribe", waysOut(unsubscribeUrl, options.unsubscribeAddress)] as const,
            ["List-Unsubscribe-Post", ["List-Unsubscribe=One-Click"]] as const,
          ]),
      ...(options.feedbackId === null ? [] : [["Feedback-ID", [options.feedbackId]] as const]),
      ...(options.headers ?? []),
    ],
    text,
    html: tracked,
    ...(options.attachments === undefined ? {} : { attachments: options.attachments }),
  });
  const raw =
    options.dkim.length === 0 ? mime : await signDkim(mime, options.dkim, { now: options.date });
  return { raw, html: tracked, text, links };
}

const waysOut = (url: string, address: string | undefined): string[] => [
  `<${url}>${address === undefined ? "" : ","}`,
  ...(address === undefined ? [] : [`<mailto:${address}?subject=unsubscribe>`]),
];

/** Identity, postal address and a visible way out, as bulk-sender rules and anti-spam law want them. */
function footerOf(
  { signature, postalAddress }: FinishOptions,
  unsubscribeUrl: string | null,
): string {
  const parts: string[] = [];
  if (signature !== undefined) parts.push(textToHtml(signature));
  const lines: string[] = [];
  if (postalAddress !== undefined) lines.push(escapeHtml(postalAddress.replace(/\s*\n\s*/g, ", ")));
  if (unsubscribeUrl !== null)
    lines.push(`<a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a>`);
  if (lines.length > 0)
    parts.push(`<p style="font-size:12px;color:#666">${lines.join("<br>\n")}</p>`);
  return parts.join("\n");
}

const withFooter = (text: string, footer: string): string =>
  footer === "" ? text : `${text.trimEnd()}\n\n${htmlToText(footer)}`;

function withPixel(html: string, url: string): string {
  return beforeBodyEnd(html, `<img src="${escapeHtml(url)}" width="1" height="1" alt="">`);
}

function beforeBodyEnd(html: string, addition: string): string {
  let end = -1;
  // In lower case some letters are longer, and the place would be another.
  for (const { index } of html.matchAll(/<\/body>/gi)) end = index;
  return end === -1 ? html + addition : html.slice(0, end) + addition + html.slice(end);
}
