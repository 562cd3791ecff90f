import { parseInbound } from "#src/domain/replies/inbound/parse.ts";
import { classifyInbound, type Inbound } from "#src/domain/replies/inbound/classify.ts";
import type { InboundMail } from "#src/domain/replies/inbound/inbound-mail.ts";

export interface MailInput {
  from?: string;
  to?: string;
  subject?: string;
  /** Further header lines; a Return-Path among them replaces the default one. */
  headers?: readonly string[];
  body?: string;
}

/** A mail as a mail server hands it over, with CRLF. */
export function rawMail({
  from = "Ann Lead <ann@lead.zz>",
  to = "Sam Sender <sam@sender.zz>",
  subject = "Re: Question",
  headers = [],
  body = "",
}: MailInput): Uint8Array {
  const path = headers.some((each) => /^return-path:/i.test(each))
    ? []
    : ["Return-Path: <ann@lead.zz>"];
  const lines = [
    ...path,
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    "Date: Thu, 30 Jul 2026 09:00:00 +0000",
    "Message-ID: <incoming@lead.zz>",
    "MIME-Version: 1.0",
    ...headers,
    "",
    body,
  ];
  return new TextEncoder().encode(lines.join("\n").replaceAll("\n", "\r\n"));
}

export const mail = (input: MailInput): Promise<InboundMail> => parseInbound(rawMail(input));

export const classified = async (input: MailInput): Promise<Inbound> =>
  classifyInbound(await mail(input));

export const daemon = {
  from: "Mail Delivery System <MAILER-DAEMON@mx.relay.zz>",
  to: "b+token@bounce.sender.zz",
  subject: "Undelivered Mail Returned to Sender",
} as const;

const ORIGINAL = `Return-Path: <b+token@bounce.sender.zz>
Received: from app.sender.zz by mx.relay.zz; Thu, 30 Jul 2026 08:59:00 +0000
From: Sam Sender <sam@sender.zz>
To: Ann Lead <ann@lead.zz>
Subject: Question
Message-ID: <0123abc@sender.zz>`;

/** A report of RFC 3464; the values are those of its one recipient. */
export function report(fields: {
  action?: string;
  status: string;
  diagnostic?: string;
}): MailInput {
  const { action = "failed", status, diagnostic = "" } = fields;
  return {
    ...daemon,
    headers: [
      "Return-Path: <>",
      "Auto-Submitted: auto-replied",
      'Content-Type: multipart/report; report-type=delivery-status; boundary="=b"',
    ],
    body: `--=b
Content-Type: text/plain

This is the mail system at host mx.relay.zz.

--=b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.relay.zz

Original-Recipient: rfc822;ann@lead.zz
Final-Recipient: rfc822;ann@lead.zz
Action: ${action}
Status: ${status}
${diagnostic === "" ? "" : `Diagnostic-Code: smtp; ${diagnostic}\n`}
--=b
Content-Type: message/rfc822

${ORIGINAL}

Hello Ann
--=b--
`,
  };
}

/** A mail system's mail whose parts are these; each begins with its header. */
export function ofParts(type: string, parts: readonly string[]): MailInput {
  // Unlike that of any mail within.
  const boundary = `=p${parts.join("").length}`;
  return {
    ...daemon,
    headers: ["Return-Path: <>", `Content-Type: ${type}; boundary="${boundary}"`],
    body: [...parts.map((part) => `--${boundary}\n${part}\n`), `--${boundary}--\n`].join(""),
  };
}

/** A mail as one that another has attached. */
export const attached = (input: MailInput): string =>
  `Content-Type: message/rfc822\n\n${new TextDecoder().decode(rawMail(input)).replaceAll("\r\n", "\n")}`;

/** A notice in words, followed by the message it returns. */
export const notice = (
  words: string,
  mark = "--- Below this line is a copy of the message.",
  headers: readonly string[] = [],
): MailInput => ({
  ...daemon,
  subject: "failure notice",
  headers: ["Return-Path: <>", ...headers],
  body: `${words}\n\n${mark}\n\n${ORIGINAL}\n\nHello Ann\n`,
});
