import { sql } from "drizzle-orm";
import pg from "pg";
import { expect, inject } from "vitest";
import { createApp } from "#src/app.ts";
import { createDb, type Db } from "#db/base/client.ts";
import { movedTables } from "#db/workspace/moving/tables.ts";
import type { Deps } from "#src/deps.ts";
import { openDatabase } from "../../scripts/admin/database.ts";
import { cancelMove, moveWorkspace } from "../../scripts/admin/move/move-workspace.ts";
import type { TestApi } from "./api.ts";
import { cloneDatabase } from "./database.ts";
import { wrongLeadSums } from "./sums.ts";

/** A second database, and the service over it. */
export interface OtherCell {
  url: string;
  deps: Deps;
  get(path: string, key: string): Promise<Response>;
  rows(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function startOtherCell(api: TestApi): Promise<OtherCell> {
  const database = await cloneDatabase(inject("postgres"));
  const db = createDb({ url: database.url, localGateway: new URL(api.neon.url).host });
  const deps = { ...api.deps, db };
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  const app = createApp({ now: () => new Date(), makeDeps: () => deps });
  return {
    url: database.url,
    deps,
    get: async (path, key) =>
      app.fetch(
        new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${key}` } }),
      ),
    rows: async (text, values) => (await pool.query(text, values)).rows,
    async close() {
      const wrong = await wrongLeadSums(pool);
      await pool.end();
      await database.drop();
      expect(wrong).toEqual([]);
    },
  };
}

/** Thrown in the place of a statement. */
export class Died extends Error {}

/** For moves in whose cells no request is under way. */
export const noWait = async (): Promise<void> => {};

interface MoveOptions {
  /** So many statements, and the process is gone. */
  statements?: number;
  now?: () => Date;
  cancel?: boolean;
  name?: string;
  onSay?: (line: string) => void;
  wait?: (ms: number) => Promise<void>;
}

/** A process of its own that moves the workspace; answers after how many statements it ended. */
export async function runMove(
  [fromUrl, toUrl]: [string, string],
  workspaceId: string,
  {
    statements = Infinity,
    now = () => new Date(),
    cancel = false,
    name = "b",
    onSay,
    wait,
  }: MoveOptions,
): Promise<number> {
  const opened = await Promise.all([fromUrl, toUrl].map(openDatabase));
  let count = 0;
  for (const { db } of opened) {
    const client = (db as unknown as { $client: pg.Client }).$client;
    const query = client.query.bind(client) as (...order: unknown[]) => unknown;
    client.query = ((...order: unknown[]) => {
      if (count >= statements) throw new Died();
      count += 1;
      return query(...order);
    }) as typeof client.query;
  }
  const [from, to] = opened.map(({ db }) => db) as [Db, Db];
  const order = {
    from,
    to,
    workspaceId,
    cell: name,
    now,
    say: onSay ?? (() => {}),
    wake: async () => false,
    wait: wait ?? noWait,
  };
  try {
    await (cancel ? cancelMove(order) : moveWorkspace(order));
    return count;
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

const FREE = new Set([
  "sender_lanes.closed_until",
  "sender_lanes.next_slot_at",
  "sender_lanes.updated_at",
  "workspaces.arrived_at",
  "api_keys.last_used_at",
  "workspace_members.last_seen_at",
  ...["events", "webhooks", "webhook_deliveries"].flatMap((table) => [
    `${table}.tx`,
    `${table}.seq`,
  ]),
]);

/** Every row of the workspace, by table; what a move changes of itself is left out. */
export async function rowsOf(url: string, workspaceId: string): Promise<Record<string, string[]>> {
  const { db, close } = await openDatabase(url);
  try {
    const found: Record<string, string[]> = {};
    for (const { name, rows } of await movedTables(db, workspaceId)) {
      const { rows: all } = await db.execute<{ row: Record<string, unknown> }>(
        sql`select to_jsonb(t) as row from ${sql.identifier(name)} t where ${rows}`,
      );
      if (all.length === 0) continue;
      found[name] = all
        .map(({ row }) =>
          JSON.stringify(Object.entries(row).filter(([column]) => !FREE.has(`${name}.${column}`))),
        )
        .toSorted();
    }
    return found;
  } finally {
    await close();
  }
}
