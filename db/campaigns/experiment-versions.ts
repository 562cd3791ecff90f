import { type SQL, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { instant, integer, orNull, rowReader, typed } from "../base/rows.ts";
import type { ExperimentEvidence, ExperimentReason } from "../schema/index.ts";
import type { Experiment } from "./experiments.ts";

export interface NewVersion {
  weights: Record<string, number> | null;
  evidence: ExperimentEvidence;
  reason: ExperimentReason;
  winnerLabel: string | null;
}

export interface Weighing {
  /** As it was read: of another version, as a freeze makes one too, or another configuration nothing is written. */
  of: Pick<Experiment, "campaignId" | "step" | "version" | "configVersion">;
  day: string;
  winner: string | null;
  vetoed: string[];
  settled: boolean;
  change: NewVersion | null;
  now: Date;
}

/** Closes a step's date, with the new version where the weights change. False where another worker was faster: the date is open for another look, or closed. */
export const recordWeighing = (db: Db, { of, day, change, ...to }: Weighing): Promise<boolean> =>
  recordVersion(db, of, change, to.now, {
    set: sql`weighed_on = ${day}::date, winner = ${to.winner}, vetoed = ${sql.param(to.vetoed)}::text[], settled = ${to.settled}`,
    where: sql`(weighed_on is null or weighed_on < ${day}::date)
      and exists (select from campaigns c where c.id = campaign_id and c.config_version = ${of.configVersion})`,
  });

/** The weights move no more: they stay those in force. */
export const freezeExperiment = (
  db: Db,
  of: Weighing["of"],
  change: NewVersion,
  now: Date,
): Promise<boolean> =>
  recordVersion(db, of, change, now, { set: sql`frozen_at = ${instantParam(now)}` });

/** From now on as if nothing had been sent yet: weights as configured, nothing judged. */
export const resetExperiment = (
  db: Db,
  of: Weighing["of"],
  change: NewVersion,
  now: Date,
): Promise<boolean> =>
  recordVersion(db, of, change, now, {
    set: sql`frozen_at = null, since = ${instantParam(now)}, winner = null, vetoed = '{}'`,
  });

/** The row may be missing yet: the campaign has not been looked at since the step is tried out. */
async function recordVersion(
  db: Db,
  { campaignId, step, version }: Weighing["of"],
  change: NewVersion | null,
  now: Date,
  { set, where = sql`true` }: { set: SQL; where?: SQL },
): Promise<boolean> {
  const at = instantParam(now);
  const [, { rows }] = await commit(db, [
    db.execute(sql`
      insert into experiments (campaign_id, step, workspace_id, updated_at)
      select c.id, ${step}, c.workspace_id, ${at} from campaigns c where c.id = ${campaignId} on conflict do nothing`),
    db.execute(sql`
      with moved as (
        update experiments set ${set}, version = version + ${change === null ? 0 : 1}, updated_at = ${at}
        where campaign_id = ${campaignId} and step = ${step} and version = ${version} and ${where}
        returning campaign_id, step, version, workspace_id
      ), made as (
        insert into experiment_versions (campaign_id, step, version, workspace_id, updated_at, weights, evidence, reason, winner_label)
        select moved.*, ${at}, ${jsonOf(change?.weights ?? null)}, ${jsonOf(change?.evidence ?? {})}, ${change?.reason ?? ""}, ${change?.winnerLabel ?? null}
        from moved where ${change !== null}
      ) select version from moved`),
  ]);
  return rows.length > 0;
}

const jsonOf = (value: unknown): SQL =>
  sql`${value === null ? null : JSON.stringify(value)}::jsonb`;

const readVersion = rowReader({
  step: integer,
  version: integer,
  at: instant,
  weights: orNull(typed<Record<string, number>>()),
  evidence: typed<ExperimentEvidence>(),
  reason: typed<ExperimentReason>(),
});
export type ExperimentVersion = ReturnType<typeof readVersion>;

/** The newest versions of each step of a campaign, newest first. */
export async function findVersions(
  db: Db,
  campaignId: string,
  most: number,
): Promise<ExperimentVersion[]> {
  const { rows } = await db.execute(sql`
    select v.step, v.version, v.updated_at as at, v.weights, v.evidence, v.reason
    from experiments e cross join lateral (
      select * from experiment_versions v where v.campaign_id = e.campaign_id and v.step = e.step order by v.version desc limit ${most}) v
    where e.campaign_id = ${campaignId} order by v.step, v.version desc`);
  return rows.map(readVersion);
}
