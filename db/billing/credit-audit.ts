import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { isInUseHere } from "../base/moving.ts";
import { bool, instant, integer, orNull, rowReader, type Row, text } from "../base/rows.ts";

/** Balance minus sum of entries, each of the three; `holdsOff`: what is held minus what open holds reserve. */
export type CreditDiscrepancy = ReturnType<typeof readDiscrepancy>;
const readDiscrepancy = rowReader({
  workspaceId: text,
  availableOff: integer,
  heldOff: integer,
  owedOff: integer,
  holdsOff: integer,
});

const readPiece = rowReader({
  workspaces: integer,
  entries: integer,
  isLast: bool,
  wrong: integer,
  /** The first of them. */
  examples: { read: (rows: unknown) => (rows as Row[]).map(readDiscrepancy) },
});

const EXAMPLES = 100;

/**
 * Audits the next so many workspaces of the round, or begins a new round: keeps discrepancies, and deletes those that
 * add up again. One statement, so that balances, entries and holds are of one instant without locks on them; of two
 * audits at once the second goes on where the first has ended.
 */
export async function auditNextPiece(db: Db, now: Date, workspaces: number) {
  const at = instantParam(now);
  const { rows } = await db.execute(sql`
    with begun as materialized (
      select next_after from credit_audit where id = 1 for update
    ), piece as materialized (
      select w.id from workspaces w
      where w.id > coalesce((select next_after from begun), '00000000-0000-0000-0000-000000000000')
        and ${isInUseHere(sql`w.id`)}
      order by w.id limit ${workspaces}
    ), ledger as (
      select workspace_id, count(*) as entries, sum(available_delta) as available, sum(held_delta) as held, sum(owed_delta) as owed
      from credit_entries where workspace_id in (select id from piece) group by workspace_id
    ), open as (
      select workspace_id, sum(amount) as held
      from credit_holds where returned_at is null and workspace_id in (select id from piece) group by workspace_id
    ), account as materialized (
      select piece.id as workspace_id, coalesce(ledger.entries, 0) as entries,
             coalesce(balance.available, 0) - coalesce(ledger.available, 0) as available_off,
             coalesce(balance.held, 0) - coalesce(ledger.held, 0) as held_off,
             coalesce(balance.owed, 0) - coalesce(ledger.owed, 0) as owed_off,
             coalesce(balance.held, 0) - coalesce(open.held, 0) as holds_off
      from piece
      left join credit_balances balance on balance.workspace_id = piece.id
      left join ledger on ledger.workspace_id = piece.id
      left join open on open.workspace_id = piece.id
    ), wrong as materialized (
      select workspace_id, available_off, held_off, owed_off, holds_off from account
      where (available_off, held_off, owed_off, holds_off) <> (0, 0, 0, 0)
    ), kept as (
      insert into credit_discrepancies (workspace_id, available_off, held_off, owed_off, holds_off, found_at)
      select wrong.*, ${at} from wrong
      on conflict (workspace_id) do update set
        available_off = excluded.available_off, held_off = excluded.held_off,
        owed_off = excluded.owed_off, holds_off = excluded.holds_off
    ), mended as (
      delete from credit_discrepancies
      where workspace_id in (select workspace_id from account except select workspace_id from wrong)
    ), audited as (
      select count(*) as workspaces, coalesce(sum(entries), 0) as entries, count(*) < ${workspaces} as is_last,
             max(workspace_id::text)::uuid as last
      from account
    ), noted as (
      insert into credit_audit (id, next_after, began_at, completed_at)
      select 1, case when is_last then null else last end, ${at}, case when is_last then ${at} end from audited
      on conflict (id) do update set
        next_after = excluded.next_after, completed_at = coalesce(excluded.completed_at, credit_audit.completed_at),
        began_at = case when credit_audit.next_after is null then excluded.began_at else credit_audit.began_at end
    )
    select workspaces, entries, is_last, (select count(*) from wrong) as wrong,
           (select coalesce(jsonb_agg(example), '[]') from (select * from wrong limit ${EXAMPLES}) example) as examples
    from audited`);
  return readPiece(rows[0]!);
}

const readState = rowReader({
  beganAt: orNull(instant),
  completedAt: orNull(instant),
  wrong: integer,
});

/** When the audit last went round, and how many workspaces do not add up. */
export async function readAuditState(db: Db) {
  const { rows } = await db.execute(sql`
    select (select began_at from credit_audit where id = 1) as began_at,
           (select completed_at from credit_audit where id = 1) as completed_at,
           (select count(*) from credit_discrepancies) as wrong`);
  return readState(rows[0]!);
}
