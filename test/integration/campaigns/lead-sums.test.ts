/** How many leads of a campaign stand where is read from sums, which are at any time what counting its leads says. */
import { beforeEach, expect, test } from "vitest";
import { listCampaigns } from "#db/campaigns/campaigns.ts";
import { foldDeltas } from "#db/campaigns/fold-sums.ts";
import { countCampaignLeads } from "#db/campaigns/lead-counts.ts";
import { campaignsToCount, countCampaign } from "#db/campaigns/lead-sums.ts";
import { materialiseChunk } from "#db/campaigns/launch.ts";
import { ERASED, erasePiece } from "#db/workspace/workspace-erasure.ts";
import { drainCampaign } from "#src/domain/campaigns/drain.ts";
import { keepSums } from "#src/domain/campaigns/keep-sums.ts";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { runScheduledTick } from "#src/domain/jobs/tick.ts";
import { createCampaign, inlineStep, insertDataset, runJob } from "../../support/campaigns.ts";
import { createEagerClock } from "../../support/eager-clock.ts";
import { inFull } from "../../support/full.ts";
import { meetAtRow } from "../../support/locks.ts";
import { queryOf } from "../../support/query.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { tickWith } from "../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { countedLeads } from "../../support/sums.ts";

useSending();
const query = queryOf(() => sending.api.sql);
const DAY = 86_400;
const LEADS = 12;

let campaignId: string;
let aliases: string[];
let seen: Set<string>;
beforeEach(async () => {
  seen = new Set();
  await query`update campaigns set status = 'completed'`;
  const steps = [{ delayDays: 0 }, { delayDays: 1 }, { delayDays: 1 }];
  const made = await sending.campaign(tenant, { leads: LEADS, aliases: 3, steps });
  ({ campaignId, aliasIds: aliases } = made);
});

const deps = () => sending.api.deps;
const idsOf = async (): Promise<string[]> =>
  (await query`select id from campaigns where workspace_id = ${tenant.workspaceId}`).map(
    ({ id }) => id,
  );

/** Without waiting for the slots that come round in it. */
async function tick(seconds: number): Promise<void> {
  sending.api.advance(seconds);
  const clock = createEagerClock(deps().clock.now().getTime());
  await tickWith({ clock });
  sending.api.advance((clock.now().getTime() - deps().clock.now().getTime()) / 1000);
}

/** What is said of each campaign of the workspace, and what there is. */
async function expectExact(): Promise<void> {
  const all = await countedLeads(sending.api.sql);
  const { rows } = await listCampaigns(deps().db, tenant.workspaceId, { offset: 0, limit: 100 });
  const one = async (id: string) => {
    const counted = all.filter((of) => of.campaignId === id);
    const said = await countCampaignLeads(deps().db, tenant.workspaceId, id);
    const byStatus = said.toSorted((a, b) => (a.status < b.status ? -1 : 1));
    expect(byStatus.map((of) => ({ campaignId: id, ...of }))).toEqual(counted);
    const ended = counted.filter(({ status }) => status !== "pending" && status !== "active");
    expect(rows.find((row) => row.id === id)?.processedLeads).toBe(
      ended.reduce((sum, { leads }) => sum + leads, 0),
    );
    for (const { status, held } of counted) seen.add(held > 0 ? `${status}, held` : status);
  };
  await Promise.all((await idsOf()).map(one));
}

/** As a campaign stands after the migration: its leads are there, and no sums. */
async function ofBefore(id = campaignId): Promise<void> {
  await query`
    with gone as (delete from campaign_lead_sums where campaign_id = ${id})
    insert into campaign_lead_sums (campaign_id, leads, held) values (${id}, 0, 0)`;
}

const post = async (path: string, body?: object, method = "POST") => {
  const reply = await tenant.call(method, `/api/v1/${path}`, body);
  expect(reply.status).toBeLessThan(500);
  return reply;
};

const DATASET_ROWS = ["ada", "bob", "eve", "kim"].map((name) => ({ email: `${name}@new.zz` }));

/** A further campaign over new leads, of whom some are erased already; its launch goes through, dies half-way or is not begun. */
async function launchAnother(random: Random): Promise<void> {
  const { datasetId } = await insertDataset(sending.api.sql, tenant, DATASET_ROWS);
  const { campaign_id: id } = await createCampaign(tenant, {
    name: "Another",
    dataset_id: datasetId,
    alias_ids: [random.pick(aliases)],
    steps: [inlineStep()],
    sending_window_start: "00:00",
    sending_window_end: "00:00",
    send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  });
  const { status, body } = await post(`campaigns/${id}/launch`);
  if (status !== 202) return;
  const { launch_job_id: jobId } = body;
  if (random.chance(0.5)) {
    await materialiseChunk(
      deps().db,
      { campaignId: id, jobId, now: deps().clock.now() },
      random.below(4),
    );
    if (random.chance(0.5)) return;
    await query`update campaigns set status = 'failed', launch_error = 'died' where id = ${id}`;
    await post(`campaigns/${id}/${random.pick(["reset", "launch"])}`);
    return;
  }
  await runJob(sending.api, body);
}

/** One thing that the product does, as its users, its engine and its upkeep do it. */
async function act(random: Random): Promise<void> {
  const [leads, campaigns] = [
    await query`select id, lead_id, dataset_id, campaign_id, email from campaign_leads where workspace_id = ${tenant.workspaceId} order by id`,
    await idsOf(),
  ];
  const lead = random.pick(leads);
  const some = leads
    .filter((each: { campaign_id: string }) => each.campaign_id === lead.campaign_id)
    .filter(() => random.chance(0.3))
    .map(({ id }: { id: string }) => id);
  const id = random.pick(campaigns);
  const one = `campaigns/${lead.campaign_id}/leads/${lead.id}`;
  const acts: (() => Promise<unknown>)[] = [
    () => tick(random.pick([120, DAY + 60])),
    () => tick(0),
    () => post(`${one}/${random.pick(["release", "stop"])}`),
    () => post(`${one}/hold`, { hold_reason: "later" }),
    () => post(`${one}/mark`, { as: random.pick(["replied", "not_replied", "resumed"]) }),
    () =>
      post(`campaigns/${lead.campaign_id}/lead-actions`, {
        action: random.pick(["hold", "release", "stop"]),
        campaign_lead_ids: some.length > 0 ? some : [lead.id],
      }),
    () => post(`campaigns/${id}/${random.pick(["pause", "resume", "resume", "drain"])}`),
    () => drainCampaign.run(deps(), { campaign_id: id, version: 1 }),
    () => post(`campaigns/${id}/leads`, { lead_ids: [lead.lead_id] }),
    () =>
      post(
        `campaigns/${id}`,
        { steps: [1, 2, 3].slice(0, 1 + random.below(3)).map((step) => inlineStep(step)) },
        "PATCH",
      ),
    () => post(`campaigns/${id}`, { alias_ids: [random.pick(aliases)] }, "PATCH"),
    () => post(`datasets/${lead.dataset_id}/leads/${lead.lead_id}`, undefined, "DELETE"),
    () => post("leads/erase", { email: lead.email ?? "nobody@example.zz" }),
    () => post("suppressions", { kind: "email", value: lead.email ?? "nobody@example.zz" }),
    () => launchAnother(random),
    () => foldDeltas(deps().db, 1 + random.below(5)),
    () => ofBefore(id),
    () => countCampaign(deps().db, id),
    () => keepSums(deps()),
  ];
  await random.pick(acts)();
}

test.each(inFull([1, 2, 3, 4], [1]))(
  "after whatever users, the engine and its upkeep do, they are what there is (%d)",
  async (seed) => {
    const random = createRandom(seed);
    await expectExact();
    for (let round = 0; round < inFull(100, 60); round++) {
      await act(random);
      await expectExact();
    }
    await keepSums(deps());
    expect(await query`select 1 from campaign_lead_sums where not is_sum`).toEqual([]);
    await expectExact();
    expect(seen.size).toBeGreaterThan(2);
  },
);

test("beside folds and each other no change is lost, and none is taken twice", async () => {
  const random = createRandom(7);
  const changes = Array.from({ length: 60 }, () => {
    const [status, row] = [
      random.pick(["pending", "active", "replied", "stopped"]),
      1 + random.below(LEADS),
    ];
    return query`update campaign_leads set status = ${status} where campaign_id = ${campaignId} and row_index in (${row}, ${row + 1})`;
  });
  await Promise.all([
    ...changes,
    ...Array.from({ length: 30 }, () => foldDeltas(deps().db, 3)),
    countCampaign(deps().db, campaignId),
  ]);
  await expectExact();
});

test("a campaign of before there were sums is counted until it has its own, made while its leads change", async () => {
  await ofBefore();
  await expectExact();
  await tick(0);
  await foldDeltas(deps().db, 1_000);
  await expectExact();
  const stop = () =>
    query`update campaign_leads set status = 'stopped' where campaign_id = ${campaignId} and row_index % 3 = 0`;
  // Two heartbeats at once, each beside a change that they know or do not.
  const row =
    "select 1 from campaign_lead_sums where campaign_id = $1 and status is null for update";
  const count = () => countCampaign(deps().db, campaignId);
  await meetAtRow(sending.api.sql, row, [campaignId], [count, count]);
  await Promise.all([stop(), count()]);
  expect(await campaignsToCount(deps().db, 10)).toEqual([]);
  await expectExact();
  await ofBefore();
  await Promise.all([tick(0), fullCheck(deps()), count()]);
  await expectExact();
  expect(await campaignsToCount(deps().db, 10)).toEqual([]);
});

test("a statement over many leads is one change of each status, and none of what it leaves as it is", async () => {
  await keepSums(deps());
  const deltas = () =>
    query`select status, leads, held from campaign_lead_sums where not is_sum order by status`;
  await query`update campaign_leads set status = 'skipped', hold_reason = 'x' where campaign_id = ${campaignId} and row_index <= 9`;
  expect(await deltas()).toEqual([
    { status: "pending", leads: -9, held: 0 },
    { status: "skipped", leads: 9, held: 9 },
  ]);
  await keepSums(deps());
  await query`update campaign_leads set updated_at = updated_at + interval '1 second', next_step = 2 where campaign_id = ${campaignId}`;
  expect(await deltas()).toEqual([]);
});

test("the tick folds in what has changed, and they go with their workspace", async () => {
  const { workspaceId } = tenant;
  await query`update campaign_leads set status = 'stopped' where campaign_id = ${campaignId} and row_index = 1`;
  await runScheduledTick(deps(), { extra: false });
  const kept = async () =>
    (
      await query`select is_sum, status is null as is_to_count from campaign_lead_sums where campaign_id = ${campaignId} group by 1, 2 order by 1, 2`
    ).map((row: { is_sum: boolean; is_to_count: boolean }) => [row.is_sum, row.is_to_count]);
  expect(await kept()).toEqual([[true, false]]);
  await query`insert into campaign_lead_sums (campaign_id, leads, held) values (${campaignId}, 0, 0)`;
  await query`update campaign_leads set status = 'failed' where campaign_id = ${campaignId} and row_index = 2`;
  expect(await kept()).toEqual([
    [false, false],
    [false, true],
    [true, false],
  ]);
  for (const each of ERASED) await erasePiece(deps().db, each, workspaceId, 10_000);
  expect(await kept()).toEqual([]);
});
