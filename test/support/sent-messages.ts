import type pg from "pg";
import type { Tenant } from "./api.ts";

/** A message of a campaign as the ledger has it, written past the engine. */
export interface SentRow {
  campaignId: string;
  laneId: string;
  at: Date;
  step?: number;
  state?: string;
  to?: string;
  attempts?: number;
  refusals?: number;
  /** The last words of the server that took or refused it. */
  reason?: string;
  opens?: number;
  clicks?: number;
  /** What came of it. */
  facts?: readonly Fact[];
}

export const FACTS = [
  "replied",
  "auto_replied",
  "bounced",
  "soft_bounced",
  "unsubscribed",
  "complained",
] as const;
export type Fact = (typeof FACTS)[number];

export async function insertSent(
  sql: pg.Pool,
  { workspaceId }: Pick<Tenant, "workspaceId">,
  rows: readonly SentRow[],
): Promise<void> {
  const fact = (name: Fact) =>
    `case when row->'facts' ? '${name}' then (row->>'at')::timestamptz end`;
  await sql.query(
    `insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at, campaign_day, lane_day_until,
       is_new, claimed_at, claims, attempts, refusals, reason, accepted_at, opens, clicks, machine_opens, machine_clicks, updated_at, ${FACTS.map((name) => `${name}_at`).join(", ")})
     select gen_random_uuid(), $1, (row->>'campaignId')::uuid, gen_random_uuid(), (row->>'step')::int, (row->>'laneId')::uuid, row->>'state', row->>'to', 1, (row->>'at')::timestamptz,
       ((row->>'at')::timestamptz at time zone 'UTC')::date, (row->>'at')::timestamptz, (row->>'step')::int = 1, (row->>'at')::timestamptz, 0, (row->>'attempts')::int, (row->>'refusals')::int, row->>'reason', (row->>'at')::timestamptz,
       (row->>'opens')::int, (row->>'clicks')::int, 0, 0, (row->>'at')::timestamptz, ${FACTS.map(fact).join(", ")}
     from jsonb_array_elements($2::jsonb) row`,
    [
      workspaceId,
      JSON.stringify(
        rows.map((row) => ({
          ...{ step: 1, state: "accepted", to: "a@b.zz", attempts: 1, refusals: 0 },
          ...{ opens: 0, clicks: 0, facts: [], ...row },
        })),
      ),
    ],
  );
}
