/** The storm again, where each step has two texts whose weights move each day: on Postgres, by the service's own draw. */
import { expect, test } from "vitest";
import { type Experiment, findExperiments } from "#db/campaigns/experiments.ts";
import { drawVariant } from "#src/domain/campaigns/experiments/draw.ts";
import { weighExperiments } from "#src/domain/campaigns/experiments/daily.ts";
import { memoryWorld, postgresWorld } from "../support/engine-worlds.ts";
import { inFull } from "../support/full.ts";
import { patience } from "../support/patience.ts";
import { queryOf } from "../support/query.ts";
import { createRandom } from "../support/random.ts";
import { api, useApi } from "../support/use-api.ts";
import { textOf } from "./end-invariants.ts";
import { stormyTried } from "./scenarios.ts";
import { simulate } from "./simulate.ts";

useApi();
const query = queryOf(() => api.sql);

const SIZE = inFull({ campaigns: 10, days: 20, leads: 20 }, { campaigns: 3, days: 4, leads: 8 });
const DAY_MS = 86_400_000;

test.each(inFull([1, 2, 3], [1]))(
  "a storm over steps that are tried out goes as without, and each message has the arm of the weights in force, seed %i",
  async (seed) => {
    const { workspaceId, userId } = await api.tenant();
    const run = { ...stormyTried(seed, SIZE), ...inFull({}, { heartbeatMinutes: 720 }) };
    const ports = { db: api.deps.db, sql: api.sql, owner: { workspaceId, userId } };
    const world = await postgresWorld(ports, run.data, run.start);
    const random = createRandom(seed);
    const ids = run.data.campaigns.map(({ id }) => id);
    const onDay = async (day: number) => {
      const now = new Date(run.start.getTime() + day * DAY_MS);
      await weighExperiments({ ...api.deps, clock: { ...api.deps.clock, now: () => now } });
      for (const id of ids)
        for (const of of await findExperiments(api.deps.db, id)) await moveWeights(of, now);
    };
    /** As a day with much to judge would, which so few leads never have. */
    const moveWeights = (of: Experiment, now: Date) => {
      const part = random.next();
      const weights = JSON.stringify({ [of.arms[0]!]: part, [of.arms[1]!]: 1 - part });
      return query`
        with moved as (update experiments set version = version + 1 where campaign_id = ${of.campaignId} and step = ${of.step} returning *)
        insert into experiment_versions (campaign_id, step, version, workspace_id, updated_at, weights, evidence, reason)
        select campaign_id, step, version, workspace_id, ${now}, ${weights}::jsonb, '{}', 'shifted' from moved`;
    };
    const drawn: [send: string, by: number, newest: number][] = [];
    const load: typeof world.load = async (kind, sendIds) => {
      const steps = await world.load(kind, sendIds);
      const first = await query`
        select s.id, (select coalesce(max(v.version), 0)::int from experiment_versions v
                      where v.campaign_id = s.campaign_id and v.step = s.step and v.updated_at <= s.claimed_at) as newest
        from sends s where s.id = any(${sendIds}) and s.weights_version is null`;
      for (const { id, newest } of first) {
        const step = steps.find(({ sendId }) => sendId === id);
        if (step !== undefined) drawn.push([id, step.draw!.version, newest]);
      }
      return steps;
    };
    const observed = { ...world, load };
    const { violations, sends, hash } = await simulate({
      ...run,
      world: observed,
      onDay,
      restDays: 7,
    });
    expect(violations.map(textOf)).toEqual([]);
    expect(sends).toBeGreaterThan(inFull(30, 20));
    expect(hash).toBe((await simulate({ ...run, world: memoryWorld(run.data) })).hash);

    expect(drawn.filter(([, by, newest]) => by !== newest)).toEqual([]);
    expect(new Set(drawn.map(([, by]) => by)).size).toBeGreaterThan(2);

    const begun = await query`
      select s.campaign_lead_id, s.campaign_id, s.step, s.arm, s.weights_version as version, s.variant_label as label,
        coalesce(v.updated_at <= s.claimed_at, true) as was_in_force, v.weights
      from sends s left join experiment_versions v on v.campaign_id = s.campaign_id and v.step = s.step and v.version = s.weights_version
      where s.attempts > 0 and s.workspace_id = ${workspaceId}`;
    const known = (await Promise.all(ids.map((id) => findExperiments(api.deps.db, id)))).flat();
    for (const send of begun) {
      const of = known.find(
        (each) => each.campaignId === send.campaign_id && each.step === send.step,
      )!;
      const draw = { arms: of.arms, version: send.version, weights: send.weights };
      const { index } = drawVariant(send.campaign_lead_id, send.step, of.config.variants, draw);
      expect(send).toMatchObject({ arm: of.arms[index], label: "AB"[index], was_in_force: true });
    }
    expect(begun.length).toBeGreaterThan(20);
    const [judged] = await query`
      select count(*)::int as n, count(distinct j.send_id)::int as sends, count(*) filter (where j.arm is distinct from s.arm)::int as foreign
      from experiment_judgements j join sends s on s.id = j.send_id where s.workspace_id = ${workspaceId}`;
    expect(judged.n).toBeGreaterThan(10);
    expect(judged).toEqual({ n: judged.n, sends: judged.n, foreign: 0 });
  },
  patience(inFull(1_200_000, 180_000)),
);
