import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../../base/client.ts";
import { instantParam } from "../../base/instants.ts";
import { bool, instant, orNull, rowReader, text } from "../../base/rows.ts";
import { isArriving } from "../../base/moving.ts";
import { endRest, lockLanesStatement, restLanes } from "../../engine/index.ts";

/** Where a workspace is in a move, as a cell's own row of it says. */
export type Residence = ReturnType<typeof readResidence>;
const readResidence = rowReader({
  frozenAt: orNull(instant),
  cell: orNull(text),
  deletedAt: orNull(instant),
  isArriving: bool,
  arrivedAt: orNull(instant),
});

export async function residenceOf(db: Db, id: string): Promise<Residence | undefined> {
  const { rows } = await db.execute(
    sql`select w.frozen_at, w.cell, w.deleted_at, w.arrived_at, ${isArriving} as is_arriving from workspaces w where w.id = ${id}::uuid`,
  );
  return rows[0] === undefined ? undefined : readResidence(rows[0]);
}

/** A rest that only the end of the move ends: no claim takes a lane that rests, and no begin passes it. */
const heldUntil = sql`(w.frozen_at + interval '100 years')`;

/** All of its senders, those that rested of themselves too. */
export const holdLanesStatement = (db: Db, id: string, now: Date) =>
  db.execute(
    restLanes(
      {
        from: sql`workspaces w`,
        where: sql`w.id = ${id} and w.frozen_at is not null and lane.workspace_id = w.id and lane.closed_until is distinct from ${heldUntil}`,
      },
      heldUntil,
      instantParam(now),
    ),
  );

/** Refuses its callers from here on, and lets its senders begin nothing. False where it is not in use here. */
export async function freeze(db: Db, id: string, cell: string, now: Date): Promise<boolean> {
  const [, frozen] = await commit(db, [
    lockLanesStatement(db, id),
    db.execute(sql`
      update workspaces set frozen_at = greatest(${instantParam(now)}, arrived_at + interval '1 millisecond'), cell = ${cell}
      where id = ${id}::uuid and deleted_at is null and frozen_at is null and cell is null returning id`),
    holdLanesStatement(db, id, now),
  ]);
  return frozen.rows.length > 0;
}

/** A move is taken back: it is in use here, and its senders look for work. */
export const thaw = (db: Db, id: string, now: Date): Promise<void> =>
  open(db, id, now, sql`arrived_at`);

/** The same of one that came from another cell. */
export const arrive = (db: Db, id: string, now: Date): Promise<void> =>
  open(db, id, now, sql`frozen_at`);

async function open(db: Db, id: string, now: Date, arrivedAt: SQL): Promise<void> {
  await commit(db, [
    lockLanesStatement(db, id),
    db.execute(
      endRest(
        {
          from: sql`workspaces w`,
          where: sql`w.id = ${id} and lane.workspace_id = w.id and lane.closed_until = ${heldUntil}`,
        },
        instantParam(now),
      ),
    ),
    db.execute(
      sql`update workspaces set frozen_at = null, cell = null, arrived_at = ${arrivedAt} where id = ${id}::uuid and frozen_at is not null`,
    ),
  ]);
}

/** Whether it is in use here, and mail of it is under way or has arrived somewhere. */
export async function hasLinksOut(db: Db, id: string): Promise<boolean> {
  const { rows } = await db.execute<{ has: boolean }>(sql`
    select exists (select from workspaces w where w.id = ${id}::uuid and w.cell is null)
      and (exists (select from sends s where s.workspace_id = ${id}::uuid and s.transmitting_at is not null)
        or exists (select from emails e where e.workspace_id = ${id}::uuid and e.sent_at is not null)) as has`);
  return rows[0]!.has;
}

/** The one statement by which the workspace lives in the other cell. False where it is not being moved there. */
export async function switchTo(db: Db, id: string, cell: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update workspaces set frozen_at = null where id = ${id}::uuid and frozen_at is not null and cell = ${cell} returning id`);
  return rows.length > 0;
}

/** The entry of one that was erased where it lives: from here on the full check erases it here as any other. */
export async function eraseEntry(db: Db, id: string, now: Date): Promise<void> {
  const at = instantParam(now);
  await db.execute(sql`
    update workspaces set deleted_at = ${at}, erasure_began_at = ${at}
    where id = ${id}::uuid and cell is not null and frozen_at is null and erasure_began_at is null`);
}

/** An arrival that was called off, of a workspace that lives in another cell: its entry is as before. */
export async function leaveEntry(db: Db, id: string): Promise<void> {
  await db.execute(sql`update workspaces set frozen_at = null where id = ${id}::uuid`);
}
