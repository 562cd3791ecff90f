/** Whose locks a claim passes over, and whose a begin waits for: each held by another connection while the statement runs. */
import type pg from "pg";
import { expect, test } from "vitest";
import { createPostgresStore } from "#db/engine/index.ts";
import { maintain } from "#src/domain/engine/upkeep.ts";
import { beginWish } from "../../support/begin-wish.ts";
import { untilWaiting } from "../../support/locks.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";

useSending();

const WORKER = "00000000-0000-4000-8000-00000000000a";
const now = () => sending.api.deps.clock.now();
const store = () => createPostgresStore(sending.api.deps.db);

const claim = () =>
  store().claim({ now: now(), until: now(), limit: 10, workerToken: WORKER, leaseSeconds: 600 });

const begin = (id: string) => store().recordAndBegin(now(), WORKER, [], [beginWish(id, now())]);

/** Two campaigns with a lead and a sender each; their lanes are on their day. */
async function twoCampaigns() {
  const campaigns = [
    await sending.campaign(tenant, { leads: 1 }),
    await sending.campaign(tenant, { leads: 1 }),
  ] as const;
  await maintain(store(), now(), now(), new Set());
  return campaigns;
}

/** Does the work while another connection has run that statement and not committed it. */
async function during<Result>(
  statement: string,
  params: unknown[],
  work: (holder: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const holder = await sending.api.sql.connect();
  try {
    await holder.query("begin");
    await holder.query(statement, params);
    return await work(holder);
  } finally {
    await holder.query("rollback");
    holder.release();
  }
}

/** What it answers without waiting for a lock. */
const atOnce = <Result>(work: Promise<Result>): Promise<Result | "waits"> =>
  Promise.race([work, untilWaiting(sending.api.sql, 1).then(() => "waits" as const)]);

const campaignsOf = (claimed: { campaignId: string }[] | "waits") =>
  claimed === "waits" ? claimed : claimed.map(({ campaignId }) => campaignId);

test("a claim passes over a lane that another transaction holds, which keeps its turn", async () => {
  const [held, free] = await twoCampaigns();
  const meanwhile = await during(
    "select id from sender_lanes where id = any($1) for update",
    [held.aliasIds],
    () => atOnce(claim()),
  );
  expect(campaignsOf(meanwhile)).toEqual([free.campaignId]);
  expect(campaignsOf(await claim())).toEqual([held.campaignId]);
});

test("a claim passes over a campaign that is being changed, whose lanes keep their turn", async () => {
  const [held, free] = await twoCampaigns();
  const meanwhile = await during(
    "update campaigns set status = 'paused' where id = $1",
    [held.campaignId],
    () => atOnce(claim()),
  );
  expect(campaignsOf(meanwhile)).toEqual([free.campaignId]);
  expect(campaignsOf(await claim())).toEqual([held.campaignId]);
});

test("a claim that has nothing but a campaign that is being changed waits for it, and obeys the change", async () => {
  const { campaignId } = await sending.campaign(tenant, { leads: 1 });
  await maintain(store(), now(), now(), new Set());
  const claimed = await during(
    "update campaigns set status = 'paused' where id = $1",
    [campaignId],
    async (holder) => {
      const claiming = claim();
      expect(await atOnce(claiming)).toBe("waits");
      await holder.query("commit");
      return claiming;
    },
  );
  expect(claimed).toEqual([]);
});

const STOPS = [
  {
    what: "a campaign that is being paused",
    statement: "update campaigns set status = 'paused' where id = $1",
    reason: "campaign_not_running",
  },
  {
    what: "a lead that is being stopped",
    statement: "update campaign_leads set status = 'replied' where campaign_id = $1",
    reason: "lead_not_active",
  },
  {
    what: "a sender that is being closed",
    statement:
      "update sender_lanes set open = false where id in (select lane_id from sends where campaign_id = $1)",
    reason: "sender_not_active",
  },
];

test.each(STOPS)("a begin waits for $what, and is refused", async ({ statement, reason }) => {
  const { campaignId } = await sending.campaign(tenant, { leads: 1 });
  await maintain(store(), now(), now(), new Set());
  const [send] = await claim();
  const begun = await during(statement, [campaignId], async (holder) => {
    const beginning = begin(send!.id);
    expect(await atOnce(beginning)).toBe("waits");
    await holder.query("commit");
    return beginning;
  });
  expect(begun).toEqual([{ id: send!.id, begun: false, reason }]);
});
