import type { Bounce, BouncedRecipient } from "./bounce-kinds.ts";
import { refusalReason } from "#src/domain/people/refusals/reason.ts";
import { bounceSigns, type Signs } from "./bounce-signs.ts";
import { readDeliveryStatus } from "./delivery-status.ts";
import type { InboundMail, RecipientReport } from "./inbound-mail.ts";
import { readListRefusal } from "./list-refusal.ts";
import { noticeRecipients, textsAbout } from "./notice-recipients.ts";
import { noticeOf, smtpCodes, type Notice } from "./notice.ts";

const MAX_DIAGNOSTIC = 1_000;

/** The mail as a bounce, or null. A person's mail that forwards or quotes a bounce is none. */
export function readBounce(mail: InboundMail): Bounce | null {
  const notice = noticeOf(mail);
  const signs = bounceSigns(mail, notice);
  if (mail.wrapped && isWrapper(signs)) {
    const inner = readBounce(mail.wrapped);
    return inner && { ...inner, evidence: ["wrapped", ...inner.evidence, ...signs.evidence] };
  }
  const status = mail.deliveryStatus ?? (signs.fromSystem ? statusInText(mail) : null);
  const reported = status?.recipients.filter(
    ({ action, status: code }) => action !== "" || code !== "",
  );
  if (reported && reported.length > 0 && signs.fromSystem) {
    const finished = reported.filter(({ action }) => /^(delivered|relayed|expanded)$/.test(action));
    if (finished.length === reported.length)
      return {
        class: "delivered",
        format: "report",
        recipients: [],
        evidence: ["action:delivered"],
      };
    const recipients = reported
      .filter((report) => !finished.includes(report))
      .map((report, _, all) => fromReport(report, noticeAbout(report, all, notice)));
    const waiting = recipients.every(({ kind }) => kind === "delayed");
    return {
      class: waiting ? "delayed" : "bounce",
      format: "report",
      recipients,
      evidence: ["delivery_status", ...signs.evidence],
    };
  }
  const refused = readListRefusal(mail, notice);
  if (refused) return refused;
  return isNotice(signs) ? fromNotice(mail, notice, signs.evidence) : null;
}

/** A person who attaches a report forwards it. */
const isWrapper = ({ evidence, fromSystem }: Signs): boolean =>
  fromSystem ||
  (evidence.includes("failure_subject") &&
    evidence.some((name) => /^(auto_submitted|robot)$/.test(name)));

const WORDS = /^(failure_|smtp_reply|status_code|failed_rec|report_type)/;

/** Without a report it takes a mail system's name and its words, or a great many words. */
function isNotice({ evidence, fromSystem }: Signs): boolean {
  const words = evidence.filter((name) => WORDS.test(name)).length;
  const has = (name: string) => evidence.includes(name);
  if (fromSystem) return words >= 2 || (words === 1 && (has("daemon") || has("returned_message")));
  return has("failure_subject") && has("failure_words") && has("returned_message");
}

/** Systems that mislabel their report leave its fields in the text. */
function statusInText(mail: InboundMail): InboundMail["deliveryStatus"] {
  const start = mail.text.search(
    /^(reporting-mta|final-recipient|original-recipient|action)\s*:/im,
  );
  if (start === -1 || !/^final-recipient\s*:/im.test(mail.text)) return null;
  const found = readDeliveryStatus(mail.text.slice(start, start + 20_000));
  return found.recipients.length > 0 ? found : null;
}

/** The notice's text about a recipient: all of it, or with several recipients the lines about this one. */
function noticeAbout(
  report: RecipientReport,
  all: readonly RecipientReport[],
  notice: Notice,
): string {
  const others = all.flatMap(({ recipient }) => recipient ?? []);
  if (new Set(others).size < 2) return notice.text;
  const named = [report.recipient, report.originalRecipient];
  const found = textsAbout(others, notice).find(({ recipient }) => named.includes(recipient));
  return found?.text || (found?.around ?? "");
}

function fromReport(report: RecipientReport, notice: string): BouncedRecipient {
  const codes = smtpCodes(report.diagnostic || notice);
  // The remote system's own code is nearer to the reason than the reporting system's summary.
  const status =
    codes.status === "" || isVague(codes.status) ? report.status || codes.status : codes.status;
  const reason = refusalReason({
    format: "report",
    status,
    reply: codes.reply,
    diagnostic: report.diagnostic,
    notice,
  });
  return {
    recipient: report.recipient,
    originalRecipient: report.originalRecipient,
    ...reason,
    kind: report.action === "delayed" ? "delayed" : reason.kind,
    status,
    reply: codes.reply,
    diagnostic: report.diagnostic.slice(0, MAX_DIAGNOSTIC),
  };
}

const isVague = (status: string): boolean => /^[45]\.(0|5)\.0$/.test(status);

function fromNotice(mail: InboundMail, notice: Notice, evidence: readonly string[]): Bounce {
  const isWarning =
    /\b(delayed|warning|will (keep|continue) (to )?try|still (trying|attempting)|not yet been delivered|will be retried|no action is required)/i;
  const found = noticeRecipients(mail, notice);
  const waiting =
    isWarning.test(`${mail.subject}\n${notice.text}`) &&
    !/permanent|given? up|giving up|returned to|has failed|failed permanently|undeliverable|will not be retried/i.test(
      notice.text,
    ) &&
    smtpCodes(notice.text).reply[0] !== "5";
  const recipients = found.map(({ recipient, text, around }): BouncedRecipient => {
    const codes = smtpCodes(text);
    const all = codes.reply === "" && codes.status === "" ? smtpCodes(around) : codes;
    const reason = refusalReason({
      format: "notice",
      ...all,
      diagnostic: text,
      notice: around,
    });
    return {
      recipient,
      originalRecipient: null,
      ...reason,
      kind: waiting ? "delayed" : reason.kind,
      ...all,
      diagnostic: text.trim().slice(0, MAX_DIAGNOSTIC),
    };
  });
  return { class: waiting ? "delayed" : "bounce", format: "notice", recipients, evidence };
}

/** The gravest kind among the recipients: one hard bounce counts, with or without soft ones. */
export function gravestKind(recipients: readonly BouncedRecipient[]): BouncedRecipient["kind"] {
  const order = ["hard", "soft", "policy", "delayed"] as const;
  return order.find((kind) => recipients.some((each) => each.kind === kind)) ?? "soft";
}

/** Why it came back, as the first recipient's report says: status and words, 500 characters at most. */
export const reasonOf = (recipients: readonly BouncedRecipient[]): string => {
  const [first] = recipients;
  if (first === undefined) return "It came back.";
  const words = first.diagnostic || first.category.replaceAll("_", " ");
  return `${first.status} ${words}`.trim().slice(0, 500);
};
