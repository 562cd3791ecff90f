import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { isArriving } from "../base/moving.ts";
import { bool, instant, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import type { CampaignStatus, Plan } from "../schema/index.ts";

/** A workspace as the deployment's operator sees it: owner, plan and balance, without its contents. */
export type WorkspaceOverview = ReturnType<typeof readOverview>;
const readOverview = rowReader({
  id: text,
  name: text,
  userId: text,
  email: orNull(text),
  plan: typed<Plan>(),
  available: integer,
  held: integer,
  owed: integer,
  keys: integer,
  campaigns: { read: (rows: unknown) => rows as { status: CampaignStatus; count: number }[] },
  createdAt: instant,
  deletedAt: orNull(instant),
  isBeingErased: bool,
  frozenAt: orNull(instant),
  cell: orNull(text),
  isArriving: bool,
});

/** By id, or by the address of its user, without regard to case; more than one where logins share an address. */
export async function findWorkspaces(
  db: Db,
  by: { id: string } | { email: string },
): Promise<WorkspaceOverview[]> {
  const which: SQL =
    "id" in by ? sql`w.id = ${by.id}::uuid` : sql`lower(u.email) = lower(${by.email}::text)`;
  const { rows } = await db.execute(sql`
    select w.id, w.name, w.owner_user_id as user_id, u.email, w.plan, w.created_at, w.deleted_at,
      w.erasure_began_at is not null as is_being_erased, w.frozen_at, w.cell, ${isArriving} as is_arriving,
      coalesce(b.available, 0) as available, coalesce(b.held, 0) as held, coalesce(b.owed, 0) as owed,
      (select count(*)::int from api_keys k where k.workspace_id = w.id and k.revoked_at is null) as keys,
      (select coalesce(jsonb_agg(jsonb_build_object('status', status, 'count', count) order by status), '[]') from (
        select c.status, count(*)::int as count from campaigns c where c.workspace_id = w.id and c.deleted_at is null group by c.status
      ) by_status) as campaigns
    from workspaces w join users u on u.id = w.owner_user_id left join credit_balances b on b.workspace_id = w.id
    where ${which} order by w.created_at limit 100`);
  return rows.map(readOverview);
}

/** Of one that is not deleted; false when there is none. */
export async function setPlan(db: Db, id: string, plan: Plan, now: Date): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update workspaces set plan = ${plan}, updated_at = ${instantParam(now)}
    where id = ${id}::uuid and deleted_at is null returning id`);
  return rows.length > 0;
}

/** The prefix of an operator's grants in the credit ledger. */
export const GRANTED_BY_OPERATOR = "operator";

/** The credits granted by that reference; null when it has not been used for this workspace. */
export async function grantedBy(db: Db, id: string, reference: string): Promise<number | null> {
  const { rows } = await db.execute(sql`
    select available_delta - owed_delta as amount from credit_entries
    where workspace_id = ${id}::uuid and kind = 'grant' and ref_type = ${GRANTED_BY_OPERATOR} and ref_id = ${reference}`);
  return rows[0] === undefined ? null : readAmount(rows[0]).amount;
}
const readAmount = rowReader({ amount: integer });
