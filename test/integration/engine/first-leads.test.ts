/**
 * A forecast over the first leads of each queue is that over all of them: both ways over campaigns that a storm of faults
 * has left as they are, with holds, retries, suppressions and messages of which nobody knows whether they arrived.
 * And its short way through a tick is the engine's own. What waits is counted as each lead by itself.
 */
import { afterAll, expect, test } from "vitest";
import { type Campaign, getCampaign } from "#db/campaigns/campaigns.ts";
import { loadSendingInputs } from "#db/engine/sending-inputs.ts";
import { loadSnapshot } from "#db/engine/snapshot.ts";
import { createModel } from "#src/domain/engine/memory/index.ts";
import { runAhead } from "#src/domain/engine/run-ahead.ts";
import { type Look, lookAhead } from "#src/domain/campaigns/forecast/forecast.ts";
import { lookAheadTogether } from "#src/domain/campaigns/forecast/together.ts";
import { enoughFor, mayBeSent } from "#src/domain/campaigns/forecast/next-sends.ts";
import {
  idle,
  mixedCampaign,
  stormy,
  stormyChannels,
  stormyDrafts,
} from "../../simulation/scenarios.ts";
import { simulate } from "../../simulation/simulate.ts";
import { aheadByTicks } from "../../support/ahead-by-ticks.ts";
import { postgresWorld } from "../../support/engine-worlds.ts";
import { inFull } from "../../support/full.ts";
import { patience } from "../../support/patience.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";
import { wholeQueue } from "../../support/whole-queue.ts";
import { wholeSnapshot } from "../../support/whole-snapshot.ts";

useApi({ eachTest: true, of: { credits: 1_000_000 } });

const SIZE = { campaigns: 4, days: 2, leads: inFull(40, 15) };

const STORMS = [
  ["faults", stormy, SIZE],
  ["faults over two channels", stormyChannels, SIZE],
  ["texts that a model writes", stormyDrafts, SIZE],
  ["people beside parked senders", idle, { ...SIZE, leads: SIZE.leads * 5 }],
  ["three accounts", mixedCampaign, { ...SIZE, campaigns: 1, leads: SIZE.leads * 4 }],
] as const;

/** So few that most looks come to an edge, and the next ones do not. */
const DEPTHS = [
  { newLeads: 1, followUps: 1, days: 40 },
  { newLeads: 4, followUps: 2, days: 40 },
  { newLeads: 15, followUps: 6, days: 40 },
];

const DEEPER = [...DEPTHS, { newLeads: 20_000, followUps: 20_000 }];

class Enough extends Error {}

/** How many messages the first leads alone foretold, by storm; some seeds leave nothing to foretell. */
const foretold = new Map<string, number>();
afterAll(() => {
  for (const [storm, count] of foretold)
    if (count === 0) throw new Error(`Nothing was foretold by the first leads in ${storm}.`);
});

test.each(
  STORMS.flatMap((storm) =>
    inFull([1, 2, 3, 4, 5, 6], [3]).map((seed) => [...storm, seed] as const),
  ),
)(
  "what the first leads of each queue say is what all leads say: a storm of %s",
  async (name, scenario, size, seed) => {
    const { workspaceId, userId } = tenant;
    const run = scenario(seed, size);
    const ports = { db: api.deps.db, sql: api.sql, owner: { workspaceId, userId } };
    const world = await postgresWorld(ports, run.data, run.start);
    const storm = simulate({
      ...run,
      world,
      restDays: 400,
      onDay(day) {
        if (day === run.days) throw new Enough();
      },
    });
    await expect(storm).rejects.toThrow(Enough);
    const now = new Date(run.start.getTime() + run.days * 86_400_000);
    const deps = { ...api.deps, clock: { ...api.deps.clock, now: () => now } };

    foretold.set(name, foretold.get(name) ?? 0);
    async function compare(campaign: Campaign, look: Omit<Look, "depths">): Promise<void> {
      let first: unknown;
      const few = await lookAhead(deps, campaign, { ...look, depths: DEPTHS }, (db, order) => {
        first = order.first;
        // Of leads whose hold ends by itself two alone.
        return loadSnapshot(db, first === null ? order : { ...order, leadsPerCampaign: 2 });
      });
      const all = await lookAhead(deps, campaign, { ...look, depths: [] }, wholeSnapshot);
      expect(few).toEqual(all);
      if (first !== null && few.sends.length > 0) foretold.set(name, (foretold.get(name) ?? 0) + 1);
    }
    const order = { workspaceId, campaignId: null, notLaunchedDueAt: null, now, first: null };
    const whole = await wholeSnapshot(deps.db, { ...order, leadsPerCampaign: 1_000_000 });
    const until = new Date(now.getTime() + 14 * 86_400_000);
    const limits = { until, periodSeconds: 60, maxSends: 50_000 };
    const modelled = () => createModel(structuredClone(whole));
    const byTicks = await aheadByTicks(modelled(), now, limits);
    expect(await runAhead(modelled(), now, limits)).toEqual(byTicks);

    const together = { days: 14, maxSends: 50_000, mostLeads: 1_000_000 };
    const few = await lookAheadTogether(deps, workspaceId, { ...together, depths: DEEPER });
    const all = await lookAheadTogether(deps, workspaceId, together, wholeSnapshot);
    expect(few).toEqual(all);
    for (const { id } of run.data.campaigns) {
      const campaign = (await getCampaign(deps.db, workspaceId, id))!;
      const { queue } = await loadSendingInputs(deps.db, campaign, undefined, now);
      expect(queue).toEqual(await wholeQueue(deps.db, id, now));
      await compare(campaign, { days: 14 });
      await compare(campaign, { days: 31, enough: enoughFor(id, null) });
      const leads =
        await query`select id from campaign_leads where campaign_id = ${id} and row_index % 8 = 1 order by row_index`;
      for (const { id: leadId } of leads) {
        const { lead } = await loadSendingInputs(deps.db, campaign, leadId, now);
        if (mayBeSent(lead!)) await compare(campaign, { days: 31, enough: enoughFor(id, leadId) });
      }
    }
  },
  patience(inFull(600_000, 120_000)),
);
