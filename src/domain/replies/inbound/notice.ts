import type { InboundMail } from "./inbound-mail.ts";
import { addressesIn, returnedMessageLine } from "./original-message.ts";

/** Where a notice ends and what it returns begins, as mail systems announce it. */
const ORIGINAL_MARK =
  /^[\s>*#=_+-]{0,20}((this|here|below|following|the following|included|attached|a|start of|your|the|is|line|above|this line|text of|of) ){0,6}(is |are )?(the |a |your |an )?(copy of|original (message|mail|header|e-?mail)|unsent message|returned (message|mail|header)|undelivered (message|mail)|message (headers?|text|body|follows|that|starts)|headers? (of|from|follow|only)|(copy|text|body|content|header)s? of (the|your) |returned content|nachrichtentext|originalnachricht|message original|mensaje original|mensagem original|元のメール|原文)/i;
const MAX_NOTICE_LINES = 400;

export interface Notice {
  /** The system's own words: the text before the returned message. */
  text: string;
  lines: readonly string[];
}

/** The part of the text that is the notice, without the message it returns. */
export function noticeOf(mail: InboundMail): Notice {
  const all = mail.text.split("\n");
  const returned = returnedMessageLine(all);
  let end = Math.min(returned === -1 ? all.length : returned, MAX_NOTICE_LINES);
  if (returned === 0) end = Math.min(all.length, MAX_NOTICE_LINES);
  const lines = all.slice(0, end);
  const mark = lines.findIndex((line, at) => at > 1 && ORIGINAL_MARK.test(line));
  const text =
    mark > 1 && addressesIn(lines.slice(0, mark).join("\n")).length > 0
      ? lines.slice(0, mark)
      : lines;
  return { text: text.join("\n"), lines: text };
}

const REPLY_LINE = /(?:^|[\s:;,"'([<#>-])([245]\d\d)[ \t-]+(?:\(?#?([245]\.\d{1,3}\.\d{1,3})\)?)?/g;
const STATUS = /(?:^|[^\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.])/;

/** The SMTP reply and enhanced status in a text; the last refusal wins, which is the remote one. */
export function smtpCodes(text: string): { reply: string; status: string } {
  const replies = [...text.slice(0, 8_000).matchAll(REPLY_LINE)].filter(([, code]) =>
    /^(421|45[0-9]|50[0-4]|52[0-9]|53[0-9]|55[0-9]|571)$/.test(code!),
  );
  const status = STATUS.exec(text.slice(0, 8_000))?.[1] ?? "";
  return { reply: replies[0]?.[1] ?? "", status };
}
