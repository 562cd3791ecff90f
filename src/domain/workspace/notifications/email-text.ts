import { escapeHtml } from "#src/mime/escape-html.ts";
import type { NoticeEntry, NoticeText } from "./notice-text.ts";

export interface EmailText {
  subject: string;
  text: string;
  html: string;
}

const WHY = (baseUrl: string) =>
  `You get this because of your notification preferences: PUT ${baseUrl}/api/v1/notifications/preferences changes them. Nobody reads answers to this message.`;

/** A notice as a mail: plain text, and the same as a page without images or links to follow. Pure. */
export function emailText(notice: NoticeText, baseUrl: string): EmailText {
  const { title, entries } = notice;
  const head = headOf(notice);
  const tail = notice.unshown === 0 ? [] : [`And ${notice.unshown} more.`];
  return {
    subject: title,
    text: [...head, ...entries.map(plain), ...tail, `-- \n${WHY(baseUrl)}`, ""].join("\n\n"),
    html: [
      '<!doctype html><html><head><meta charset="utf-8"></head><body style="font:15px/1.5 sans-serif;color:#222;max-width:40em">',
      ...head.map((line) => `<p><strong>${isolated(line)}</strong></p>`),
      ...entries.map(marked),
      ...tail.map((line) => `<p>${escapeHtml(line)}</p>`),
      `<p style="font-size:12px;color:#666">${escapeHtml(WHY(baseUrl))}</p>`,
      "</body></html>",
    ].join("\n"),
  };
}

const headOf = ({ campaign, counts }: NoticeText): string[] => [
  ...(campaign === null ? [] : [`Campaign: ${campaign}`]),
  ...(counts === null ? [] : [`In the last minutes: ${counts}.`]),
];

function plain({ happened, quote, advice }: NoticeEntry): string {
  const quoted = quote.map((line) => `> ${line}`);
  return [`${happened}.`, ...quoted, advice].join("\n");
}

function marked({ happened, quote, advice }: NoticeEntry): string {
  const lines = quote.map(isolated).join("<br>\n");
  const quoted =
    lines === ""
      ? ""
      : `<blockquote style="margin:8px 0;padding-left:12px;border-left:3px solid #ccc">${lines}</blockquote>\n`;
  return `<p>${isolated(`${happened}.`)}</p>\n${quoted}<p>${escapeHtml(advice)}</p>`;
}

/** Text of any direction, which does not turn what stands around it. */
const isolated = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;
