import { type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { lockSuppressionsStatement } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { domainOfKey } from "../schema/index.ts";
import { suppressStatement } from "../people/suppressions.ts";
import { saveMessageStatements, type NetworkMessage, type Thread } from "./messages.ts";
import type { PersonLead } from "../base/fragments/person-leads.ts";
import { endLeadsStatement } from "../base/fragments/lead-end.ts";

export interface ReplyEffects {
  /** The campaign leads under which the workspace writes to the person; the first is the one that is answered. */
  leads: readonly PersonLead[];
  /** Leads of that domain end in the answered campaign too. */
  companyDomain: string | null;
  /** Null without an opt-out; else every known address of the person, to be suppressed. Their leads end everywhere. */
  optOut: readonly { id: string; value: string; valueHash: string }[] | null;
}

/** Saves a person's message and applies its effects, in one transaction. Answers in which campaigns leads ended. */
export async function saveReply(
  db: Db,
  thread: Thread,
  message: NetworkMessage,
  effects: ReplyEffects,
): Promise<string[]> {
  const [, , , , , ended] = await commit(db, [
    lockSuppressionsStatement(db, thread.account.workspaceId),
    ...saveMessageStatements(db, thread, message),
    noteFacts(db, message, effects),
    endLeads(db, thread, message, effects),
    ...(effects.optOut ?? []).map((address) => suppress(db, thread, message, address)),
  ]);
  return ended.rows.map(({ campaign_id: id }) => id);
}

/** Marks the leads' last sends as replied to, or unsubscribed; the first time counts. */
function noteFacts(db: Db, { now }: NetworkMessage, { leads, optOut }: ReplyEffects): Statement {
  const at = instantParam(now);
  return db.execute(sql`
    update sends
    set replied_at = coalesce(replied_at, ${at}), unsubscribed_at = ${optOut === null ? sql`unsubscribed_at` : sql`coalesce(unsubscribed_at, ${at})`},
        updated_at = ${at}
    where id = ${leads[0]?.sendId ?? null}`);
}

/** Ends leads as a reply by mail does: in campaigns that end on a reply, and after an opt-out everywhere. */
function endLeads(
  db: Db,
  { account }: Thread,
  { now }: NetworkMessage,
  { leads, companyDomain, optOut }: ReplyEffects,
) {
  const isPerson = sql`l.id = any(${sql.param(leads.map(({ id }) => id))}::uuid[])`;
  const status = sql`case when ${isPerson} and ${optOut !== null} then 'unsubscribed' else 'replied' end`;
  const isColleague: SQL =
    companyDomain === null
      ? sql`false`
      : sql`(l.campaign_id = ${leads[0]?.campaignId} and ${domainOfKey(sql`l.email_key`)} = ${companyDomain})`;
  return endLeadsStatement(
    db,
    { status, stopReason: status },
    now,
    sql`l.workspace_id = ${account.workspaceId} and ((${isPerson} and (c.stop_on_reply or ${optOut !== null})) or ${isColleague})`,
  );
}

const suppress = (
  db: Db,
  { account: { workspaceId, userId }, lead }: Thread,
  { now }: NetworkMessage,
  { id, value, valueHash }: { id: string; value: string; valueHash: string },
): Statement =>
  suppressStatement(
    db,
    { id, workspaceId, userId, now },
    {
      value,
      valueHash,
      kind: "email",
      reason: "unsubscribe",
      expiresAt: null,
      ...(lead !== null && { sourceCampaignId: lead.campaignId }),
    },
  );
