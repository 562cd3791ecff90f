import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Db } from "#db/base/client.ts";
import {
  createPostgresStore,
  loadContexts,
  type SendContext,
  type SendOutcome,
} from "#db/engine/index.ts";
import {
  describeRestored,
  markKnown,
  type MarkedSend,
  markRestored,
  restoredReason,
  type WrittenMail,
} from "#db/engine/restored.ts";
import {
  endRestoredHolds,
  restoredLeads,
  type RestoredSend,
  restoredSends,
} from "#db/engine/restored-list.ts";
import { markRestoredJobs, restoredEmails, sendEmailsAgain } from "#db/engine/restored-jobs.ts";
import { confirmEmailSent } from "#db/messages/email-delivery.ts";
import { NO_WORKER, nextStepOf } from "#src/domain/engine/outcome.ts";
import { record } from "#src/domain/engine/record.ts";
import { rollOverDue } from "#src/domain/engine/upkeep.ts";
import { campaignMessageId } from "#src/domain/messages/email-channel.ts";
import { writeStep } from "#src/domain/messages/write-step.ts";
import { Refusal } from "./refusal.ts";
import { eraseAgain, suppressAgain } from "./restored-people.ts";

export interface RestoredOptions {
  since?: string | undefined;
  campaign?: string | undefined;
  log?: string | undefined;
  suppress?: string | undefined;
  list: boolean;
  erased?: boolean | undefined;
  sent: boolean;
  again: boolean;
}

const HOW = `restored wants one of
  --since TIME [--campaign ID]   what may have gone out since that time becomes unknown
  --suppress FILE                its addresses, one a line, in each workspace that knows them
  --erased                       erases again whom a hash says to have been erased
  --list                         what nobody has settled yet
  --log FILE                     what the relay's log names by its Message-ID has gone out
  --sent ID..., --again ID...    it has gone out; it has not, and is sent again`;

/** After a database was restored (docs/operating.md). */
export function restored(
  db: Db,
  ids: string[],
  options: RestoredOptions,
  now: Date,
): Promise<string> {
  const { since, campaign, log, suppress, list, erased, sent, again } = options;
  const texts = [since, log, suppress].filter((text) => text !== undefined);
  if (texts.length + [list, erased, sent, again].filter(Boolean).length !== 1)
    throw new Refusal(HOW);
  if (since !== undefined) return mark(db, since, campaign ?? null, now);
  if (log !== undefined) return readLog(db, log, now);
  if (suppress !== undefined) return suppressAgain(db, suppress, now);
  if (erased) return eraseAgain(db, now);
  if (list) return listed(db);
  if (ids.length === 0) throw new Refusal(HOW);
  return settle(db, ids, sent, now);
}

async function mark(db: Db, text: string, campaignId: string | null, now: Date): Promise<string> {
  const since = new Date(text);
  if (!/T.*(Z|[+-]\d\d:?\d\d)$/.test(text) || !(since < now))
    throw new Refusal("--since wants a time that has passed, with its zone: 2026-11-23T14:05:00Z.");
  const before = (await restoredSends(db, null)).filter(
    (send) => send.reason === restoredReason(since) && [null, send.campaignId].includes(campaignId),
  );
  if (before.length > 0) return finish(db, before);
  // Before the sends, by which a later run knows that this was done; once more it changes nothing.
  const jobs = campaignId === null ? await markRestoredJobs(db, { since, now }) : null;
  // What may have gone out counts for the day that it is now.
  await rollOverDue(createPostgresStore(db), now, now, new Set());
  const marked = await markRestored(db, { since, now, campaignId });
  await describe(db, marked);
  const lines = [
    `${marked.length} messages and actions may have gone out since; they are unknown.`,
  ];
  if (jobs !== null)
    lines.push(
      `${jobs.emails} single messages are unknown; of ${jobs.posts} posts the network is asked.`,
      ...jobs.started.map((campaign) => `It may have started, and waits for a person: ${campaign}`),
    );
  return lines.join("\n");
}

/** A run that ended behind its marks left mails that no log and no answer can name. */
async function finish(db: Db, marked: readonly RestoredSend[]): Promise<string> {
  const left = marked
    .filter(({ kind, messageId }) => kind === "email" && messageId === null)
    .map(({ id }) => ({ id, isMail: true }));
  if (left.length === 0)
    throw new Refusal("That was done before: --list has what is not settled yet.");
  await describe(db, left);
  return `That was begun before, and is done now: the last ${left.length} of ${marked.length} messages and actions that are unknown are described.`;
}

/** A mail is written the same whenever it is written; only a text that a model wrote since is not there any more. */
async function describe(db: Db, marked: readonly MarkedSend[]): Promise<void> {
  const ids = marked.filter(({ isMail }) => isMail).map(({ id }) => id);
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const contexts = await loadContexts(db, ids.slice(from, from + AT_ONCE));
    await describeRestored(db, await Promise.all(contexts.map(written)));
  }
}

async function written(context: SendContext): Promise<WrittenMail> {
  const { sendId: id, lead, step, alias } = context;
  const host = alias.email.split("@")[1]!;
  const messageId = await campaignMessageId(lead.campaignLeadId, step.step, host);
  const text = await writeStep(context);
  const { subject, variantLabel } = text.ok
    ? { subject: text.subject, variantLabel: text.variant.label }
    : { subject: null, variantLabel: null };
  return { id, messageId, subject, variantLabel };
}

async function listed(db: Db): Promise<string> {
  const sends = await restoredSends(db, null);
  const lines = [
    ...sends.map((send) => [
      send.id,
      send.address ?? "-",
      `step ${send.step} of ${send.campaign}`,
      send.messageId === null ? "the network is asked" : `<${send.messageId}>`,
    ]),
    ...(await restoredLeads(db, null)).map((lead) => [
      lead.id,
      lead.address ?? "-",
      `step ${lead.step} of ${lead.campaign}`,
      "the lead waits: this step may have gone out, too",
    ]),
    ...(await restoredEmails(db, null)).map((email) => [
      email.id,
      email.toEmail,
      "a single message",
      `<${email.messageId}>`,
    ]),
  ];
  return lines.length === 0
    ? "Everything is settled."
    : lines.map((each) => each.join("  ")).join("\n");
}

/** Whatever the form of the log: our Message-IDs begin with 32 hexadecimal digits, or are known word by word. */
async function readLog(db: Db, file: string, now: Date): Promise<string> {
  const sends = (await restoredSends(db, null)).filter(({ messageId }) => messageId !== null);
  const emails = await restoredEmails(db, null);
  const byName = new Map<string, string>();
  for (const { id, messageId } of [...sends, ...emails]) byName.set(localPart(messageId!), id);
  const found = new Set<string>();
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  for await (const line of lines)
    for (const [local] of line.matchAll(/[\w.+-]+(?=@)/g)) {
      const id = byName.get(local);
      if (id !== undefined) found.add(id);
    }
  if (found.size > 0) await settle(db, [...found], true, now);
  const left = byName.size - found.size;
  return `${found.size} are in the log and have gone out; of ${left} it says nothing.`;
}

const localPart = (messageId: string): string => messageId.slice(0, messageId.lastIndexOf("@"));

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function settle(db: Db, ids: string[], isSent: boolean, now: Date): Promise<string> {
  const stranger = ids.find((id) => !UUID.test(id));
  if (stranger !== undefined) throw new Refusal(`${stranger} is not an id of --list.`);
  const sends = await restoredSends(db, ids);
  const leads = await restoredLeads(db, ids);
  const emails = await restoredEmails(db, ids);
  const known = new Set([...sends, ...leads, ...emails].map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id.toLowerCase()));
  if (unknown !== undefined)
    throw new Refusal(`${unknown} is none of --list; nothing was changed.`);
  const leadIds = leads.map(({ id }) => id);
  const emailIds = emails.map(({ id }) => id);
  if (isSent) {
    for (const id of emailIds) await confirmEmailSent(db, id, now);
    const after = leadIds.length === 0 ? [] : await markKnown(db, { now, leadIds });
    await describe(db, after);
    const further = await restoredSends(
      db,
      after.map(({ id }) => id),
    );
    await end(
      db,
      now,
      [...sends, ...further].map((send) => gone(send)),
    );
    return `${ids.length} have gone out.`;
  }
  await sendEmailsAgain(db, emailIds, now);
  // What comes behind a step that did not go out did not either.
  await endRestoredHolds(db, [...leadIds, ...sends.map((send) => send.campaignLeadId)], now);
  await end(
    db,
    now,
    sends.map((send) => back(send, now)),
  );
  return `${ids.length} are sent again, as soon as it is their turn.`;
}

const gone = (send: RestoredSend): SendOutcome => ({
  id: send.id,
  kind: "confirmed",
  reason: "The operator knows that it has gone out.",
  ...nextStepOf(send.step, send.slotAt, send),
});

const back = ({ id }: RestoredSend, now: Date): SendOutcome => ({
  id,
  kind: "retry",
  reason: "The operator knows that it has not gone out.",
  retryAt: now,
  attemptSpent: false,
  lane: "none",
  lookedUp: true,
});

const AT_ONCE = 500;

async function end(db: Db, now: Date, outcomes: SendOutcome[]): Promise<void> {
  const store = createPostgresStore(db);
  for (let from = 0; from < outcomes.length; from += AT_ONCE)
    await record(store, now, NO_WORKER, outcomes.slice(from, from + AT_ONCE));
}
