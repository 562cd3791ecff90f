import { cameBack } from "#db/campaigns/feedback.ts";
import { slowPair } from "#db/engine/operator-rates.ts";
import { recordUnsubscribe } from "#db/messages/tracking.ts";
import {
  addIncoming,
  hasIdentity,
  POSSIBLE_OPT_OUT,
  recordInbound,
  restSender,
  returnedFrom,
} from "#db/replies/inbound.ts";
import type { SentMessage } from "#db/replies/sent-messages.ts";
import type { ReplyIntent } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { emailKey } from "#src/mime/email-key.ts";
import { rawToKeep } from "#src/domain/replies/conversations/raw.ts";
import { applyFeedback } from "#src/domain/replies/feedback/apply.ts";
import { BLAMED, isPolicy, OPERATORS_IN_A_ROW } from "#src/domain/people/refusals/categories.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import type { AutoReply } from "./auto-reply.ts";
import type { Bounce, BouncedRecipient } from "./bounce-kinds.ts";
import { gravestKind, reasonOf } from "./bounce.ts";
import type { Inbound, Reply } from "./classify.ts";
import { isComplaint } from "./complaint.ts";
import type { InboundMail } from "./inbound-mail.ts";
import { readIntent } from "./intent.ts";
import type { Match } from "./find-sent.ts";
import { maySuppress } from "./matching.ts";

export interface Matched extends Match {
  mail: InboundMail;
  raw: Uint8Array;
  inbound: Inbound;
  /** The same on every way that the mail may come by. */
  identity: string;
}

/** Receivers that refuse a sender by policy are left alone for this long. */
const POLICY_REST_MS = 6 * 3_600_000;
/** A return date further off is ignored: it holds no step back. */
const LONGEST_ABSENCE_MS = 366 * DAY_MS;

/** Applies an incoming mail to ledger, lead, suppression, sender and conversation. Safe to repeat. */
export async function takeEffect(deps: Deps, matched: Matched): Promise<void> {
  const { inbound, key, sent } = matched;
  switch (inbound.class) {
    case "bounce":
      if (maySuppress(key)) await bounced(deps, sent, inbound);
      return;
    case "complaint":
      if (isComplaint(inbound) && maySuppress(key)) await applyFeedback(deps, sent, "complaint");
      return;
    case "reply":
      if (matched.mayRead) await keep(deps, matched, replyClass(inbound), !inbound.byProgram);
      if (inbound.byProgram) return optedOut(deps, sent);
      // An opt-out in words is a reply, too.
      if (inbound.optOut === "stop") await optedOut(deps, sent);
      return applyFeedback(deps, sent, "reply");
    case "auto_reply":
    case "challenge":
    case "out_of_office":
    case "left_company":
      if (matched.mayRead) await keep(deps, matched, inbound.class, false);
      return autoReplied(deps, matched, inbound);
    case "automated":
      return keep(deps, matched, "automated", false);
    // No failure, and no text of a person.
    case "delayed":
    case "delivered":
      return;
  }
}

/** Of a single mail no row of a campaign has the fact: it is noted as by the link. */
async function optedOut(deps: Deps, sent: SentMessage): Promise<void> {
  await applyFeedback(deps, sent, "unsubscribe");
  if (sent.kind === "campaign") return;
  const { db, ids, clock } = deps;
  const event = { eventId: ids.uuid(), isOneClick: false, now: clock.now() };
  await recordUnsubscribe(db, sent, event);
}

/** A doubtful opt-out suppresses no address: the conversation shows it to a user. */
const replyClass = ({ optOut }: Reply): string =>
  optOut === "perhaps" ? POSSIBLE_OPT_OUT : "reply";

async function bounced(deps: Deps, sent: SentMessage, bounce: Bounce): Promise<void> {
  const about = bounce.recipients.filter(
    ({ recipient, originalRecipient }) =>
      [recipient, originalRecipient].some((each) => each && emailKey(each) === sent.emailKey) ||
      (recipient === null && originalRecipient === null),
  );
  // A report on a forwarding address names another recipient than the message's.
  const recipients = about.length > 0 ? about : bounce.recipients;
  const kind = gravestKind(recipients);
  const reason = reasonOf(recipients);
  switch (kind) {
    case "hard":
      return applyFeedback(deps, sent, "hard_bounce", { reason });
    case "soft":
      if (recipients.some(({ category }) => isPolicy(category))) await slow(deps, sent, reason);
      // As the same words of a relay at RCPT do.
      if (recipients.some(isDisabled))
        return applyFeedback(deps, sent, "hard_bounce", { reason, gone: "disabled" });
      return applyFeedback(deps, sent, "soft_bounce");
    case "policy": {
      const isSlowed = await slow(deps, sent, reason);
      // Not the recipient's fault: the recipient keeps its place. A report that comes again shows nothing new.
      if (!(await hasComeBack(deps, sent)) && (await isOfSender(deps, sent, recipients, isSlowed)))
        await rest(deps, sent, reason);
      return applyFeedback(deps, sent, "soft_bounce");
    }
    case "delayed":
      return;
  }
}

/** Of a domain's mail the pair with the operator slows down, from now on; false where there is none. */
const slow = (deps: Deps, { id }: SentMessage, reason: string): Promise<boolean> =>
  slowPair(deps.db, { messageId: id, reason, now: deps.clock.now() });

/** Several operators refuse so; of an address without a domain of ours already a refusal that names the sender, or spam. */
async function isOfSender(
  { db, clock }: Deps,
  { laneId, emailKey: key }: SentMessage,
  recipients: readonly BouncedRecipient[],
  isSlowed: boolean,
): Promise<boolean> {
  const isNamed = recipients.some(
    ({ category }) => category === "spam" || BLAMED[category] === "sender",
  );
  if (isNamed && !isSlowed) return true;
  const since = new Date(clock.now().getTime() - DAY_MS);
  return (await returnedFrom(db, { laneId, emailKey: key, since })) + 1 >= OPERATORS_IN_A_ROW;
}

/** Else the recipient of one message could keep its sender at rest by writing report after report. */
const hasComeBack = async ({ db }: Deps, sent: SentMessage): Promise<boolean> =>
  sent.kind === "campaign" ? cameBack(db, sent.id) : hasIdentity(db, await restOf(sent));

/** Of a single message no row of a campaign has the fact: its sender's rest is noted beside the mails. */
const restOf = ({ id }: SentMessage): Promise<string> => sha256Hex(`rest:${id}`);

async function rest(deps: Deps, sent: SentMessage, reason: string): Promise<void> {
  const now = deps.clock.now();
  const until = new Date(now.getTime() + POLICY_REST_MS);
  await restSender(deps.db, { laneId: sent.laneId, until, reason, now });
  if (sent.kind === "campaign") return;
  const identity = await restOf(sent);
  const { workspaceId, id: messageRowId } = sent;
  const row = { id: deps.ids.uuid(), receivedAt: now, class: "bounce", workspaceId, messageRowId };
  await recordInbound(deps.db, { ...row, contentHash: identity, identity });
}

/** A mailbox that was disabled, and not only for now (4.2.1). */
const isDisabled = ({ category, kind, status, reply }: BouncedRecipient): boolean =>
  category === "disabled" && kind === "soft" && !(status || reply).startsWith("4");

async function autoReplied(deps: Deps, { mail, sent }: Matched, auto: AutoReply): Promise<void> {
  if (auto.class === "left_company")
    return applyFeedback(deps, sent, "left_company", {
      ...(auto.newContact !== null && { reason: `It names ${auto.newContact} instead.` }),
    });
  const now = deps.clock.now();
  const at = mail.date ?? now;
  // A date yet to come is a wrong clock's, or a lie: the day back was told by it, and may be months or years away.
  const back = at.getTime() > now.getTime() + DAY_MS ? null : auto.returnsOn;
  const backAt =
    back !== null && back > at && back.getTime() - at.getTime() <= LONGEST_ABSENCE_MS
      ? new Date(back.getTime() + DAY_MS)
      : undefined;
  return applyFeedback(deps, sent, "auto_reply", backAt === undefined ? {} : { backAt });
}

const intentOf = (inbound: Inbound): ReplyIntent | null =>
  inbound.class === "reply" && !inbound.byProgram ? readIntent(inbound.text, inbound.optOut) : null;

async function keep(
  deps: Deps,
  { mail, raw, inbound, identity, sent }: Matched,
  name: string,
  unread: boolean,
): Promise<void> {
  const now = deps.clock.now();
  await addIncoming(deps.db, sent, {
    id: deps.ids.uuid(),
    conversationId: deps.ids.uuid(),
    class: name,
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo[0] ?? null,
    fromEmail: mail.from?.email ?? "",
    // As they are compared: an erasure finds them by it.
    toEmails: mail.to.map(({ email }) => emailKey(email) ?? email),
    subject: mail.subject,
    text: inbound.class === "reply" ? inbound.text : mail.text,
    html: mail.html,
    intent: intentOf(inbound),
    raw: rawToKeep(deps, raw),
    // Its own date is its sender's word: the order of a thread does not hang on it.
    sentAt: now,
    dedupKey: `inbound:${identity}`,
    unread,
    now,
  });
  if (unread) deps.wakeOutbox();
}
