import type { DmarcReporter, DmarcSource, DmarcDay } from "#db/senders/reports.ts";
import type { SeenReverse } from "#db/schema/index.ts";
import { ENOUGH, NOTICED_SHARE } from "../reports/next-step.ts";
import { resultType } from "../reports/tls-report.ts";
import {
  atOnce,
  counted,
  figure,
  type HealthRow,
  list,
  percentOf,
  type Period,
  quoted,
  row,
} from "./row.ts";

interface Reported {
  domain: string;
  /** Whether this deployment takes reports. */
  takesReports: boolean;
  sources: readonly DmarcSource[];
  reporters: readonly DmarcReporter[];
  days: readonly DmarcDay[];
  tls: readonly { result: string; sessions: number; reporters: number }[];
  reverseDns: readonly SeenReverse[] | null;
  reverseCheckedAt: Date | null;
  period: Period;
}

/** The rules that only receivers can say something about, by their reports. */
export const reportRules = (
  reported: Reported,
): Record<"alignment" | "reverse" | "replies", HealthRow> => ({
  alignment: alignmentRule(reported),
  reverse: reverseRule(reported),
  replies: repliesRule(reported),
});

const NO_REPORTS =
  "The operator of this service sets REPORTS_DOMAIN, so that receivers can report.";
const wayOf = ({ domain, takesReports }: Reported): string =>
  takesReports
    ? `See that the record at _dmarc.${domain} has the rua that the domain's records show; receivers report once a day.`
    : NO_REPORTS;

function alignmentRule(reported: Reported): HealthRow {
  const { sources, reporters, days, period } = reported;
  const sum = (name: "messages" | "aligned" | "ours" | "forwarded") =>
    days.reduce((total, day) => total + day[name], 0);
  const [messages, aligned] = [sum("messages"), sum("aligned")];
  const lost = sources.filter(
    (source) =>
      (source.isOurs || source.operator !== "") && failedOf(source) > NOTICED_SHARE * messages,
  );
  const failed = lost.reduce((total, source) => total + failedOf(source), 0);
  const figures = [
    ...[
      figure("reporters", reporters.length, ENOUGH.reporters),
      figure("messages", messages, ENOUGH.messages),
    ],
    ...[
      figure("aligned", aligned),
      figure("ours", sum("ours")),
      figure("forwarded", sum("forwarded")),
    ],
    figure("failed_percent", percentOf(failed, messages), 100 * NOTICED_SHARE),
  ];
  if (reporters.length < ENOUGH.reporters || messages < ENOUGH.messages)
    return row(
      "dmarc_alignment",
      "unknown",
      `${counted(reporters.length, "receiver")} reported ${counted(messages, "message")}: it takes ${ENOUGH.reporters} and ${ENOUGH.messages} to tell.`,
      { figures, period, whatToDo: wayOf(reported) },
    );
  if (lost.length === 0)
    return row(
      "dmarc_alignment",
      "ok",
      `${aligned} of ${messages} messages passed DMARC as ${counted(reporters.length, "receiver")} saw it; of no sender with a name more than ${100 * NOTICED_SHARE} % fail.`,
      { figures, period },
    );
  const names = list(
    lost.map(({ isOurs, operator }) => (isOurs ? "this service" : quoted(operator))),
  );
  return row(
    "dmarc_alignment",
    "failing",
    `${failed} of ${messages} messages in the domain's name did not pass DMARC at their receivers. They came from ${names}.`,
    {
      figures,
      period,
      whatToDo: `Let each sign with DKIM for ${reported.domain}, or send by a subdomain of its own; what this service sends fails where something on its way changes it: see which relay.`,
    },
  );
}

const failedOf = ({ messages, aligned, forwarded }: DmarcSource) => messages - aligned - forwarded;

function reverseRule(reported: Reported): HealthRow {
  const { reverseDns: seen, reverseCheckedAt } = reported;
  const period = atOnce(reverseCheckedAt);
  if (seen === null || seen.length === 0)
    return row(
      "reverse_dns",
      "unknown",
      "From which addresses the domain's mail comes to its receivers is seen in their DMARC reports, and none has named one of ours yet.",
      { period, whatToDo: wayOf(reported) },
    );
  const of = (...statuses: SeenReverse["status"][]) =>
    seen.filter(({ status }) => statuses.includes(status));
  const bad = of("missing", "mismatch");
  const figures = [
    figure("addresses", seen.length),
    figure("confirmed", of("ok").length),
    figure("without_answer", of("unknown").length),
  ];
  if (bad.length > 0)
    return row("reverse_dns", "failing", `${bad.slice(0, 3).map(wordsOf).join(" ")}`, {
      figures,
      period,
      whatToDo: `Whoever runs the relay at ${list(bad.map(({ address }) => address))} has to give it a PTR record with a name whose A or AAAA record is that address; another relay has one.`,
    });
  if (of("unknown").length > 0)
    return row(
      "reverse_dns",
      "unknown",
      `DNS gave no answer about ${list(of("unknown").map(({ address }) => address))}.`,
      { figures, period, whatToDo: "Let the domain be verified again in a few minutes." },
    );
  return row(
    "reverse_dns",
    "ok",
    `The addresses that send the domain's mail have names that lead back to them: ${list(seen.map(({ address, names }) => `${address} is ${quoted(names[0] ?? "")}`))}.`,
    { figures, period },
  );
}

const wordsOf = ({ address, names, status }: SeenReverse): string =>
  status === "missing"
    ? `${address} has no PTR record.`
    : `${address} is named ${list(names.map(quoted))}, which does not lead back to it.`;

/** Of all sessions: less is a sender's own trouble. */
const FAILED_SESSIONS_PERCENT = 1;

function repliesRule(reported: Reported): HealthRow {
  const { tls, domain, period } = reported;
  const total = tls.reduce((sum, { sessions }) => sum + sessions, 0);
  const failures = tls.filter(({ result }) => result !== "successful");
  const failed = failures.reduce((sum, { sessions }) => sum + sessions, 0);
  const share = percentOf(failed, total);
  const reporters = tls[0]?.reporters ?? 0;
  const figures = [
    figure("reporters", reporters, ENOUGH.reporters),
    figure("sessions", total, ENOUGH.messages),
    figure("failed", failed),
    figure("failed_percent", share, FAILED_SESSIONS_PERCENT),
  ];
  if (reporters < ENOUGH.reporters || total < ENOUGH.messages)
    return row(
      "tls_replies",
      "unknown",
      total === 0
        ? "No report on TLS to the domain's own mail hosts has come (RFC 8460)."
        : `${counted(reporters, "receiver")} reported ${counted(total, "session")}: it takes ${ENOUGH.reporters} and ${ENOUGH.messages} to tell.`,
      {
        figures,
        period,
        whatToDo: reported.takesReports
          ? `Add a TXT record at _smtp._tls.${domain}: v=TLSRPTv1; rua=mailto: and the address that the domain's DMARC record names.`
          : NO_REPORTS,
      },
    );
  if (share < FAILED_SESSIONS_PERCENT)
    return row("tls_replies", "ok", `${failed} of ${total} sessions of others failed in TLS.`, {
      ...{ figures, period },
    });
  return row(
    "tls_replies",
    "failing",
    `${failed} of ${total} sessions of others to the domain's mail hosts failed in TLS, by ${list(failures.map(({ result }) => resultType(result)))}: replies may be lost.`,
    {
      figures,
      period,
      whatToDo: `Mend the certificates and names of the mail hosts of ${domain}, and its MTA-STS policy where it has one.`,
    },
  );
}
