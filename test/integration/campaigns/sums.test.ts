/** What is told of a campaign is read from sums, which are at any time what its messages add up to. */
import { beforeEach, expect, test } from "vitest";
import { foldDeltas, sumCampaign } from "#db/campaigns/fold-sums.ts";
import { ERASED, erasePiece } from "#db/workspace/workspace-erasure.ts";
import { keepSums } from "#src/domain/campaigns/keep-sums.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { runScheduledTick } from "#src/domain/jobs/tick.ts";
import { erasePerson } from "#src/domain/workspace/erase.ts";
import { insertActiveCampaign, insertAliases } from "../../support/engine.ts";
import { meetAtRow } from "../../support/locks.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { changeMessages, countedFigures, guardPauses, saidFigures } from "../../support/sums.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi({ eachTest: true });

const NOW = new Date("2027-03-10T12:34:56.789Z");
const HOUR = 3_600_000;
const LEADS = 12;
const STEPS = 3;

let campaignId: string;
let lanes: string[];
beforeEach(async () => {
  lanes = await insertAliases(api.sql, tenant, 2, { now: NOW });
  const made = await insertActiveCampaign(api.sql, tenant, {
    leads: LEADS,
    aliases: lanes,
    now: NOW,
  });
  campaignId = made.campaignId;
  // Claimed, as the engine makes them; of each lead a message on a network.
  await query`
    insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, variant_label, budget, config_version, slot_at, campaign_day,
      lane_day_until, is_new, claimed_at, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at)
    select gen_random_uuid(), l.workspace_id, l.campaign_id, l.id, step, (${lanes}::uuid[])[1 + (l.row_index + step) % 2], 'claimed', case when step < 3 then l.email_key end,
      case when step = 1 then chr(65 + l.row_index % 2) end, case when step = 3 then 'message' else '' end, 1, ${NOW}, ${NOW}::timestamptz::date + step, ${NOW}, step = 1, ${NOW}, 1, 0, 0, 0, 0, 0, ${NOW}
    from campaign_leads l, generate_series(1, ${STEPS}) step where l.campaign_id = ${campaignId}`;
});

const said = () => saidFigures(api.deps.db, tenant.workspaceId, campaignId);
const counted = () => countedFigures(api.sql, campaignId);
const deltas = async () =>
  (await query`select 1 from send_deltas where campaign_id = ${campaignId}`).length;

const change = (random: Random) =>
  changeMessages(api.sql, { campaignId, lanes, leads: LEADS, steps: STEPS, now: NOW }, random);

test.each([1, 2, 3])(
  "after any changes, folded in or not, they are what the ledger adds up to (%d)",
  async (seed) => {
    const random = createRandom(seed);
    for (let round = 0; round < 25; round++) {
      await Promise.all(Array.from({ length: 6 }, () => change(random)));
      if (random.below(3) === 0) await foldDeltas(api.deps.db, 1 + random.below(20));
      expect(await said()).toEqual(await counted());
    }
    await keepSums(api.deps);
    expect([await deltas(), await said()]).toEqual([0, await counted()]);
    const { step, clicks } = await counted();
    expect(step).toHaveLength(STEPS);
    expect(clicks).toMatchObject({ openedCount: expect.any(Number) });
    expect(clicks.openedCount * clicks.clickedCount).toBeGreaterThan(0);
  },
);

test("beside folds and each other no change is lost, and none is taken twice", async () => {
  const random = createRandom(9);
  const folds = Array.from({ length: 40 }, () => foldDeltas(api.deps.db, 3));
  const changes = Array.from({ length: 150 }, () => change(random));
  await Promise.all([...folds, ...changes]);
  expect(await said()).toEqual(await counted());
  await Promise.all([keepSums(api.deps), keepSums(api.deps)]);
  expect([await deltas(), await said()]).toEqual([0, await counted()]);
});

test("a lead is opened once, whichever of its messages was, and until none of them was", async () => {
  const opened = async () => (await said()).clicks!.openedCount;
  const setOpens = (opens: number, steps: string) =>
    api.sql.query(
      `update sends set opens = $1 where campaign_lead_id = (select id from campaign_leads where campaign_id = $2 and row_index = 1) and step in (${steps})`,
      [opens, campaignId],
    );
  await setOpens(1, "1, 2");
  expect(await opened()).toBe(1);
  await setOpens(0, "1");
  expect(await opened()).toBe(1);
  await setOpens(2, "1");
  await setOpens(0, "1, 2");
  expect(await opened()).toBe(0);
  await Promise.all(["1", "2", "3"].map((step) => setOpens(1, step)));
  expect(await opened()).toBe(1);
});

/** As a campaign stands after the migration: its messages are there, and no sums. */
async function ofBefore(): Promise<void> {
  await query`insert into campaigns_to_sum (campaign_id) values (${campaignId})`;
  for (const table of ["campaign_sums", "send_deltas", "campaign_lead_hits"])
    await api.sql.query(`delete from ${table} where campaign_id = $1`, [campaignId]);
}

test("a campaign of before there were sums is counted until it has its own, made while its messages change", async () => {
  const random = createRandom(4);
  for (let n = 0; n < 150; n++) await change(random);
  await ofBefore();
  expect(await said()).toEqual(await counted());
  for (let n = 0; n < 20; n++) await change(random);
  await foldDeltas(api.deps.db, 1_000);
  expect(await said()).toEqual(await counted());
  // Two heartbeats at once, and both overtaken.
  const sums = [sumCampaign(api.deps.db, campaignId), sumCampaign(api.deps.db, campaignId)];
  await Promise.all([
    ...sums,
    ...Array.from({ length: 60 }, () => change(random)),
    keepSums(api.deps),
  ]);
  expect(await query`select 1 from campaigns_to_sum where campaign_id = ${campaignId}`).toEqual([]);
  expect(await said()).toEqual(await counted());
  await query`delete from campaigns_to_sum`;
  await keepSums(api.deps);
  expect([await deltas(), await said()]).toEqual([0, await counted()]);
});

test("a first open waits for its campaign's first sums, which know it or do not", async () => {
  const lock = "select pg_advisory_xact_lock(hashtextextended($1::text || ':sums', 0))";
  const open = () =>
    query`update sends set opens = 1 where campaign_id = ${campaignId} and step = 1`;
  await meetAtRow(api.sql, lock, [campaignId], [open]);
  expect((await said()).clicks!.openedCount).toBe(LEADS);
  // And they for an open that is being written.
  await ofBefore();
  const shared = lock.replace("lock(", "lock_shared(");
  await meetAtRow(api.sql, shared, [campaignId], [() => sumCampaign(api.deps.db, campaignId)]);
  expect((await said()).clicks!.openedCount).toBe(LEADS);
});

test("the heartbeat makes the sums of those of before, and the tick folds in what has changed", async () => {
  await ofBefore();
  await fullCheck(api.deps);
  expect(await query`select 1 from campaigns_to_sum where campaign_id = ${campaignId}`).toEqual([]);
  await query`update sends set state = 'accepted', accepted_at = ${NOW} where campaign_id = ${campaignId} and step = 1`;
  expect(await deltas()).toBe(LEADS);
  await runScheduledTick(api.deps, { extra: false });
  expect([await deltas(), await said()]).toEqual([0, await counted()]);
});

test("they go with their workspace", async () => {
  const tables = ["campaign_sums", "send_deltas", "campaign_lead_hits", "campaigns_to_sum"];
  const kept = async () => {
    const counts = tables.map((table) =>
      api.sql.query(`select count(*)::int as n from ${table} where campaign_id = $1`, [campaignId]),
    );
    return (await Promise.all(counts)).map(({ rows }) => rows[0].n > 0);
  };
  const open = () => query`update sends set opens = opens + 1 where campaign_id = ${campaignId}`;
  await open();
  await keepSums(api.deps);
  await query`insert into campaigns_to_sum (campaign_id) values (${campaignId})`;
  await open();
  expect(await kept()).toEqual([true, true, true, true]);
  for (const each of ERASED) await erasePiece(api.deps.db, each, tenant.workspaceId, 10_000);
  expect(await kept()).toEqual([false, false, false, false]);
});

test("messages that end, and people who are erased, stay in the figures", async () => {
  const random = createRandom(5);
  for (let n = 0; n < 120; n++) await change(random);
  const before = await counted();
  await erasePerson(api.deps, tenant as never, "lead3@example.zz");
  expect(await said()).toEqual(before);
  await query`delete from sends where campaign_id = ${campaignId}`;
  expect(await said()).toEqual(before);
  await keepSums(api.deps);
  expect(await said()).toEqual(before);
});

test("guardrails count the mails of whole hours, and behind a resume none of before it", async () => {
  const hour = Math.floor(NOW.getTime() / HOUR) * HOUR;
  const resumedAt = new Date(hour - 3 * HOUR + 1_000);
  const at = (ms: number) => new Date(ms).toISOString();
  const take = (lead: number, ms: number, bounced: boolean, step = 1) =>
    api.sql.query(
      `update sends s set state = 'accepted', accepted_at = $1, bounced_at = case when $2 then $1::timestamptz + interval '5 hours' end
       from campaign_leads l where l.id = s.campaign_lead_id and s.campaign_id = $3 and l.row_index = $4 and s.step = $5`,
      [at(ms), bounced, campaignId, lead, step],
    );
  // In the hour before, at the hour, in the hour of the resume before and after it, and later.
  await take(1, hour - 10 * HOUR - 1, true);
  await take(2, hour - 10 * HOUR, true);
  await take(3, resumedAt.getTime(), true);
  await take(4, resumedAt.getTime() + 1, false);
  await take(5, hour, true);
  // On a network, which has no bounces: what it does is no mail.
  await take(6, hour, true, 3);
  const pausesAt = (bouncesPerThousand: number, minimumSends: number) =>
    guardPauses(api.deps.db, api.sql, {
      campaignId,
      since: new Date(hour - 10 * HOUR + 59_000),
      now: NOW,
      minimumSends,
      bouncesPerThousand,
    });
  const seen = async (sent: number, bounced: number) => {
    expect([await pausesAt((bounced * 1000) / sent, sent), await pausesAt(1, sent + 1)]).toEqual([
      true,
      false,
    ]);
    expect(await pausesAt(Math.floor((bounced * 1000) / sent) + 1, sent)).toBe(false);
  };
  for (const fold of [false, true]) {
    if (fold) await keepSums(api.deps);
    await query`update campaigns set guard_since = null where id = ${campaignId}`;
    await seen(4, 3);
    await query`update campaigns set guard_since = ${resumedAt} where id = ${campaignId}`;
    if (!fold) await seen(2, 1);
  }
  // Taken and folded in after the resume: the hour is told apart.
  await ofBefore();
  await keepSums(api.deps);
  await seen(2, 1);
});
