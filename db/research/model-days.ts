import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";

/** Counts one more call on that date (YYYY-MM-DD); false, and none is counted, where there were `limit` already. */
export async function claimModelCall(
  db: Db,
  { workspaceId, day, limit }: { workspaceId: string; day: string; limit: number },
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    insert into model_days as d (workspace_id, day, calls, prompt_tokens, completion_tokens, cost_micros)
    values (${workspaceId}, ${day}, 1, 0, 0, 0)
    on conflict (workspace_id, day) do update set calls = d.calls + 1 where d.calls < ${limit}
    returning 1`);
  return rows.length > 0;
}

/** Adds what a call that was counted on that date used. */
export async function addModelUsage(
  db: Db,
  {
    workspaceId,
    day,
    ...used
  }: {
    workspaceId: string;
    day: string;
    promptTokens: number;
    completionTokens: number;
    costMicros: number;
  },
): Promise<void> {
  await db.execute(sql`
    update model_days
    set prompt_tokens = prompt_tokens + ${used.promptTokens},
        completion_tokens = completion_tokens + ${used.completionTokens},
        cost_micros = cost_micros + ${used.costMicros}
    where workspace_id = ${workspaceId} and day = ${day}`);
}

/** The calls that were made on that date. */
export async function readModelCalls(
  db: Db,
  { workspaceId, day }: { workspaceId: string; day: string },
): Promise<number> {
  const { rows } = await db.execute<{ calls: number }>(
    sql`select calls from model_days where workspace_id = ${workspaceId} and day = ${day}`,
  );
  return rows[0]?.calls ?? 0;
}
