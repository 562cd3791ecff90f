import { isFenced } from "#db/base/fence.ts";
import { isLockLost } from "#db/base/moving.ts";
import type { Db } from "#db/base/client.ts";
import { dropFence, fencedTables, raiseFence } from "#db/workspace/moving/fence.ts";
import {
  beginSession,
  copyTable,
  emptyTable,
  forgetEntry,
  hasRows,
  isEqual,
  removeRows,
  takenLogins,
} from "#db/workspace/moving/rows.ts";
import {
  arrive,
  freeze,
  leaveEntry,
  type Residence,
  residenceOf,
  switchTo,
  thaw,
} from "#db/workspace/moving/state.ts";
import {
  columnsIn,
  DERIVED,
  type MovedTable,
  movedTables,
  PEOPLE,
} from "#db/workspace/moving/tables.ts";
import { Refusal } from "../refusal.ts";

/** Two databases, each over one connection that is the move's own, and the name by which the second is known. */
export interface Move {
  from: Db;
  to: Db;
  workspaceId: string;
  cell: string;
  now(): Date;
  say(line: string): void;
  /** Wakes the other cell's engine; false where it is not known how. */
  wake(): Promise<boolean>;
  wait: Wait;
}

/** Says why, and lets so much time pass. */
export type Wait = (ms: number, why: string) => Promise<void>;

/** So long messages that are being handed over are waited for: longer than any server is. */
export const PATIENCE_MS = 150_000;
/** No request lives longer: a mailbox or account that is connected waits 90 s for its vendor, a router 100 s for an answer. */
export const LONGEST_REQUEST_MS = 150_000;
const LOOK_AGAIN_MS = 250;

/**
 * Moves a workspace to the other cell: freezes it, copies its rows, compares them, switches the directory, and removes them
 * here. Whoever dies wherever: the same command again goes on where the databases say that it is.
 */
export async function moveWorkspace(move: Move): Promise<void> {
  const { from, to, workspaceId: id, cell, now } = move;
  await beginSessions(move);
  const tables = await movedTables(from, id);
  const { here: before, there } = await residences(move);
  if (before.cell !== null && before.frozenAt === null && there === undefined)
    throw new Refusal(`${id} lives in ${cell}, and that database does not know it.`);
  if (before.cell === null) await begin(move, tables);
  if (before.cell === null || before.frozenAt !== null) {
    await raiseBoth(move, tables);
    await copy(move, tables);
    await compare(move, tables);
    if (!(await switchTo(from, id, cell)))
      throw new Refusal(`${id} is not being moved to ${cell} any more; nothing is switched.`);
  }
  if ((await residenceOf(to, id))?.isArriving === true) await arrive(to, id, now());
  const woken = await move.wake();
  move.say(
    `${id} is in use in ${cell}${woken ? "" : ", whose engine looks for work within a quarter of an hour"}.`,
  );
  await removeRows(from, id, tables);
  await outlastRequests(move);
  await dropBoth(move, "all else is done, and the same command again takes it away.");
  move.say("Its rows here are removed.");
}

/** Two commands at once would each remove what the other one has just made the only copy. */
async function beginSessions({ from, to, workspaceId: id }: Move): Promise<void> {
  const areAlone = await Promise.all([from, to].map((db) => beginSession(db, id)));
  if (areAlone.includes(false))
    throw new Refusal(
      `Another command is moving ${id}: wait for its end. Of one that was killed the last statement may still run; try again in a minute.`,
    );
}

/**
 * A request that began here before the freeze may still insert, into tables that refer to nothing: behind the fence it is
 * refused, without it what it answered 2xx for would be lost. People are not the workspace's alone.
 */
async function outlastRequests({ from, to, workspaceId: id, cell, now, wait }: Move) {
  await dropFence(to, id);
  await dropFence(from, id, (table) => isOneOf(PEOPLE, table));
  const frozenAt = (await residenceOf(to, id))?.arrivedAt;
  if (frozenAt == null || (await fencedTables(from, id)).length === 0) return;
  const ms = frozenAt.getTime() + LONGEST_REQUEST_MS - now().getTime();
  if (ms <= 0) return;
  await wait(
    ms,
    `${id} is in use in ${cell}. The fence here stands for ${Math.ceil(ms / 1000)} s more, for requests that began before the move; if this command ends now, the same command again takes it away.`,
  );
}

async function begin(move: Move, tables: readonly MovedTable[]): Promise<void> {
  const { from, to, workspaceId: id, cell, now } = move;
  const names = new Set(tables.map(({ name }) => name));
  const shapes = await Promise.all(
    [from, to].map(async (db) =>
      JSON.stringify((await columnsIn(db)).filter(({ table }) => names.has(table))),
    ),
  );
  if (shapes[0] !== shapes[1])
    throw new Refusal("The two databases are of different releases: npm run db:migrate for both.");
  const taken = await takenLogins(from, to, id);
  if (taken.length > 0)
    throw new Refusal(
      `${taken.map(({ subject }) => subject).join(", ")}: in ${cell} this login is another user's, who has begun there by themselves. Take it out of one of the two first.`,
    );
  if (!(await freeze(from, id, cell, now())))
    throw new Refusal(`${id} is not in use here any more.`);
  move.say(`${id} is frozen.`);
}

/** Behind this nothing of the workspace changes, in either database, but by this move. */
async function raiseBoth(move: Move, tables: readonly MovedTable[]): Promise<void> {
  const { from, to, workspaceId: id } = move;
  try {
    await raise(to, id, tables, move);
    await raise(from, id, tables, move);
  } catch (error) {
    if (error instanceof Refusal) await takeBack(move);
    throw error;
  }
}

async function raise(
  db: Db,
  id: string,
  tables: readonly MovedTable[],
  { now }: Move,
): Promise<void> {
  for (const until = now().getTime() + PATIENCE_MS; ;) {
    try {
      return await raiseFence(db, id, tables, now());
    } catch (error) {
      if (!isFenced(error) && !isLockLost(error)) throw error;
      if (now().getTime() > until)
        throw new Refusal(
          `Messages of ${id} are still being handed over, or its tables are never free; it is in use again, and nothing was moved.`,
          { cause: error },
        );
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

const isOneOf = (names: readonly string[], name: string) => names.includes(name);
const isAnyOf = (names: readonly string[], { name }: MovedTable) => isOneOf(names, name);

/** A table that is equal is done. */
async function copy({ from, to, say }: Move, tables: readonly MovedTable[]): Promise<void> {
  let copied = 0;
  for (const table of tables) {
    if (!isAnyOf(PEOPLE, table) && (await isCopied(from, to, table))) continue;
    // What is there without a name, or was written by a trigger, cannot be told from what comes; an old entry may have more.
    if (table.key.length === 0 || isAnyOf([...DERIVED, "workspace_members", "api_keys"], table))
      await emptyTable(to, table);
    await copyTable(from, to, table);
    copied += 1;
  }
  say(`${copied} tables are copied.`);
}

/** What has not arrived at all need not be compared. */
const isCopied = async (from: Db, to: Db, table: MovedTable): Promise<boolean> =>
  (await hasRows(to, table)) && (await isEqual(from, to, table));

async function compare({ from, to, say }: Move, tables: readonly MovedTable[]): Promise<void> {
  const compared = tables.filter((table) => !isAnyOf(PEOPLE, table));
  for (const table of compared)
    if (!(await isEqual(from, to, table)))
      throw new Refusal(
        `${table.name} is not the same in both databases; nothing is switched. The same command again copies what lacks, --cancel takes the move back.`,
      );
  say(`${compared.length} tables are the same in both.`);
}

/** Takes a move back that has not switched yet: the workspace is in use here, as if nothing had been. */
export async function cancelMove(move: Move): Promise<void> {
  const { workspaceId: id } = move;
  await beginSessions(move);
  const { here } = await residences(move);
  if (here.frozenAt === null)
    throw new Refusal(here.cell === null ? `${id} is not being moved.` : elsewhere(id, here));
  await takeBack(move);
  move.say(`${id} is in use here again; nothing was moved.`);
}

/** What was copied is removed, the entry there is as it was, and the workspace in use here. */
async function takeBack(move: Move): Promise<void> {
  const { from, to, workspaceId: id, now } = move;
  const there = await residenceOf(to, id);
  if (there?.isArriving === true) {
    await removeRows(to, id, await movedTables(to, id));
    await (there.cell === null ? forgetEntry(to, id) : leaveEntry(to, id));
  }
  await thaw(from, id, now());
  await dropBoth(
    move,
    `${id} is in use here again, nothing was moved, and the next move takes the fence away.`,
  );
}

/** Which database it leaves is told by the entries, not by the order in which the two are given. */
async function residences({ from, to, workspaceId: id, cell }: Move) {
  const [here, there] = await Promise.all([from, to].map((db) => residenceOf(db, id)));
  if (here === undefined) throw new Refusal(`There is no workspace ${id}.`);
  if (here.deletedAt !== null) throw new Refusal(`${id} is deleted: restore it first.`);
  if (here.isArriving)
    throw new Refusal(
      `${id} is being moved to this database, not from it: DATABASE_URL is the one that it leaves.`,
    );
  if (here.cell !== null && here.cell !== cell) throw new Refusal(elsewhere(id, here));
  if (there !== undefined && there.frozenAt !== null && !there.isArriving)
    throw new Refusal(`In ${cell}: ${elsewhere(id, there)} End that move first, or cancel it.`);
  const isGoing = here.cell === null || here.frozenAt !== null;
  if (isGoing && there?.frozenAt === null && there.cell === null)
    throw new Refusal(
      `${id} is in use in ${cell} already: docs/operating.md says what to do where one of several cells was restored.`,
    );
  return { here, there };
}

const elsewhere = (id: string, { cell, frozenAt }: Residence): string =>
  frozenAt === null ? `${id} lives in ${cell}.` : `${id} is being moved to ${cell}.`;

async function dropBoth({ from, to, workspaceId: id }: Move, whatElse: string): Promise<void> {
  const left = (await Promise.all([from, to].map((db) => dropFence(db, id)))).flat();
  if (left.length > 0)
    throw new Refusal(
      `The fence still stands at ${left.join(", ")}, whose locks were not to be had: ${whatElse}`,
    );
}
