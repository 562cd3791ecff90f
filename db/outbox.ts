import type { Db, Statement } from "./client.ts";
import { outbox } from "./schema/index.ts";
import type { Json } from "./schema/columns.ts";

export interface OutboxEffect {
  id: string;
  workspaceId: string;
  kind: string;
  /** Names the cause: its second occurrence adds nothing. */
  dedupKey: string;
  payload: Json;
  now: Date;
}

/** Owes an effect to the outside world, in the transaction of whatever causes it. */
export function outboxStatement(db: Db, { now, ...effect }: OutboxEffect): Statement {
  return db
    .insert(outbox)
    .values({ ...effect, createdAt: now, attempts: 0 })
    .onConflictDoNothing({ target: outbox.dedupKey });
}
