import { type SQL, sql } from "drizzle-orm";
import { CHECK_VIOLATION, type Db, type Statement, violates } from "../base/client.ts";
import { fenceStatement } from "../base/fence.ts";
import { instantParam } from "../base/instants.ts";
import { textArray } from "../base/text-array.ts";

/** What credits were moved for. One entry per workspace, kind and reference: a repeated cause moves nothing. */
export interface CreditRef {
  type: string;
  id: string;
}

/** Different references of one type, each with the id that its entry will have. */
export interface CreditMove {
  workspaceId: string;
  refType: string;
  items: { entryId: string; refId: string }[];
  /** Only so many of the items end, the first ones: where a statement of the transaction says how many. */
  first?: SQL;
  now: Date;
}

interface Move {
  workspaceId: string;
  now: Date;
  /** Rows of `credit_entries` from `id` and `kind` on; they may read `balance` and `ended`. */
  entries: SQL;
  /** A CTE `ended`: the holds that this move takes, or gives back. */
  ending?: SQL;
  /** A CTE that keeps what the entries reserve. */
  keeping?: SQL;
}

/**
 * Every move is one statement of the same form: lock the balance, delete the
 * holds it ends, append the entries that are not there yet, add their sum to the
 * balance. The order of locks is always the same, and the balance is always
 * the sum of its entries. Answers no row when no credit was moved.
 *
 * The new balance is computed from the locked row: Postgres checks constraints on the row of the
 * statement's snapshot first, and would refuse a statement that waited by a balance that is outdated.
 */
function moveStatement(db: Db, move: Move) {
  const now = instantParam(move.now);
  const { entries, ending = sql``, keeping = sql`` } = move;
  return db.execute(sql`
    with balance as materialized (
      select workspace_id, available, held, owed from credit_balances where workspace_id = ${move.workspaceId}::uuid for update
    )${ending}, entry as (
      insert into credit_entries
        (workspace_id, created_at, id, kind, available_delta, held_delta, owed_delta, ref_type, ref_id)
      select balance.workspace_id, ${now}, new_entry.*
      from balance, lateral (${entries}) as new_entry
      on conflict do nothing
      returning workspace_id, ref_type, ref_id, available_delta, held_delta, owed_delta
    )${keeping}, total as (
      select sum(available_delta)::int as available, sum(held_delta)::int as held, sum(owed_delta)::int as owed
      from entry having count(*) > 0
    )
    update credit_balances
    set available = balance.available + total.available,
        held = balance.held + total.held,
        owed = balance.owed + total.owed,
        updated_at = ${now}
    from balance, total
    where credit_balances.workspace_id = ${move.workspaceId}::uuid
    returning credit_balances.available`);
}

const itemsOf = ({ items }: CreditMove) => {
  const ids = textArray(items.map((item) => item.entryId));
  return sql`unnest(${ids}::uuid[], ${refsOf(items)}) as item(id, ref_id)`;
};

const refsOf = (items: CreditMove["items"]) =>
  sql`${textArray(items.map((item) => item.refId))}::text[]`;

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
  const entries = sql`
      select ${id}::uuid, ${kind}::text, ${amount}::int - least(balance.owed, ${amount}::int), 0,
             -least(balance.owed, ${amount}::int), ${ref.type}::text, ${ref.id}::text`;
  return moveStatement(db, { ...grant, entries });
}

/** Takes back credits whose payment was refunded or charged back; credits spent already become a debt. */
export function takeBackStatement(
  db: Db,
  { kind, ...debit }: CreditChange & { kind: "refund" | "dispute" },
): Statement {
  const { id, amount, ref } = debit;
  const entries = sql`
      select ${id}::uuid, ${kind}::text, -least(balance.available, ${amount}::int), 0,
             ${amount}::int - least(balance.available, ${amount}::int), ${ref.type}::text, ${ref.id}::text`;
  return moveStatement(db, { ...debit, entries });
}

/**
 * Reserves `amount` for each reference that was never held before. With too few credits
 * for all of them it fails (`isInsufficient`), and with it the whole transaction.
 */
export function holdStatement(
  db: Db,
  { amount, expiresAt, ...move }: CreditMove & { amount: number; expiresAt: Date },
) {
  return moveStatement(db, {
    ...move,
    entries: sql`
      select item.id, 'hold', -${amount}::int, ${amount}::int, 0, ${move.refType}::text, item.ref_id
      from ${itemsOf(move)}`,
    keeping: sql`, kept as (
      insert into credit_holds (workspace_id, ref_type, ref_id, amount, expires_at)
      select workspace_id, ref_type, ref_id, held_delta, ${instantParam(expiresAt)} from entry
    )`,
  });
}

/**
 * Spends the credits held for the references. A hold that expired meanwhile is charged if the
 * credits are there, and else ended by an entry of zero. A reference that was never held, or has
 * ended already, moves no credit.
 */
export const captureStatement = (db: Db, move: CreditMove) =>
  moveStatement(db, {
    ...move,
    ending: takeHolds(move),
    entries: sql`
      select id, 'capture', case when late <= balance.available then -late_amount else 0 end, late_amount - amount, 0,
             ref_type, ref_id
      from (
        select *, sum(late_amount) over (order by ref_id) as late
        from (select *, case when returned_at is null then 0 else amount end as late_amount from ended) hold
      ) hold join ${itemsOf(move)} using (ref_id)`,
  });

/**
 * Behind the capture of the first so many: undoes the transaction (`isFenced`) where some of their holds had ended before,
 * so that nothing is delivered whose credits were given back.
 */
export const allCapturedStatement = (db: Db, move: CreditMove & { first: SQL }) =>
  fenceStatement(
    db,
    sql`select 1 from credit_entries
      where workspace_id = ${move.workspaceId}::uuid and kind = 'capture' and ref_type = ${move.refType}::text
        and ref_id = any(${refsOf(move.items)})`,
    move.first,
  );

/** Gives back what was held for the references. */
export const releaseStatement = (db: Db, move: CreditMove) =>
  moveStatement(db, { ...move, ending: takeHolds(move), entries: givenBack(move, "release") });

/** Gives back the expired holds of the references. */
export const expireStatement = (db: Db, move: CreditMove) =>
  moveStatement(db, {
    ...move,
    entries: givenBack(move, "expire"),
    ending: sql`, ended as (
      update credit_holds hold set returned_at = ${instantParam(move.now)}
      from balance where ${isHoldOf(move)} and hold.returned_at is null
      returning hold.ref_type, hold.ref_id, hold.amount, null::timestamptz as returned_at
    )`,
  });

/**
 * After the lock of the balance, so that of several statements that end a hold one finds it: Postgres
 * reads the locked row anew, however old the statement's snapshot.
 */
const takeHolds = (move: CreditMove) => sql`, ended as (
      delete from credit_holds hold using balance where ${isHoldOf(move)}
      returning hold.ref_type, hold.ref_id, hold.amount, hold.returned_at
    )`;

/** An array, no join: whatever the planner knows of the table, it looks up each reference by the whole key. */
const isHoldOf = ({ refType, items, first }: CreditMove) => {
  const refs = first === undefined ? refsOf(items) : sql`(${refsOf(items)})[1:${first}]`;
  return sql`hold.workspace_id = balance.workspace_id and hold.ref_type = ${refType}::text and hold.ref_id = any(${refs})`;
};

/** Credits given back first pay the workspace's debt. */
function givenBack(move: CreditMove, kind: "release" | "expire"): SQL {
  const upTo = (frame: SQL) =>
    sql`least(balance.owed, coalesce(sum(ended.amount) over (order by ended.ref_id ${frame}), 0))::int`;
  const owedPaid = sql`(${upTo(sql`rows unbounded preceding`)} - ${upTo(sql`rows between unbounded preceding and 1 preceding`)})`;
  return sql`
      select item.id, ${kind}::text, ended.amount - ${owedPaid}, -ended.amount, -${owedPaid}, ended.ref_type, ended.ref_id
      from ended join ${itemsOf(move)} using (ref_id) where ended.returned_at is null`;
}

/** True for the failure of a statement, or of its transaction, that would have spent more than there is. */
export function isInsufficient(error: unknown): boolean {
  return violates(error, CHECK_VIOLATION, "credit_balances_not_negative");
}
