/** However a time zone is spelled, it is one zone. */
import * as fs from "node:fs";
import { expect, test } from "vitest";
import { createCampaign, inlineStep, insertAlias, runJob } from "../../../support/campaigns.ts";
import { api, query, tenant, useApi } from "../../../support/use-api.ts";

useApi();

async function imported(zones: string[]) {
  const { body } = await tenant.call("POST", "/api/v1/datasets", { name: "Leads" });
  const rows = zones.map((timezone, no) => ({ email: `lead${no}@example.com`, timezone }));
  const reply = await tenant.call("POST", `/api/v1/datasets/${body.id}/import`, { rows });
  return { id: body.id as string, report: reply.body };
}

async function launched(datasetId: string) {
  const draft = await createCampaign(tenant, {
    name: "Spring",
    dataset_id: datasetId,
    alias_ids: [await insertAlias(api, tenant)],
    steps: [inlineStep(1)],
    use_lead_timezone: true,
    timezone: "aSIA/tOKYO",
  });
  const { body } = await tenant.call("POST", `/api/v1/campaigns/${draft.campaign_id}/launch`);
  expect(await runJob(api, body)).toBe("activated");
  return draft;
}

const zonesOf = async (campaignId: string) =>
  (
    await query`select zone from campaign_zones where campaign_id = ${campaignId} order by zone`
  ).map(({ zone }) => zone);

const timezonesOf = async (datasetId: string) =>
  (await query`select timezone from leads where dataset_id = ${datasetId} order by row_index`).map(
    ({ timezone }) => timezone,
  );

test("a zone in any case is stored as IANA writes it, and a launch makes one of it", async () => {
  const { id, report } = await imported([
    "europe/BERLIN",
    "Europe/Berlin",
    " EUROPE/berlin ",
    "Asia/Calcutta",
    "asia/KOLKATA",
    "us/east-indiana",
    "Etc/gmt+5",
    "GB",
    "+02:00",
    "Europe/\u212Aiev",
  ]);
  expect(report).toMatchObject({ created: 8, rejected: 2 });
  const stored = ["Europe/Berlin", "Asia/Calcutta", "Asia/Kolkata", "US/East-Indiana"];
  stored.push("Etc/GMT+5", "GB");
  expect(await timezonesOf(id)).toEqual(["Europe/Berlin", "Europe/Berlin", ...stored]);
  const campaign = await launched(id);
  expect(campaign.timezone).toBe("Asia/Tokyo");
  expect(await zonesOf(campaign.campaign_id)).toEqual(stored.toSorted());
});

test("the other doors take any case too, and store the one spelling", async () => {
  const { id } = await imported(["Europe/Berlin"]);
  const [lead] = (await tenant.call("GET", `/api/v1/datasets/${id}/leads`)).body.items;
  const path = `/api/v1/datasets/${id}/leads/${lead.id}`;
  const changed = await tenant.call("PATCH", path, { timezone: "america/argentina/buenos_aires" });
  expect(changed.body.timezone).toBe("America/Argentina/Buenos_Aires");
  const { body } = await tenant.call("PATCH", "/api/v1/workspace", { timezone: "utc" });
  expect(body.timezone).toBe("UTC");
});

test("what was stored in other spellings has the one after the migration, a campaign under way too", async () => {
  const { id } = await imported(["Europe/Berlin", "Asia/Calcutta", "Europe/Berlin"]);
  const { campaign_id: campaignId } = await launched(id);
  const spelled = "set timezone = upper(timezone)";
  await api.sql.query(`update leads ${spelled} where row_index = 1 and dataset_id = $1`, [id]);
  await api.sql.query(
    `update campaign_leads ${spelled}, zone = upper(zone) where row_index = 1 and campaign_id = $1`,
    [campaignId],
  );
  await api.sql.query(`update campaigns ${spelled} where id = $1`, [campaignId]);
  await api.sql.query(`update workspaces ${spelled} where id = $1`, [tenant.workspaceId]);
  await query`insert into campaign_zones select campaign_id, upper(zone), open_from, open_until from campaign_zones where campaign_id = ${campaignId}`;
  await query`delete from campaign_zones where campaign_id = ${campaignId} and zone = 'Asia/Calcutta'`;

  const file = "../../../../db/migrations/0053_zones_have_one_spelling.sql";
  const statements = fs.readFileSync(new URL(file, import.meta.url), "utf8");
  await api.sql.query(`begin; ${statements.replaceAll("--> statement-breakpoint", "")}; commit`);

  expect(await timezonesOf(id)).toEqual(["Europe/Berlin", "Asia/Calcutta", "Europe/Berlin"]);
  expect(await zonesOf(campaignId)).toEqual(["Asia/Calcutta", "Europe/Berlin"]);
  const leads =
    await query`select timezone, zone from campaign_leads where campaign_id = ${campaignId} and timezone = zone`;
  expect(leads.map(({ zone }) => zone).toSorted()).toEqual([
    ...["Asia/Calcutta", "Europe/Berlin", "Europe/Berlin"],
  ]);
  const own =
    await query`select c.timezone, w.timezone as of from campaigns c join workspaces w on w.id = c.workspace_id where c.id = ${campaignId}`;
  expect(own).toEqual([{ timezone: "Asia/Tokyo", of: "UTC" }]);
});
