import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import { type Db, type Statement, violates } from "./client.ts";
import { textArray } from "./text-array.ts";
import { creditBalances, creditEntries, workspaces } from "./schema/index.ts";

export type CreditEntryRow = typeof creditEntries.$inferSelect;

/** What credits were moved for. One entry per workspace, kind and reference: a repeated cause moves nothing. */
export interface CreditRef {
  type: string;
  id: string;
}

/** References of one type, each with the id that its entry will have. */
export interface CreditMove {
  workspaceId: string;
  refType: string;
  items: { entryId: string; refId: string }[];
  now: Date;
}

/**
 * Every move is one statement of the same form: lock the balance, append the
 * entries that are not there yet, add up what was appended. The order of locks
 * is always the same, and the balance is always the sum of its entries.
 */
function moveStatement(db: Db, workspaceId: string, now: Date, newEntries: SQL): Statement {
  return db.execute(sql`
    with balance as materialized (
      select workspace_id, available, owed from credit_balances where workspace_id = ${workspaceId}::uuid for update
    ), entry as (
      insert into credit_entries
        (workspace_id, created_at, id, kind, available_delta, held_delta, owed_delta, ref_type, ref_id)
      select balance.workspace_id, ${now.toISOString()}::timestamptz, new_entry.*
      from balance, lateral (${newEntries}) as new_entry
      on conflict do nothing
      returning available_delta, held_delta, owed_delta
    ), total as (
      select sum(available_delta)::int as available, sum(held_delta)::int as held, sum(owed_delta)::int as owed
      from entry having count(*) > 0
    )
    update credit_balances
    set available = credit_balances.available + total.available,
        held = credit_balances.held + total.held,
        owed = credit_balances.owed + total.owed,
        updated_at = ${now.toISOString()}::timestamptz
    from total
    where credit_balances.workspace_id = ${workspaceId}::uuid
    returning credit_balances.available`);
}

const itemsOf = ({ items }: CreditMove) => {
  const ids = textArray(items.map((item) => item.entryId));
  const refs = textArray(items.map((item) => item.refId));
  return sql`unnest(${ids}::uuid[], ${refs}::text[]) as item(id, ref_id)`;
};

/** Credits that come or go by themselves, beside any hold. */
export interface CreditChange {
  id: string;
  workspaceId: string;
  amount: number;
  ref: CreditRef;
  now: Date;
}

/** Adds credits: bought, or back after a refund that failed or a dispute that was won. What is owed is paid first. */
export function grantStatement(
  db: Db,
  { kind = "grant", ...grant }: CreditChange & { kind?: "grant" | "refund_failed" | "dispute_won" },
): Statement {
  const { id, amount, ref } = grant;
  return moveStatement(
    db,
    grant.workspaceId,
    grant.now,
    sql`
      select ${id}::uuid, ${kind}::text, ${amount}::int - least(balance.owed, ${amount}::int), 0,
             -least(balance.owed, ${amount}::int), ${ref.type}::text, ${ref.id}::text`,
  );
}

/** Takes credits back whose money went back; those that are spent already are owed. */
export function takeBackStatement(
  db: Db,
  { kind, ...debit }: CreditChange & { kind: "refund" | "dispute" },
): Statement {
  const { id, amount, ref } = debit;
  return moveStatement(
    db,
    debit.workspaceId,
    debit.now,
    sql`
      select ${id}::uuid, ${kind}::text, -least(balance.available, ${amount}::int), 0,
             ${amount}::int - least(balance.available, ${amount}::int), ${ref.type}::text, ${ref.id}::text`,
  );
}

/**
 * Reserves `amount` for each reference. With too few credits for all of them
 * it fails (`isInsufficient`), and with it the whole transaction.
 */
export function holdStatement(db: Db, move: CreditMove & { amount: number }): Statement {
  const { amount } = move;
  return moveStatement(
    db,
    move.workspaceId,
    move.now,
    sql`
      select item.id, 'hold', -${amount}::int, ${amount}::int, 0, ${move.refType}::text, item.ref_id
      from ${itemsOf(move)}`,
  );
}

/** Spends what was held for the references. One that was never held, or has ended already, moves nothing. */
export function captureStatement(db: Db, move: CreditMove): Statement {
  return moveStatement(
    db,
    move.workspaceId,
    move.now,
    sql`
      select item.id, 'capture', 0, -held.held_delta, 0, held.ref_type, held.ref_id
      from ${itemsOf(move)} ${heldFor(move)}`,
  );
}

/** Gives back what was held for the references; what is owed is paid first. */
export function releaseStatement(db: Db, move: CreditMove): Statement {
  const upTo = (frame: SQL) =>
    sql`least(balance.owed, coalesce(sum(held.held_delta) over (order by item.ref_id ${frame}), 0))::int`;
  const owedPaid = sql`(${upTo(sql`rows unbounded preceding`)} - ${upTo(sql`rows between unbounded preceding and 1 preceding`)})`;
  return moveStatement(
    db,
    move.workspaceId,
    move.now,
    sql`
      select item.id, 'release', held.held_delta - ${owedPaid}, -held.held_delta, -${owedPaid}, held.ref_type, held.ref_id
      from ${itemsOf(move)} ${heldFor(move)}`,
  );
}

/** Joins the holds that are still open as this statement sees them; a settlement in a race meets the unique index. */
const heldFor = ({ workspaceId, refType }: CreditMove) => sql`
  join credit_entries held on held.workspace_id = ${workspaceId}::uuid and held.kind = 'hold'
    and held.ref_type = ${refType}::text and held.ref_id = item.ref_id
  where not exists (
    select 1 from credit_entries settled
    where settled.workspace_id = held.workspace_id and settled.ref_type = held.ref_type
      and settled.ref_id = held.ref_id and settled.kind in ('capture', 'release'))`;

/** True for the failure of a statement, or of its transaction, that would have spent more than there is. */
export function isInsufficient(error: unknown): boolean {
  return violates(error, "23514", "credit_balances_not_negative");
}

export async function getBalance(db: Db, workspaceId: string) {
  const [row] = await db
    .select({
      available: creditBalances.available,
      held: creditBalances.held,
      owed: creditBalances.owed,
      plan: workspaces.plan,
    })
    .from(workspaces)
    .innerJoin(creditBalances, eq(creditBalances.workspaceId, workspaces.id))
    .where(eq(workspaces.id, workspaceId));
  return row;
}

/** Newest first, from below the entry `before`. */
export async function listEntries(
  db: Db,
  workspaceId: string,
  before: string | undefined,
  limit: number,
): Promise<CreditEntryRow[]> {
  return db
    .select()
    .from(creditEntries)
    .where(
      and(
        eq(creditEntries.workspaceId, workspaceId),
        before === undefined ? undefined : lt(creditEntries.id, before),
      ),
    )
    .orderBy(desc(creditEntries.id))
    .limit(limit);
}
