import { sql } from "drizzle-orm";
import { pauseWithNotice } from "../campaigns/pause.ts";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { closeLanes, openLanes } from "../engine/index.ts";
import { ownedBy } from "../base/owned.ts";
import { mailDomainColumns, type MailDomainRow } from "./domains.ts";
import {
  domainOf,
  type DomainStatus,
  mailDomains,
  type SeenDomainRecord,
} from "../schema/index.ts";
import { usableSender } from "../base/fragments/usable.ts";

/** Hosts of the addresses that send in the domain's name, other than the domain itself. */
export async function listSenderHosts(db: Db, domain: { id: string; domain: string }) {
  const { rows } = await db.execute(sql`
    select distinct ${domainOf(sql`email`)} as host from mail_aliases
    where domain_id = ${domain.id} and ${domainOf(sql`email`)} <> ${domain.domain} order by 1 limit 5`);
  return rows.map((row) => row["host"] as string);
}

export interface CheckRecord {
  status: DomainStatus;
  failingSince: Date | null;
  records: SeenDomainRecord[];
  now: Date;
}

/** Why aliases of a failing domain do not send; also how they are found again when it is in order. */
export const SUSPENDED =
  "The DNS records of this address's domain are no longer in order, so that nothing is sent from it.";

/** Keeps what a check found. Once the domain is in order, its aliases send again. False when it is gone. */
export async function saveDomainCheck(
  db: Db,
  { workspaceId, id }: Pick<MailDomainRow, "workspaceId" | "id">,
  { status, failingSince, records, now }: CheckRecord,
): Promise<boolean> {
  const [rows] = await commit(db, [
    db
      .update(mailDomains)
      .set({ status, failingSince, records, checkedAt: now, updatedAt: now })
      .where(ownedBy(mailDomains, workspaceId, id))
      .returning({ id: mailDomains.id }),
    ...(status === "verified" ? [reviveStatement(db, id, now)] : []),
  ]);
  return rows.length > 0;
}

function reviveStatement(db: Db, domainId: string, now: Date) {
  const at = instantParam(now);
  return db.execute(sql`
    with revived as (
      update mail_aliases set status = 'active', last_error = null, last_error_kind = null, updated_at = ${at}
      where domain_id = ${domainId} and status = 'error' and last_error = ${SUSPENDED}
      returning id
    )
    ${openLanes({ from: sql`revived`, where: sql`lane.id = revived.id` }, at)}`);
}

/** Whether campaign `c` lost senders by the domain's failure, and has no other that can send. */
const lostItsSenders = sql`c.type = 'email'
  and exists (
    select 1 from mail_aliases a
    where a.workspace_id = c.workspace_id and a.id = any(c.alias_ids) and a.status = 'error' and a.last_error = ${SUSPENDED})
  and not exists (
    select 1 from mail_aliases a join sender_lanes lane on lane.id = a.id
    where a.workspace_id = c.workspace_id and a.id = any(c.alias_ids) and lane.open and ${usableSender})`;

/**
 * Closes the senders of domains that have been failing since `before`, and pauses running campaigns
 * that have no other sender, with a notice to their owners: one transaction. Answers the campaigns.
 */
export async function suspendFailingDomains(db: Db, before: Date, now: Date): Promise<string[]> {
  const at = instantParam(now);
  const results = await commit(db, [
    db.execute(sql`
      with suspended as (
        update mail_aliases a set status = 'error', last_error = ${SUSPENDED}, last_error_kind = 'account', updated_at = ${at}
        from mail_domains d
        where d.id = a.domain_id and d.status = 'failing' and d.failing_since <= ${instantParam(before)} and a.status = 'active'
        returning a.id
      )
      ${closeLanes({ from: sql`suspended`, where: sql`lane.id = suspended.id` }, at)}`),
    db.execute(sql`
      with ${pauseWithNotice(sql`'sender_domain_failing'`, lostItsSenders, now)}`),
  ]);
  return results[1].rows.map((row) => row["id"] as string);
}

export interface DueBounds {
  /** Verified domains are due if their last check is older. */
  verifiedBefore: Date;
  /** Unverified domains, and those for which DNS gave no answer, are due if their last check is older. */
  othersBefore: Date;
  /** Domains added before then, and never verified, are looked at as rarely as verified ones. */
  freshSince: Date;
}

/** Domains to look at again, the longest unseen first; none of a workspace that is deleted, whose senders stay closed. */
export async function listDueDomains(
  db: Db,
  { verifiedBefore, othersBefore, freshSince }: DueBounds,
  limit: number,
): Promise<MailDomainRow[]> {
  const seen = sql`coalesce(${mailDomains.checkedAt}, ${mailDomains.createdAt})`;
  const soon = sql`(${mailDomains.status} = 'failing' or ${mailDomains.records} @> '[{"status": "unknown"}]'
    or (${mailDomains.status} <> 'verified' and ${mailDomains.createdAt} >= ${instantParam(freshSince)}))`;
  return db
    .select(mailDomainColumns)
    .from(mailDomains)
    .where(
      sql`(${seen} < ${instantParam(verifiedBefore)} or (${seen} < ${instantParam(othersBefore)} and ${soon}))
        and exists (select 1 from workspaces w where w.id = ${mailDomains.workspaceId} and w.deleted_at is null)`,
    )
    .orderBy(seen)
    .limit(limit);
}
