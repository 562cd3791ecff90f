/** What the ledger says of how fast servers answer. */
import { randomUUID } from "node:crypto";
import { PgDialect } from "drizzle-orm/pg-core";
import { beforeEach, expect, test } from "vitest";
import { lastAttemptsStatement } from "#db/engine/last-attempts.ts";
import { findLastAttempts } from "#db/engine/index.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

let now: Date;
let campaignId: string;
let aliasIds: string[];
beforeEach(async () => {
  now = sending.api.deps.clock.now();
  ({ campaignId, aliasIds } = await sending.campaign(tenant, { leads: 3, aliases: 3 }));
});
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

interface SendRow {
  lane?: string;
  state?: string;
  /** Seconds ago. */
  begun?: number | null;
  accepted?: number | null;
}

/** Rows of the ledger, each of a lead of its own; `count` of them alike. */
async function insertSends(
  { lane = aliasIds[0]!, state = "accepted", begun = null, accepted = null }: SendRow,
  count = 1,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const begunAt = begun === null ? null : ago(begun);
  const leaseUntil =
    state === "transmitting"
      ? new Date(begunAt!.getTime() + 660_000)
      : state === "claimed"
        ? new Date(now.getTime() + 180_000)
        : null;
  await sending.api.sql.query(
    `insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, config_version, slot_at, campaign_day,
       lane_day_until, is_new, claimed_at, lease_until, claims, attempts, opens, clicks, machine_opens, machine_clicks, transmitting_at, accepted_at, updated_at)
     select id, $2, $3, gen_random_uuid(), 1, $4, $5, 1, coalesce($6::timestamptz, $9), $9::timestamptz::date, $9, true, $9, $7, 0, 1, 0, 0, 0, 0, $6, $8, $9 from unnest($1::uuid[]) id`,
    [
      ids,
      tenant.workspaceId,
      campaignId,
      lane,
      state,
      begunAt,
      leaseUntil,
      accepted === null ? null : ago(accepted),
      now,
    ],
  );
  return ids;
}

/** By alias, when it began and ended, in seconds before now. */
async function attemptsOf(sendIds: string[]) {
  const attempts = await findLastAttempts(sending.api.deps.db, sendIds, now);
  const before = (at: Date | null) => at && (now.getTime() - at.getTime()) / 1000;
  return attempts
    .filter(({ workspaceId }) => workspaceId === tenant.workspaceId)
    .map(({ laneId, begunAt, endedAt }) => [
      aliasIds.indexOf(laneId),
      before(begunAt),
      before(endedAt),
    ])
    .toSorted();
}

test("of each sender the last accepted message counts, and of all what is awaited", async () => {
  const [claimed] = await insertSends({ state: "claimed" });
  await insertSends({ begun: 900, accepted: 800 });
  await insertSends({ begun: 300, accepted: 299 });
  await insertSends({ lane: aliasIds[1]!, begun: 200, accepted: 100 });
  await insertSends({ lane: aliasIds[2]!, state: "transmitting", begun: 40 });
  expect(await attemptsOf([claimed!])).toEqual([
    [0, 300, 299],
    [2, 40, null],
  ]);
});

test("neither a message that a sign alone shows to have arrived counts, nor one that was tried and came back", async () => {
  const [claimed] = await insertSends({ state: "claimed", begun: 50 });
  await insertSends({ begun: 300, accepted: 300 });
  await insertSends({ state: "retry_wait", begun: 200 });
  await insertSends({ state: "unknown", begun: 100 });
  expect(await attemptsOf([claimed!])).toEqual([]);
});

test("it costs by the senders that are asked about, however long the ledger and however much is claimed", async () => {
  const claimed = (
    await Promise.all(aliasIds.map((lane) => insertSends({ lane, state: "claimed" })))
  ).flat();
  const pages = async () => {
    const { sql, params } = new PgDialect().sqlToQuery(lastAttemptsStatement(claimed, now));
    const { rows } = await sending.api.sql.query(
      `explain (analyze, buffers, format json) ${sql}`,
      params,
    );
    const { Plan: plan } = rows[0]["QUERY PLAN"][0];
    return (plan["Shared Hit Blocks"] as number) + (plan["Shared Read Blocks"] as number);
  };
  for (const lane of aliasIds) await insertSends({ lane, begun: 400, accepted: 399 }, 3_000);
  await insertSends({ lane: randomUUID(), state: "claimed" }, 5_000);
  await sending.api.sql.query("analyze sends");
  expect(await pages()).toBeLessThanOrEqual(10 * aliasIds.length);
});
