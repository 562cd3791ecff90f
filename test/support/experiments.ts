import { randomUUID } from "node:crypto";
import { findExperiments } from "#db/campaigns/experiments.ts";
import { weighExperiments } from "#src/domain/campaigns/experiments/daily.ts";
import { queryOf } from "./query.ts";
import { sending, tenant } from "./sending.ts";

export const DAY = 86_400;
const TEXTS = ["Short", "Long", "Longer"];
const query = queryOf(() => sending.api.sql);

/** The daily look at all that is tried out. */
export const weighAll = () => weighExperiments(sending.api.deps);

/** A campaign of which the first step is tried out. */
export async function tried(arms = 2, leads = 1) {
  const { campaignId } = await sending.campaign(tenant, { leads });
  await setStep(campaignId, TEXTS.slice(0, arms));
  return { id: campaignId, path: `/api/v1/campaigns/${campaignId}/experiments` };
}

export const setStep = (campaignId: string, texts: string[], more: object = {}) =>
  query`update campaigns set config_version = config_version + 1, steps = jsonb_set(steps, '{0}', steps -> 0 || ${JSON.stringify(
    {
      variants: texts.map((body, i) => ({
        label: "ABC"[i],
        weight: 50,
        type: "INLINE",
        subject: "Hello",
        body,
      })),
      experiment: { metric: "reply", horizon_days: 5, floor: 0.05 },
      ...more,
    },
  )}::jsonb) where id = ${campaignId}`;

export interface Sends {
  n: number;
  replied?: number;
  harmed?: number;
  /** Seconds between acceptance and reply. */
  after?: number;
  /** Days since acceptance. */
  ago?: number;
}

/** Messages of the step that went out, by its arms. */
export async function sent(campaignId: string, arms: Sends[]) {
  const [of] = await findExperiments(sending.api.deps.db, campaignId);
  const now = sending.api.deps.clock.now().getTime();
  for (const [i, { n, replied = 0, harmed = 0, after = DAY, ago = 6 }] of arms.entries()) {
    const at = new Date(now - ago * DAY * 1000).toISOString();
    await query`
      insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, email_key, config_version, slot_at, campaign_day,
        lane_day_until, is_new, claimed_at, claims, attempts, accepted_at, opens, clicks, machine_opens, machine_clicks, updated_at, arm, weights_version,
        replied_at, unsubscribed_at)
      select gen_random_uuid(), ${tenant.workspaceId}, ${campaignId}, gen_random_uuid(), 1, ${randomUUID()}, 'accepted', null, 1, ${at}::timestamptz, ${at}::timestamptz::date,
        ${at}::timestamptz, true, ${at}::timestamptz, 0, 1, ${at}::timestamptz, 0, 0, 0, 0, ${at}::timestamptz, ${of!.arms[i]}, ${of!.version},
        case when k <= ${replied} then ${at}::timestamptz + make_interval(secs => ${after}) end, case when k <= ${harmed} then ${at}::timestamptz + interval '1 day' end
      from generate_series(1, ${n}::int) k`;
  }
}

export const stateOf = async ({ path }: { path: string }) =>
  (await tenant.call("GET", path)).body.steps[0];
export const labelled = (state: { variants: { label: string; weight: number }[] }) =>
  Object.fromEntries(state.variants.map(({ label, weight }) => [label, weight]));
export const versions = async (id: string) =>
  (
    await query`select reason from experiment_versions where campaign_id = ${id} order by version`
  ).map(({ reason }) => reason);
