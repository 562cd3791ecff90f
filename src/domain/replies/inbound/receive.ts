import { hasIdentity, hasInbound, recordInbound } from "#db/replies/inbound.ts";
import type { SentMessage } from "#db/replies/sent-messages.ts";
import type { Deps } from "#src/deps.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { asAuthored } from "./authorship.ts";
import { classifyInbound, type Inbound } from "./classify.ts";
import { takeEffect } from "./effects.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { findSent, type InboundEnvelope, type MailboxScope, type Match } from "./find-sent.ts";
import type { MatchKey } from "./matching.ts";
import { takeOldOptOut } from "./old-opt-out.ts";
import { parseInbound } from "./parse.ts";
import { takePlacementBounce } from "./placement-bounce.ts";
import { REFUSALS } from "#src/domain/senders/reports/refusals.ts";
import {
  isForReports,
  type ReportOutcome,
  takeReports,
} from "#src/domain/senders/reports/take-report.ts";
import { takeReturnTest } from "./return-test.ts";

/** The classes of incoming mail, what came of the service's own test mails, and reports on domains. */
export type InboundClass =
  | Inbound["class"]
  | "return_test"
  | "placement_bounce"
  | "report"
  | "report_refused"
  | "failure_report";

export interface InboundResult {
  /** The same mail had come before, and changed nothing now. */
  duplicate: boolean;
  class: InboundClass;
  /** The key by which the sent message was found; null when the mail is about none, and changes nothing. */
  matchedBy: MatchKey["by"] | null;
  /** Why a mail to the address for reports is refused for good, in words for its sender. */
  refused?: string;
}

/**
 * Takes in one mail: reads it, matches it to a sent message, applies its effects.
 * Idempotent by content, and for a matched mail by the parts that stay the same on
 * every delivery path: the same mail twice changes nothing, and a worker that dies
 * on the way leaves nothing that could not be repeated.
 */
export async function receiveMail(
  deps: Deps,
  raw: Uint8Array<ArrayBuffer>,
  envelope: InboundEnvelope,
  scope: MailboxScope | null = null,
): Promise<InboundResult> {
  const { from, to } = envelope;
  if (scope === null && isForReports(to, deps.settings.reportsDomain))
    return resultOf(await takeReports(deps, raw));
  const mail = await parseInbound(raw, from === undefined ? {} : { from });
  const inbound = classifyInbound(mail);
  const contentHash = await hashOf(raw, to, scope);
  const duplicate = { duplicate: true, class: inbound.class, matchedBy: null };
  if (await hasInbound(deps.db, contentHash)) return duplicate;
  const ownTest = await takeOwnTest(deps, mail, inbound, envelope, scope);
  // A failure report holds a message between third parties (RFC 6591): it is kept nowhere.
  const isFailure = inbound.class === "complaint" && inbound.feedbackType === "auth-failure";
  const name = ownTest ?? (isFailure ? "failure_report" : inbound.class);
  const found =
    ownTest !== null || isFailure ? [] : await findSent(deps, mail, inbound, envelope, scope);
  // It leaves no row: what is nobody's in this cell is perhaps a workspace's that is being moved here when it comes again.
  if (found.length === 0 && ownTest === null) {
    if (scope !== null) return { ...duplicate, duplicate: false };
    await takeOldOptOut(deps, mail, inbound, envelope);
    return tell(deps, name, undefined, 0);
  }
  const fresh = await notYetTaken(deps, mail, found);
  if (found.length > 0 && fresh.length === 0) return duplicate;
  for (const match of fresh)
    await takeEffect(deps, { mail, raw, inbound: asAuthored(mail, inbound, match.key), ...match });
  const received = { receivedAt: deps.clock.now(), class: name };
  const [first, ...others] = fresh;
  for (const other of others.filter(({ mayRead }) => mayRead))
    await recordInbound(deps.db, {
      ...received,
      ...rowOf(deps, other),
      contentHash: other.identity,
    });
  // The mail's own row is the last: without it the whole of it is repeated.
  await recordInbound(deps.db, { ...received, ...rowOf(deps, first), contentHash });
  return tell(deps, name, first, others.length);
}

function tell(
  { log }: Deps,
  name: InboundClass,
  first: Match | undefined,
  others: number,
): InboundResult {
  const matchedBy = first?.key.by ?? null;
  log.info("mail_received", {
    class: name,
    matched_by: matchedBy,
    message_id: first?.sent.id ?? null,
    ...(others > 0 && { others }),
  });
  return {
    ...{ duplicate: false, class: name, matchedBy },
    ...(name === "failure_report" && { refused: REFUSALS.failure_report }),
  };
}

function resultOf(outcome: ReportOutcome): InboundResult {
  if (outcome === "taken" || outcome === "duplicate")
    return { duplicate: outcome === "duplicate", class: "report", matchedBy: null };
  const name = outcome === "failure_report" ? outcome : "report_refused";
  return { duplicate: false, class: name, matchedBy: null, refused: REFUSALS[outcome] };
}

/** Which of the service's own tests a mail ends: one of whether replies return, or of where mail lands. */
async function takeOwnTest(
  deps: Deps,
  mail: InboundMail,
  inbound: Inbound,
  envelope: InboundEnvelope,
  scope: MailboxScope | null,
): Promise<"return_test" | "placement_bounce" | null> {
  if (await takeReturnTest(deps, mail.headers, inbound, scope)) return "return_test";
  const isPlacement = await takePlacementBounce(deps, mail, inbound, envelope, scope);
  return isPlacement ? "placement_bounce" : null;
}

type Fresh = Match & { identity: string };

/** A workspace that may not read the mail does not count as having it: its own mailbox may still bring the text. */
const rowOf = ({ ids }: Deps, match: Fresh | undefined) => ({
  id: ids.uuid(),
  identity: match?.mayRead === true ? match.identity : null,
  workspaceId: match?.sent.workspaceId ?? null,
  matchedBy: match?.key.by ?? null,
  messageRowId: match?.sent.id ?? null,
});

/** Those of which the mail has not taken effect by another way. */
async function notYetTaken(deps: Deps, mail: InboundMail, found: Match[]): Promise<Fresh[]> {
  const fresh: Fresh[] = [];
  for (const match of found) {
    const identity = await identityOf(mail, match.sent);
    if (!(await hasIdentity(deps.db, identity))) fresh.push({ ...match, identity });
  }
  return fresh;
}

/**
 * Over the recipient too: the same bytes to two aliases are two mails. So are those that two workspaces read out of one
 * mailbox; that they came to one of them by two ways `identityOf` tells.
 */
const hashOf = async (
  raw: Uint8Array<ArrayBuffer>,
  to: string,
  scope: MailboxScope | null,
): Promise<string> =>
  sha256Hex(
    [...(scope ? [scope.workspaceId] : []), to.toLowerCase(), await sha256Hex(raw)].join("\0"),
  );

/**
 * Over what a mail keeps on every way to us, whatever servers on it add: author, text and date, and what
 * it is about. Not over its Message-ID alone, which is its sender's word.
 */
const identityOf = async (mail: InboundMail, sent: SentMessage): Promise<string> =>
  sha256Hex(
    [
      sent.id,
      mail.messageId ?? mail.text,
      mail.from?.email.toLowerCase() ?? "",
      mail.date?.toISOString() ?? "",
    ].join("\0"),
  );
