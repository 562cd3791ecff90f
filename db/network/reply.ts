import { type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { lockSuppressionsStatement } from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { domainOfKey } from "../schema/index.ts";
import { suppressStatement } from "../people/suppressions.ts";
import { keepMessageStatements, type NetworkMessage, type Thread } from "./messages.ts";
import type { PersonLead } from "../base/fragments/person-leads.ts";

export interface ReplyEffects {
  /** As whom the workspace writes to the person; the first is the one that is answered. */
  leads: readonly PersonLead[];
  /** Leads of that domain end in the answered campaign too. */
  companyDomain: string | null;
  /** Who wants no more: ends everywhere, and every address that is known of them is suppressed. */
  optOut: readonly { id: string; value: string; valueHash: string }[] | null;
}

/** Keeps what somebody said and lets it take effect, in one transaction. Answers in which campaigns leads ended. */
export async function keepReply(
  db: Db,
  thread: Thread,
  message: NetworkMessage,
  effects: ReplyEffects,
): Promise<string[]> {
  const [, , , , , ended] = await commit(db, [
    lockSuppressionsStatement(db, thread.account.workspaceId),
    ...keepMessageStatements(db, thread, message),
    noteFacts(db, message, effects),
    endLeads(db, thread, message, effects),
    ...(effects.optOut ?? []).map((address) => suppress(db, thread, message, address)),
  ]);
  return ended.rows.map(({ campaign_id: id }) => id);
}

/** On what was sent to them last; the first time counts. */
function noteFacts(db: Db, { now }: NetworkMessage, { leads, optOut }: ReplyEffects): Statement {
  const at = instantParam(now);
  return db.execute(sql`
    update sends
    set replied_at = coalesce(replied_at, ${at}), unsubscribed_at = ${optOut === null ? sql`unsubscribed_at` : sql`coalesce(unsubscribed_at, ${at})`},
        updated_at = ${at}
    where id = ${leads[0]?.sendId ?? null}`);
}

/** As a reply by mail does: wherever a reply is to end a lead, and with the wish to hear no more everywhere. */
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
  return db.execute<{ campaign_id: string }>(sql`
    with ended as (
      update campaign_leads l
      set status = ${status}, stop_reason = ${status}, next_step = null, next_action_at = null,
          hold_reason = null, hold_until = null, updated_at = ${instantParam(now)}
      from campaigns c
      where c.id = l.campaign_id and l.workspace_id = ${account.workspaceId} and l.status in ('pending', 'active')
        and ((${isPerson} and (c.stop_on_reply or ${optOut !== null})) or ${isColleague})
      returning l.campaign_id
    ) select distinct campaign_id from ended`);
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
