import type { Db } from "#db/base/client.ts";
import { countWake } from "#src/domain/engine/idle.ts";
import { createUpstashCache } from "#src/providers/cache/upstash.ts";
import { createLog } from "#src/platform/log.ts";
import { hasLinksOut } from "#db/workspace/moving/state.ts";
import { openDatabase } from "../database.ts";
import { Refusal } from "../refusal.ts";
import { isBehindRouter } from "./router.ts";
import { cancelMove, moveWorkspace, type Wait } from "./move-workspace.ts";

export interface MoveOptions {
  cancel: boolean;
  /** The operator knows that links in mail that was sent lead to the cell that it leaves. */
  leaveLinks: boolean;
}

interface MoveOrder extends MoveOptions {
  db: Db;
  id: string;
  cell: string | undefined;
  now: Date;
  wait: Wait;
  env: Record<string, string | undefined>;
}

/** To the cell of that name, or back out of a move there; answers what was done. */
export async function moveTo({
  db,
  id,
  cell,
  cancel,
  leaveLinks,
  now,
  wait,
  env,
}: MoveOrder): Promise<string> {
  if (cell === undefined || !/^[a-z][a-z0-9]{0,19}$/.test(cell))
    throw new Refusal(
      "move wants a workspace and the name of a cell: a letter, then letters and digits.",
    );
  const settingOf = (name: string) => env[`CELL_${cell.toUpperCase()}_${name}`];
  const url = settingOf("DATABASE_URL");
  if (!url)
    throw new Refusal(`Set CELL_${cell.toUpperCase()}_DATABASE_URL to the database of ${cell}.`);
  if (!cancel && !leaveLinks && (await hasLinksOut(db, id)))
    if (!(await isBehindRouter(env["PUBLIC_BASE_URL"], cell)))
      throw new Refusal(
        `${id} has sent mail whose links would take no opt-out any more, because no router answers for ${cell}: set PUBLIC_BASE_URL to the router's address (docs/design/cells.md). --leave-links moves it all the same.`,
      );
  const target = await openDatabase(url);
  const startedAt = performance.now();
  const lines: string[] = [];
  const elapsed = () => performance.now() - startedAt;
  const move = {
    from: db,
    to: target.db,
    workspaceId: id,
    cell,
    now: () => new Date(now.getTime() + elapsed()),
    say: (line: string) => lines.push(`${(elapsed() / 1000).toFixed(1)} s  ${line}`),
    wake: () => wake(settingOf),
    wait,
  };
  try {
    await (cancel ? cancelMove(move) : moveWorkspace(move));
  } catch (error) {
    // How far it came says more than why it ended.
    if (error instanceof Refusal) throw new Refusal([...lines, error.message].join("\n"));
    throw error;
  } finally {
    await target.close();
  }
  return lines.join("\n");
}

/** The other cell's engine believes its note of when there is work, at most a quarter of an hour. */
async function wake(settingOf: (name: string) => string | undefined): Promise<boolean> {
  const url = settingOf("UPSTASH_REDIS_REST_URL");
  const token = settingOf("UPSTASH_REDIS_REST_TOKEN");
  if (!url || !token) return false;
  await countWake({
    cache: createUpstashCache({ url, token }),
    log: createLog(console.error, () => new Date()),
  });
  return true;
}
