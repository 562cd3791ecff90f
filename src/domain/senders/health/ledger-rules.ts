import type { DomainCounts, SpamDay } from "#db/senders/domain-health.ts";
import { hostFault } from "#src/platform/public-host.ts";
import { GUARDRAILS } from "../guard-rates.ts";
import { gmailSpam } from "./gmail-rule.ts";
import { counted, figure, type HealthRow, percentOf, type Period, row } from "./row.ts";

interface Sent {
  counts: DomainCounts;
  /** Of the unsubscription links. */
  trackingBaseUrl: string;
  period: Period;
}

/** Google's: keep it below the first, never reach the second. Yahoo asks for less than the second. */
const COMPLAINTS_PERCENT = { kept: 0.1, never: 0.3 };
/** So many messages that one complaint alone does not break the rule. */
const COMPLAINTS_FROM = { kept: 1_000, never: 300 };

/** A program that unsubscribes its user posts to an HTTPS address (RFC 8058 section 3.1). */
export function oneClickRule({ counts, trackingBaseUrl, period }: Sent): HealthRow {
  const { sent, unsubscribed, oneClickAt } = counts;
  const figures = [figure("sent", sent), figure("unsubscribed", unsubscribed)];
  const url = new URL(trackingBaseUrl);
  const isPublic = hostFault(url.hostname, { loopback: false }) === null;
  if (url.protocol !== "https:" && isPublic)
    return row(
      "one_click",
      "failing",
      `Unsubscription links begin with ${url.protocol}//, and programs use those of HTTPS alone (RFC 8058).`,
      {
        ...{ figures, period },
        whatToDo: "The operator of this service gives TRACKING_BASE_URL an https address.",
      },
    );
  if (oneClickAt !== null)
    return row(
      "one_click",
      "ok",
      `Mail of this domain was unsubscribed from by one click (RFC 8058), the last time on ${oneClickAt.toISOString().slice(0, 10)}.`,
      { figures, period },
    );
  return row(
    "one_click",
    "unknown",
    sent === 0
      ? "No campaign has sent from the domain in that time."
      : `Each of ${counted(sent, "message")} has the header fields, but nobody has unsubscribed by one click yet.`,
    {
      ...{ figures, period },
      whatToDo:
        "Let a campaign write to a mailbox of your own at Gmail or Yahoo, and press Unsubscribe beside the sender's name there.",
    },
  );
}

/** By Gmail's own figure where there is one, and by the complaints that were heard. */
export function complaintRule({
  counts: { sent, complained },
  spamDays,
  period,
}: Sent & { spamDays: readonly SpamDay[] }): HealthRow {
  const share = percentOf(complained, sent);
  const heard = [
    ...[figure("sent", sent), figure("complaints", complained)],
    figure("complaint_percent", share, COMPLAINTS_PERCENT.kept),
  ];
  const gmail = gmailSpam(spamDays, COMPLAINTS_PERCENT, period.until);
  const figures = [...(gmail?.figures ?? []), ...heard];
  const over = (percent: number, from: number) =>
    sent >= from && complained * 1000 >= sent * 10 * percent;
  const isWorst = over(COMPLAINTS_PERCENT.never, COMPLAINTS_FROM.never);
  const isBad = isWorst || over(COMPLAINTS_PERCENT.kept, COMPLAINTS_FROM.kept);
  const seen = `${counted(complained, "complaint")} on ${counted(sent, "message")} (${share} %)`;
  const isBadAtGmail = gmail !== null && gmail.verdict !== "ok";
  if (isBad || isBadAtGmail) {
    const worst = isWorst || gmail?.verdict === "worst";
    const words = isBadAtGmail && !isWorst ? gmail.seen : seen;
    return row("complaint_rate", "failing", `${words}: ${worst ? TOO_MANY : MANY}.`, {
      ...{ figures, period: isBad || gmail === null ? period : gmail.period },
      whatToDo: worst
        ? "Pause the campaigns of this domain, and write only to people who expect it; it takes seven days below to be heard again."
        : "Write to fewer people, and to those whom it concerns; see by which campaign the complaints came.",
    });
  }
  if (gmail !== null)
    return row("complaint_rate", "ok", `${gmail.seen}.`, { figures, period: gmail.period });
  if (complained > 0 && sent >= COMPLAINTS_FROM.kept)
    return row("complaint_rate", "ok", `${seen}.`, { figures, period });
  return row(
    "complaint_rate",
    "unknown",
    complained === 0
      ? `No complaint has come on ${counted(sent, "message")}. That may be because nobody tells: Gmail sends none, and others only to whom is registered.`
      : `${seen}: it takes ${COMPLAINTS_FROM.kept} to tell.`,
    {
      ...{ figures, period },
      whatToDo:
        "Connect Google's Postmaster Tools (POST /mailer/domains/{id}/postmaster) for Gmail's own figure, and register the domain with Yahoo's complaint feedback loop and Microsoft's JMRP, with an address that this service reads.",
    },
  );
}

const TOO_MANY = `at ${COMPLAINTS_PERCENT.never} % Google helps no sender any more`;
const MANY = `Google wants less than ${COMPLAINTS_PERCENT.kept} %`;

export function bounceRule({ counts: { sent, bounced }, period }: Sent): HealthRow {
  const { minimumSends, bouncesPerThousand } = GUARDRAILS;
  const share = percentOf(bounced, sent);
  const figures = [
    ...[figure("sent", sent, minimumSends), figure("bounced", bounced)],
    figure("bounce_percent", share, bouncesPerThousand / 10),
  ];
  const seen = `${bounced} of ${counted(sent, "message")} came back for good (${share} %)`;
  if (sent < minimumSends)
    return row("bounce_rate", "unknown", `${seen}: it takes ${minimumSends} to tell.`, {
      ...{ figures, period },
      whatToDo: "Nothing: it is known once more was sent.",
    });
  if (bounced * 1000 < sent * bouncesPerThousand)
    return row("bounce_rate", "ok", `${seen}.`, { figures, period });
  return row("bounce_rate", "failing", `${seen}; ${bouncesPerThousand / 10} % is too much.`, {
    ...{ figures, period },
    whatToDo:
      "Verify the addresses before you write to them, and leave out those that are invalid.",
  });
}
