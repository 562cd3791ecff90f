/** The leads of a dataset that get no mail are counted as each of them is judged by itself. */
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { getCampaign } from "#db/campaigns/campaigns.ts";
import { loadLaunchInputs } from "#db/campaigns/launch-inputs.ts";
import {
  countSuppressed,
  reasonAmong,
  suppressionReason,
} from "#db/base/fragments/suppression-reason.ts";
import { instantParam } from "#db/base/instants.ts";
import { insertActiveCampaign } from "../../support/engine.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi({ eachTest: true });

const LEADS = 60;
/** An entry that is always there. */
const SURE = "a.zz";
const KINDS = [["email"], ["domain"], ["email", "domain"], []];

/** Of leads at three domains, some without an address or a profile; of entries, some that have run out or were erased. */
async function arrange(random: Random, kinds: readonly string[], type: string): Promise<string> {
  const { deps, sql: pool } = api;
  const now = deps.clock.now();
  const rows = await insertActiveCampaign(pool, tenant, { leads: LEADS, now });
  const other = await insertActiveCampaign(pool, tenant, { leads: 8, now, domain: "other.zz" });
  await query`update campaigns set type = ${type} where id = ${rows.campaignId}`;
  await query`update leads set email_key = case row_index % 7 when 0 then null else 'lead' || row_index || '@' || (array['a.zz', 'b.zz', 'example.zz'])[row_index % 3 + 1] end,
    profile_url = case row_index % 2 when 0 then 'https://network.zz/in/' || row_index end where dataset_id in (select dataset_id from campaigns where id = ${rows.campaignId})`;
  await query`update leads set identity_key = coalesce(email_key, profile_url) where workspace_id = ${tenant.workspaceId}`;
  // Added by hand, of another dataset.
  await query`insert into campaign_leads (id, workspace_id, campaign_id, lead_id, dataset_id, row_index, email, email_key, status, current_step, next_step, next_action_at, metadata, created_at, updated_at)
    select gen_random_uuid(), workspace_id, ${rows.campaignId}, lead_id, dataset_id, 1000 + row_index, email, email_key, status, 0, 1, next_action_at, '{}', created_at, updated_at
    from campaign_leads where campaign_id = ${other.campaignId}`;
  const values = [
    ...Array.from(
      { length: LEADS },
      (_, at) => `lead${at}@${["a.zz", "b.zz", "example.zz"][at % 3]!}`,
    ),
    ...["a.zz", "b.zz", "lead3@other.zz", "other.zz", "nobody.zz"],
  ];
  for (const value of values) {
    const kind = value.includes("@") ? "email" : "domain";
    if (!kinds.includes(kind) || (value !== SURE && random.chance(0.6))) continue;
    const expiresAt =
      value !== SURE && random.chance(0.3)
        ? new Date(now.getTime() + (random.chance(0.5) ? -1 : 1) * 3_600_000)
        : null;
    const shown = kind === "email" && random.chance(0.2) ? null : value;
    const reason = random.pick(["manual", "hard_bounce"]);
    await query`insert into suppressions (id, workspace_id, user_id, created_at, updated_at, value, value_hash, kind, reason, expires_at)
      values (${randomUUID()}, ${tenant.workspaceId}, ${tenant.userId}, ${now}, ${now}, ${shown}, encode(sha256(convert_to(${value}::text, 'UTF8')), 'hex'), ${kind}, ${reason}, ${expiresAt})`;
  }
  return rows.campaignId;
}

/** Lead by lead. */
async function judged(
  campaignId: string,
  now: Date,
): Promise<{ total: number; suppressed: number }> {
  const reason = (way: "mail" | "network") =>
    suppressionReason(sql`l.workspace_id`, sql`l.email_key`, instantParam(now), way);
  const { rows } = await api.deps.db.execute<{ total: number; suppressed: number }>(sql`
    select count(*)::int as total, (count(*) filter (where case c.type when 'socialnet' then l.profile_url is not null and ${reason("network")} is not null else ${reason("mail")} is not null end))::int as suppressed
    from campaigns c join leads l on l.dataset_id = c.dataset_id
      or l.id in (select added.lead_id from campaign_leads added where added.campaign_id = c.id and added.dataset_id <> c.dataset_id)
    where c.id = ${campaignId}`);
  return rows[0]!;
}

test.each(
  KINDS.flatMap((kinds) => ["email", "mixed", "socialnet"].map((type) => [kinds, type] as const)),
)("suppressed are those of %o in a campaign of type %s", async (kinds, type) => {
  const seed = KINDS.indexOf(kinds) * 10 + type.length;
  const campaignId = await arrange(createRandom(seed), kinds, type);
  const now = api.deps.clock.now();
  const campaign = (await getCampaign(api.deps.db, tenant.workspaceId, campaignId))!;
  const { leads } = await loadLaunchInputs(api.deps.db, {
    campaign,
    ...{ sampleSize: 0, templateIds: [], profileIds: [], inlineVariables: ["first_name"], now },
  });
  const expected = await judged(campaignId, now);
  expect({ total: leads.total, suppressed: leads.suppressed }).toEqual(expected);
  expect(expected.total).toBe(LEADS + 8);
  // Few hashes and many are looked at in other ways.
  const [key, workspaceId, at] = [
    sql`l.email_key`,
    sql`${tenant.workspaceId}::uuid`,
    instantParam(now),
  ];
  const of = { workspaceId, datasetId: sql`${campaign.datasetId}::uuid`, added: sql`added` };
  const ways = await api.deps.db.execute(sql`
    with added as (select l.* from leads l where l.workspace_id = ${workspaceId} and l.dataset_id <> ${campaign.datasetId})
    select ${countSuppressed(of, at, "mail", 2)}::int as many, ${countSuppressed(of, at)}::int as few,
           (select count(*)::int from leads l where l.workspace_id = ${workspaceId} and ${reasonAmong(workspaceId, key, at)} is not null) as loaded,
           (select count(*)::int from leads l where l.workspace_id = ${workspaceId} and ${suppressionReason(workspaceId, key, at)} is not null) as judged,
           ${countSuppressed(of, at, "network", 2)}::int as many_on_network, ${countSuppressed(of, at, "network")}::int as few_on_network,
           (select count(*)::int from leads l where l.workspace_id = ${workspaceId} and ${reasonAmong(workspaceId, key, at)} <> 'hard_bounce' and l.profile_url is not null) as loaded_on_network,
           (select count(*)::int from leads l where l.workspace_id = ${workspaceId} and ${suppressionReason(workspaceId, key, at, "network")} is not null and l.profile_url is not null) as judged_on_network`);
  const { judged: each, judged_on_network: other } = ways.rows[0]!;
  expect(ways.rows).toEqual([
    {
      ...{ many: each, few: each, loaded: each, judged: each },
      ...{ many_on_network: other, few_on_network: other },
      ...{ loaded_on_network: other, judged_on_network: other },
    },
  ]);
  expect(expected.suppressed > 0).toBe(kinds.length > 0);
});
