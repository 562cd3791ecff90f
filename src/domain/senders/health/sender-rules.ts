import type { HealthSender } from "#db/senders/domain-health.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { hostFault } from "#src/platform/public-host.ts";
import type { DomainRecord } from "../domain-records.ts";
import { repliesReturn, replyAddressOf } from "../replies-return.ts";
import { figure, type HealthRow, list, type Period, quoted, row } from "./row.ts";

const TEST = "POST /api/v1/mailer/aliases/{alias_id}/test";
const emails = (senders: readonly HealthSender[]) => list(senders.map(({ email }) => email));

/** From the oldest of what was seen until now: a test counts until the next one. */
function seenSince(times: readonly (Date | null)[], now: Date): Period {
  const known = times.flatMap((time) => time?.getTime() ?? []);
  return { since: new Date(Math.min(now.getTime(), ...known)), until: now };
}

/** Whether an alias hands its mail over in the clear, by a line that others may read. */
const isInTheClear = ({ transportKind, security, host }: HealthSender): boolean =>
  transportKind === "smtp" &&
  security === "none" &&
  hostFault(host ?? "", { loopback: false }) === null;

/** TLS on the way to the relay by the alias's settings, and from there on as the receiver of its test wrote it down. */
export function tlsRule(senders: readonly HealthSender[], now: Date): HealthRow {
  const clear = senders.filter(isInTheClear);
  const without = senders.filter(({ returnTestTls }) => returnTestTls === false);
  const by = senders.filter(({ returnTestTls }) => returnTestTls === true);
  const period = seenSince(
    [...without, ...by].map(({ returnTestSeenAt }) => returnTestSeenAt),
    now,
  );
  const figures = [
    ...[figure("aliases", senders.length), figure("in_the_clear", clear.length)],
    ...[figure("arrived_by_tls", by.length), figure("arrived_without", without.length)],
  ];
  if (clear.length > 0)
    return row("tls", "failing", `Mail of ${emails(clear)} goes to its relay in the clear.`, {
      ...{ figures, period },
      whatToDo: "Choose the security tls or starttls for these aliases.",
    });
  if (without.length > 0)
    return row(
      "tls",
      "failing",
      `The test of ${emails(without)} came to its mailbox without TLS.`,
      {
        ...{ figures, period },
        whatToDo: "Whoever runs the relay has to let it use STARTTLS; another relay does.",
      },
    );
  if (by.length > 0)
    return row("tls", "ok", `The test of ${emails(by)} came to its mailbox by TLS.`, {
      ...{ figures, period },
    });
  return row(
    "tls",
    "unknown",
    "How relays hand the mail on is seen only by who receives it, and no mailbox that is read here has said it.",
    {
      ...{ figures, period },
      whatToDo: `Test an alias (${TEST}) whose replies go to a mailbox at another provider than its relay's, and let that be read.`,
    },
  );
}

type Home = "yes" | "no" | "broken" | "unknown";
/** An inbox that was not read for so long says nothing. */
const READ_WITHIN_MS = DAY_MS;

function homeOf(sender: HealthSender, now: Date): Home {
  if (sender.inboxBroken === true) return "broken";
  const tested = repliesReturn(sender, now);
  if (tested !== "unknown") return tested;
  // The mailbox that is read may be another than the one to which replies go.
  const mailboxes = [sender.email, sender.inboxUsername].map((each) => each?.toLowerCase());
  if (!mailboxes.includes(replyAddressOf(sender).toLowerCase())) return "unknown";
  const { inboxReadAt } = sender;
  const isRead = inboxReadAt !== null && now.getTime() - inboxReadAt.getTime() < READ_WITHIN_MS;
  return isRead ? "yes" : "unknown";
}

/** Replies come home where the inbox of their address is read, or the alias's test came back. */
export function replyRule(
  senders: readonly HealthSender[],
  { domain, mx, now }: { domain: string; mx: DomainRecord; now: Date },
): HealthRow {
  const period = seenSince(
    senders.map(({ returnTestSeenAt, inboxReadAt }) => inboxReadAt ?? returnTestSeenAt),
    now,
  );
  const of = (home: Home) => senders.filter((sender) => homeOf(sender, now) === home);
  const [lost, broken, untested] = [of("no"), of("broken"), of("unknown")];
  const figures = [
    ...[figure("aliases", senders.length), figure("come_home", of("yes").length)],
    ...[figure("lost", lost.length), figure("broken_inboxes", broken.length)],
    figure("untested", untested.length),
  ];
  const isHere = (sender: HealthSender) =>
    replyAddressOf(sender).toLowerCase().endsWith(`@${domain}`);
  if (["missing", "mismatch"].includes(mx.status) && senders.some(isHere))
    return row(
      "reply_address",
      "failing",
      `${domain} has no mail host, and replies go to addresses there.`,
      {
        ...{ figures, period },
        whatToDo: `Give ${domain} an MX record, or the aliases another reply address.`,
      },
    );
  if (lost.length > 0)
    return row(
      "reply_address",
      "failing",
      `Replies to ${emails(lost)} do not come back: their test was lost.`,
      {
        ...{ figures, period },
        whatToDo: `Forward that mailbox to this service or let it be read (docs/mailboxes.md), then test it: ${TEST}`,
      },
    );
  if (broken.length > 0)
    return row(
      "reply_address",
      "failing",
      `The inbox of ${emails(broken)} cannot be read: ${quoted(broken[0]!.inboxError ?? "its server refuses it")}`,
      { figures, period, whatToDo: "Mend its login.", toldBy: "inbox_broken" },
    );
  if (senders.length > 0 && untested.length === 0)
    return row("reply_address", "ok", `Replies to ${emails(senders)} come back.`, {
      figures,
      period,
    });
  return row(
    "reply_address",
    "unknown",
    senders.length === 0
      ? "No alias sends from the domain."
      : `Whether replies to ${emails(untested)} come back is not known.`,
    {
      ...{ figures, period },
      whatToDo: senders.length === 0 ? "Add a mail alias of the domain." : `Test it: ${TEST}`,
    },
  );
}
