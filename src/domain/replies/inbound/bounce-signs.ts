import type { InboundMail } from "./inbound-mail.ts";
import { fieldValue } from "./header-fields.ts";
import type { Notice } from "./notice.ts";
import { smtpCodes } from "./notice.ts";

const DAEMON =
  /^(mailer[-_.]?daemon|mail[-_.]?daemon|mdaemon|daemon|post[-_.]?master|mail[-_.]?(delivery|admin|system|server|robot)\S*|bounces?|bounce[-_+.]\S*|double-bounce|mmdf|delivery[-_.]\S+)$/i;
/** These write other things too. */
const ROBOT = /^(no-?_?reply\S*|do-?not-?reply\S*|mail(er)?|smtp|admin|administrator|delivery)$/i;
const DAEMON_NAME =
  /mail(er)? ?(deliver\w*|daemon|administrator|system|router)|delivery (sub)?system|postmaster|mailer-daemon|system administrator|microsoft (exchange|outlook)|internet mail|mail gateway|e-?mail (server|gateway)/i;

/** Subjects of failure notices; one with a reply or forward prefix is a person's. */
const SUBJECT =
  /undeliver|non.?deliver|not (be(en)? )?deliver|fail(ed|ure)( to)?( \S+)? (notice|deliver|permanent|mail|message|notification)|deliver\w*( \S+){0,5} (fail|error|problem|impossible|unsuccessful|suspend|delay)|(mail|message|delivery)( \S+){0,3} (fail|error|problem|rejected|bounced)|return(ed|ing) (mail|message|to sender|e-?mail)|returned? to sender|delivery (status|report|notification)|bounce|could not (be )?(send|sent|deliver)|unable to deliver|error sending|rejected (mail|message|posting)|unzustellbar|nicht zugestellt|zustell\w*( \S+){0,3} (fehl|gescheit)|unzustellbarkeit|non remis|échec|non distribu|no (se pudo )?entreg|no se puede entregar|não entreg|falha|mancat[ao] (consegna|recapito)|non recapitabile|niet (be|af)gelever|onbestelbaar|не достав|недостав|возврат|配信|配達|エラー|送信でき|退信|系统退信|投递失败/i;

/** Phrases of bounce notices, for any reason. */
const BODY =
  /(could|can|was|were|has|have|had|is|are|did|will|would|may)(n't| ?not|not)( yet)?( have)?( be| been)? ?(successfully )?(deliver|sent|forward|relay|process|transmit|accept|reach)|undeliver|(unable|not able|n.t able|fail\w*|impossible) to (deliver|send|relay|forward|transmit)|deliver\w*( \S+){0,6} (fail|unsuccessful|impossible|error|problem|attempt|delay|status)|permanent(ly)? (fatal )?(error|fail)|fatal errors?|(following|these|this) (address|recipient|user|destination|addressee)\S*( \S+){0,6}|returned (mail|message|to (you|the sender|sender))|not delivered|non-?deliver|did not reach|rejected (your|the|this|by|for)|message( \S+){0,4} (rejected|bounced|refused|returned)|no such user|user unknown|unknown (user|recipient)|invalid (user|recipient|address)|giv(e|en|ing) up|failed (recipient|permanently|address|after)|nicht (zugestellt|ausgeliefert|übermittelt)|konnte nicht|pas pu être|n'a pas été|no se (ha )?(pudo|podido)|não (foi|pôde|pode) |non (è stato|può essere)( \S+){0,3} (consegn|recapit)|kon niet|не (может быть|могло быть|было|удалось|доставл)|недоставл|配信|配達|送信でき|届け|無法|无法|退回/i;

export interface Signs {
  /** From a mail system by its name, its address, or an empty envelope sender. */
  fromSystem: boolean;
  evidence: string[];
}

/** How much a mail without a report looks like a notice of non-delivery. */
export function bounceSigns(mail: InboundMail, notice: Notice): Signs {
  const subject = mail.subject;
  const replied =
    /^\s*((re|fw|fwd|aw|wg|sv|vs|tr|rv|enc|r|odp|ynt)(\[\d+\])?\s*[:\uff1a]\s*)/i.test(subject);
  const codes = smtpCodes(notice.text);
  const autoSubmitted = fieldValue(mail.headers, "auto-submitted").toLowerCase();
  const checks: readonly (readonly [name: string, holds: boolean])[] = [
    ["null_sender", mail.returnPath === ""],
    ["daemon", isMailSystem(mail)],
    ["robot", ROBOT.test(localPart(mail.from?.email ?? ""))],
    ["report_type", /multipart\/report/i.test(fieldValue(mail.headers, "content-type"))],
    ["auto_submitted", /^auto-(generated|replied)/.test(autoSubmitted)],
    ["failure_subject", !replied && SUBJECT.test(subject)],
    ["failure_words", BODY.test(notice.text.slice(0, 8_000))],
    ["smtp_reply", codes.reply !== "" && !codes.reply.startsWith("2")],
    ["status_code", codes.status !== ""],
    ["returned_message", mail.original !== null],
    ["failed_recipients", fieldValue(mail.headers, "x-failed-recipients") !== ""],
  ];
  const evidence = checks.filter(([, holds]) => holds).map(([name]) => name);
  return {
    evidence,
    fromSystem: evidence.some((name) => /^(null_sender|daemon|report_type|failed_rec)/.test(name)),
  };
}

/** Whether a mail comes from a mail system, by its name or its address. */
export function isMailSystem({
  from,
  returnPath,
}: Pick<InboundMail, "from" | "returnPath">): boolean {
  return (
    DAEMON.test(localPart(from?.email ?? "")) ||
    DAEMON.test(localPart(returnPath ?? "")) ||
    DAEMON_NAME.test(from?.name ?? "")
  );
}

const localPart = (address: string): string => address.replace(/@[^@]*$/, "");
