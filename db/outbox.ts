import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "./client.ts";
import { instantParam } from "./instants.ts";
import { outbox, type PausedReason } from "./schema/index.ts";

export type CampaignNotice =
  | "campaign_paused"
  | "campaign_launch_held"
  | "campaign_launch_cancelled";
export type LeadNotice = "lead_reply" | "lead_hard_bounce" | "lead_complaint";

/** What is owed to the outside world, by kind. Rows wait in databases: a kind keeps its fields. */
export type OutboxPayloads = Record<
  CampaignNotice,
  { campaign_id: string; campaign_name: string; reason: PausedReason }
> &
  Record<LeadNotice, { campaign_id: string; campaign_lead_id: string; send_id: string }>;
type OutboxKind = keyof OutboxPayloads;

export interface OutboxEffect<K extends OutboxKind> {
  id: string;
  workspaceId: string;
  kind: K;
  /** Names the cause: its second occurrence adds nothing. */
  dedupKey: string;
  payload: OutboxPayloads[K];
  now: Date;
}

/** Owes an effect to the outside world, in the transaction of whatever causes it. */
export function outboxStatement<K extends OutboxKind>(
  db: Db,
  { now, ...effect }: OutboxEffect<K>,
): Statement {
  return db
    .insert(outbox)
    .values({ ...effect, createdAt: now, attempts: 0 })
    .onConflictDoNothing({ target: outbox.dedupKey });
}

/** The same in SQL, for each row of a CTE: it has `workspace_id` and what key and payload are made of. */
export function outboxRows<K extends OutboxKind>(
  kind: K,
  cte: SQL,
  dedupKey: SQL,
  payload: Record<keyof OutboxPayloads[K], SQL>,
  now: Date,
): SQL {
  const fields = Object.entries<SQL>(payload).flatMap(([name, value]) => [
    sql`${name}::text`,
    value,
  ]);
  return sql`
    insert into outbox (id, workspace_id, kind, dedup_key, payload, created_at, attempts)
    select gen_random_uuid(), workspace_id, ${kind}, ${dedupKey}, jsonb_build_object(${sql.join(fields, sql`, `)}), ${instantParam(now)}, 0
    from ${cte} on conflict (dedup_key) do nothing`;
}
