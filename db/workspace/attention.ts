import { and, desc, eq, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { stateAt } from "../base/fragments/conversation-state.ts";
import { instantParam } from "../base/instants.ts";
import { instant, orNull, rowReader, text, typed } from "../base/rows.ts";
import {
  campaigns,
  type CampaignRow,
  connectedAccounts,
  type DomainStatus,
  type FailingRule,
  mailAliases,
} from "../schema/index.ts";

/** Of campaigns, and of each kind of anything else: a person with more to do than that begins with these. */
const MOST = 100;

const OTHER_TROUBLES = [
  "possible_opt_out",
  "inbox_broken",
  "postmaster_lost",
  "webhook_disabled",
  "webhook_failing",
  "post_failed",
  "key_expires",
  "credits_exhausted",
  "credits_low",
] as const;

/** Something that is not as its owner wants it to be, of a table of its own. */
export type OtherTrouble = ReturnType<typeof readTrouble>;
const readTrouble = rowReader({
  kind: typed<(typeof OTHER_TROUBLES)[number]>(),
  id: orNull(text),
  name: orNull(text),
  /** What went wrong, in words where there are any. */
  said: orNull(text),
  until: orNull(instant),
  /** The aliases that it is about. */
  senderIds: typed<string[]>(),
});

const readDomain = rowReader({
  id: text,
  name: text,
  status: typed<DomainStatus>(),
  /** Of large receivers; null before it was judged. */
  failing: orNull(typed<FailingRule[]>()),
  senderIds: typed<string[]>(),
});
/** A domain whose records are wrong, or that does not keep a rule of large receivers. */
export type DomainTrouble = ReturnType<typeof readDomain>;

export interface Troubles {
  /** Those that run, and those that do not for another reason than their owner's word. */
  campaigns: CampaignRow[];
  aliases: (typeof mailAliases.$inferSelect)[];
  accounts: (typeof connectedAccounts.$inferSelect)[];
  domains: DomainTrouble[];
  others: OtherTrouble[];
}

/** Credits below which their owner is told. */
const LOW_CREDITS = 100;

/** What of a workspace may need its owner, in one round trip. */
export async function findTroubles(
  db: Db,
  workspaceId: string,
  now: Date,
  { postsSince, keysUntil }: { postsSince: Date; keysUntil: Date },
): Promise<Troubles> {
  const [found, aliases, accounts, domains, others] = await commit(db, [
    db
      .select()
      .from(campaigns)
      .where(
        and(
          eq(campaigns.workspaceId, workspaceId),
          isNull(campaigns.deletedAt),
          or(
            inArray(campaigns.status, ["active", "draining", "failed"]),
            and(
              eq(campaigns.status, "paused"),
              isNotNull(campaigns.pausedReason),
              ne(campaigns.pausedReason, "user_requested"),
            ),
          ),
        ),
      )
      .orderBy(desc(campaigns.id))
      .limit(MOST),
    db
      .select()
      .from(mailAliases)
      .where(and(eq(mailAliases.workspaceId, workspaceId), eq(mailAliases.status, "error")))
      .limit(MOST),
    db
      .select()
      .from(connectedAccounts)
      .where(
        and(
          eq(connectedAccounts.workspaceId, workspaceId),
          or(ne(connectedAccounts.status, "connected"), connectedAccounts.checkpointPending),
        ),
      )
      .limit(MOST),
    db.execute(sql`
      select d.id, d.domain as name, d.status, h.failing,
        (select coalesce(jsonb_agg(a.id), '[]') from mail_aliases a where a.domain_id = d.id) as sender_ids
      from mail_domains d left join domain_health h on h.domain_id = d.id
      where d.workspace_id = ${workspaceId} and (d.status = 'failing' or d.status = 'verified' and h.failing <> '[]') limit ${MOST}`),
    db.execute(sql`
      (select 'possible_opt_out' as kind, id, subject as name, peer_key as said, null::timestamptz as until, '[]'::jsonb as sender_ids
       from conversations where workspace_id = ${workspaceId} and ${stateAt(now)} = 'open' and unread > 0 and class = 'possible_opt_out'
       order by last_message_at desc limit ${MOST})
      union all
      (select 'inbox_broken', a.id, a.email, i.last_error, null, jsonb_build_array(a.id)
       from mail_aliases a join inboxes i on i.alias_id = a.id where a.workspace_id = ${workspaceId} and i.broken limit ${MOST})
      union all
      (select 'postmaster_lost', d.id, d.domain, p.last_error, null, '[]'
       from postmaster_logins p join mail_domains d on d.id = p.domain_id where d.workspace_id = ${workspaceId} and p.state = 'consent_lost' limit ${MOST})
      union all
      (select case w.status when 'disabled' then 'webhook_disabled' else 'webhook_failing' end, w.id, w.url, w.disabled_reason, null, '[]'
       from webhooks w where w.workspace_id = ${workspaceId} and (w.status = 'disabled' or w.status = 'active' and w.failing_since is not null) limit ${MOST})
      union all
      (select 'post_failed', p.id, left(p.text, 80), p.last_error, null, '[]'
       from social_posts p where p.workspace_id = ${workspaceId} and p.status = 'failed' and p.updated_at > ${instantParam(postsSince)}
       order by p.updated_at desc limit ${MOST})
      union all
      (select 'key_expires', k.id, k.name, k.key_prefix, k.expires_at, '[]'
       from api_keys k where k.workspace_id = ${workspaceId} and k.revoked_at is null
         and k.expires_at > ${instantParam(now)} and k.expires_at <= ${instantParam(keysUntil)} limit ${MOST})
      union all
      (select case b.available when 0 then 'credits_exhausted' else 'credits_low' end, null, null, b.available::text, null, '[]'
       from credit_balances b where b.workspace_id = ${workspaceId} and b.available < ${LOW_CREDITS})`),
  ]);
  return {
    ...{ campaigns: found, aliases, accounts },
    domains: domains.rows.map(readDomain),
    others: others.rows.map(readTrouble),
  };
}
