import { sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { isInUseHere } from "../base/moving.ts";
import { bool, instant, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import { armsOf } from "../engine/draw.ts";
import type { CampaignStatus, Step } from "../schema/index.ts";

/** A step of a campaign. */
export interface StepKey {
  campaignId: string;
  step: number;
}

/** What of one arm was judged together, drawn by the same weights. */
export interface JudgedBlock {
  /** Names the block: the date on which it was judged, and by which weights its sends were drawn. */
  block: string;
  arm: string;
  n: number;
  replied: number;
  clicked: number;
  harmed: number;
}

export type Experiment = ReturnType<typeof readExperiment> & {
  /** By the order in which they were judged. */
  blocks: JudgedBlock[];
};

const readExperiment = rowReader({
  campaignId: text,
  step: integer,
  status: typed<CampaignStatus>(),
  configVersion: integer,
  config: typed<Step>(),
  /** Of the variants, in their order. */
  arms: typed<string[]>(),
  version: integer,
  weighedOn: orNull(text),
  frozenAt: orNull(instant),
  winner: orNull(text),
  vetoed: typed<string[]>(),
  /** In force; null where they are as configured. */
  weights: orNull(typed<Record<string, number>>()),
  /** Sends that went out and are not judged yet. */
  isAwaited: bool,
});

const readBlock = rowReader({
  step: integer,
  block: text,
  arm: text,
  n: integer,
  replied: integer,
  clicked: integer,
  harmed: integer,
});

/** When a send was taken; one that only counts as sent was handed over then. */
const TAKEN = sql`coalesce(s.accepted_at, s.transmitting_at)`;
const IS_OUT = sql`s.campaign_id = e.campaign_id and s.step = e.step and s.state in ('accepted', 'assumed_sent') and s.arm is not null
      and (e.since is null or ${TAKEN} >= e.since)`;

/** Enters the steps that are tried out of campaigns that run, and answers those that may be due: not weighed since `latest`, the latest date anywhere. */
export async function dueExperiments(
  db: Db,
  latest: string,
  limit: number,
  now: Date,
): Promise<(StepKey & { timezone: string; weighedOn: string | null })[]> {
  const [, { rows }] = await commit(db, [
    db.execute(sql`
      insert into experiments (campaign_id, step, workspace_id, updated_at)
      select c.id, (s.value ->> 'step')::int, c.workspace_id, ${instantParam(now)}
      from campaigns c cross join lateral jsonb_array_elements(c.steps) s
      where c.status in ('active', 'draining') and jsonb_path_exists(c.steps, '$[*].experiment') and s.value ? 'experiment'
        and ${isInUseHere(sql`c.workspace_id`)}
      on conflict (campaign_id, step) do update set settled = false where experiments.settled`),
    db.execute(sql`
      select e.campaign_id, e.step, c.timezone, e.weighed_on::text as weighed_on from experiments e join campaigns c on c.id = e.campaign_id
      where not e.settled and (e.weighed_on is null or e.weighed_on < ${latest}::date)
      order by e.weighed_on nulls first, e.campaign_id, e.step limit ${limit}`),
  ]);
  return rows.map(readDue);
}
const readDue = rowReader({
  campaignId: text,
  step: integer,
  timezone: text,
  weighedOn: orNull(text),
});

/**
 * Judges the sends of a step whose horizon is over, each once and only for what came within its horizon; and none a
 * second time on a date, so that a block of the evidence is whole before it is looked at. One statement: two workers
 * wait for each other at the row, and the second finds the date taken.
 */
export async function judgeSends(
  db: Db,
  { campaignId, step }: StepKey,
  day: string,
  now: Date,
): Promise<void> {
  await db.execute(sql`
    with e as (
      update experiments set judged_on = ${day}::date
      where campaign_id = ${campaignId} and step = ${step} and (judged_on is null or judged_on < ${day}::date)
      returning campaign_id, step, since
    )
    insert into experiment_judgements (send_id, campaign_id, step, arm, judged_on, weights_version, config_version, accepted_at, replied, clicked, harmed)
    select s.id, s.campaign_id, s.step, s.arm, ${day}::date, coalesce(s.weights_version, 0), s.config_version, ${TAKEN},
           coalesce(s.replied_at <= x.horizon, false) and not harm.is_done, coalesce(s.first_clicked_at <= x.horizon, false), harm.is_done
    from e join campaigns c on c.id = e.campaign_id
    join sends s on ${IS_OUT}
    cross join lateral (
      select ${TAKEN} + make_interval(days => coalesce((c.steps -> (e.step - 1) #>> '{experiment,horizon_days}')::int, 5)) as horizon) x
    cross join lateral (
      select coalesce(s.unsubscribed_at <= x.horizon, false) or coalesce(s.complained_at <= x.horizon, false)
        or (s.replied_at is not null and exists (
          select from conversations v join conversation_messages m on m.conversation_id = v.id
          where v.campaign_lead_id = s.campaign_lead_id and m.class = 'possible_opt_out' and m.sent_at between ${TAKEN} and x.horizon)) as is_done) harm
    where x.horizon <= ${instantParam(now)} and not exists (select from experiment_judgements j where j.send_id = s.id)
    on conflict (send_id) do nothing`);
}

/** The experiments of a campaign, of steps that are tried out now, with what was judged of them. */
export async function findExperiments(db: Db, campaignId: string): Promise<Experiment[]> {
  const [states, blocks] = await commit(db, [
    db.execute(sql`
      select c.id as campaign_id, (x.value ->> 'step')::int as step, c.status, c.config_version, x.value as config, ${armsOf(sql`x.value`)} as arms,
             coalesce(e.version, 0) as version, e.weighed_on::text as weighed_on, e.frozen_at, e.winner, to_jsonb(coalesce(e.vetoed, '{}')) as vetoed,
             (select v.weights from experiment_versions v where v.campaign_id = e.campaign_id and v.step = e.step and v.version = e.version) as weights,
             exists (select from sends s where ${IS_OUT} and not exists (select from experiment_judgements j where j.send_id = s.id)) as is_awaited
      from campaigns c cross join lateral jsonb_array_elements(c.steps) x
      left join experiments e on e.campaign_id = c.id and e.step = (x.value ->> 'step')::int
      where c.id = ${campaignId} and x.value ? 'experiment' order by 2`),
    db.execute(sql`
      select j.step, concat_ws('/', j.judged_on, j.weights_version, j.config_version) as block, j.arm, count(*) as n,
             count(*) filter (where j.replied) as replied, count(*) filter (where j.clicked) as clicked, count(*) filter (where j.harmed) as harmed
      from experiment_judgements j join experiments e on e.campaign_id = j.campaign_id and e.step = j.step
      where j.campaign_id = ${campaignId} and (e.since is null or j.accepted_at >= e.since)
      group by j.step, j.judged_on, j.weights_version, j.config_version, j.arm
      order by j.step, j.judged_on, j.weights_version, j.config_version, j.arm`),
  ]);
  const judged = Map.groupBy(blocks.rows.map(readBlock), ({ step }) => step);
  return states.rows.map((row) => {
    const experiment = readExperiment(row);
    return { ...experiment, blocks: judged.get(experiment.step) ?? [] };
  });
}

/** It is not looked at any more, until it is tried out again. */
export async function settleExperiment(db: Db, { campaignId, step }: StepKey): Promise<void> {
  await db.execute(
    sql`update experiments set settled = true where campaign_id = ${campaignId} and step = ${step}`,
  );
}
