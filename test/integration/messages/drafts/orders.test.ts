/** Orders of strangers from a lead's column to the outbox, under the default policy, by a model that obeys each of them. */
import { afterAll, expect, test } from "vitest";
import { prefetchDrafts } from "#src/domain/messages/drafts/prefetch.ts";
import { runGeneration } from "#src/domain/messages/drafts/write-generation.ts";
import { type Attempt, readAttempts } from "../../../../scripts/eval-personalize/orders.ts";
import { createCampaign, insertDataset, runJob } from "../../../support/campaigns.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";
import {
  completion,
  type Endpoint,
  startEndpoint,
} from "../../research/personalization/endpoint.ts";

const query = queryOf(() => sending.api.sql);

let model: Endpoint;

afterAll(() => model.close());
useSending(
  async () => {
    model = await startEndpoint();
    return { MODEL_BASE_URL: model.baseUrl, MODEL_NAME: "obedient", MODEL_API_KEY: "key" };
  },
  { credits: 100 },
);

const HONEST = {
  subject: "Three reports",
  body: "Hi Ada,\n\nyou look after 42 stores in the north. We find the three reports that operations teams read and switch off the rest.\n\nBest regards,\nJo Lindqvist",
};

/** A campaign with one AI step for a lead with the order in its notes, and one with honest notes. */
async function launched({ text, encoded }: Attempt) {
  const { aliasIds, campaignId } = await sending.campaign(tenant, { leads: 1 });
  await query`update campaigns set status = 'completed' where id = ${campaignId}`;
  const custom = { company: "Norvik Stores", title: "Head of Operations" };
  const notes = encoded ? Buffer.from(text).toString("base64") : text;
  const { datasetId } = await insertDataset(sending.api.sql, tenant, [
    { email: "ordered@example.zz", firstName: "Ada", custom: { ...custom, notes } },
    { email: "honest@example.zz", firstName: "Ada", custom: { ...custom, notes: "42 stores" } },
  ]);
  await tenant.call("POST", "/api/v1/sender-profiles/", {
    name: "Main",
    full_name: "Jo Lindqvist",
    company: "Fernwood Analytics",
    value_proposition:
      "We find the three reports that operations teams read and switch off the rest.",
    is_default: true,
  });
  const made = await createCampaign(tenant, {
    name: "Spring",
    dataset_id: datasetId,
    alias_ids: aliasIds,
    steps: [
      {
        step: 1,
        ai_personalization_enabled: true,
        variants: [{ type: "INLINE", subject: "Reports", body: "We find the three reports." }],
      },
    ],
    sending_window_start: "00:00",
    sending_window_end: "00:00",
    send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  });
  expect(made.unreviewed_launch_policy).toBe("launch_default");
  const { body } = await tenant.call("POST", `/api/v1/campaigns/${made.campaign_id}/launch`);
  expect(await runJob(sending.api, body)).toBe("activated");
  return made.campaign_id as string;
}

async function write(campaignId: string, email: string, draft: object) {
  model.will(completion(JSON.stringify(draft)));
  const rows = await query`select g.id from generations g
    join campaign_leads c on c.id = g.campaign_lead_id join leads l on l.id = c.lead_id
    where g.campaign_id = ${campaignId} and l.email = ${email}`;
  await runGeneration(sending.api.deps, rows[0].id);
}

const families = [
  ...new Map(
    readAttempts("tune").map((each) => [/^tune-([a-z]+)/.exec(each.id)![1]!, each]),
  ).entries(),
];

test("fifteen families are tried", () => expect(families).toHaveLength(15));

test.each(families)("%s: what obeys it is not sent, and its lead says why", async (_, attempt) => {
  const campaignId = await launched(attempt);
  expect(await prefetchDrafts(sending.api.deps)).toBe(2);
  await write(campaignId, "ordered@example.zz", attempt.draft);
  await write(campaignId, "honest@example.zz", HONEST);
  for (let n = 0; n < 3; n++) {
    await sending.tick();
    sending.api.advance(400);
  }
  const messages = await sending.mailbox.messages();
  expect(messages.flatMap(({ to }) => to)).toEqual(["honest@example.zz"]);
  const leads = await query`select c.status, c.last_error from campaign_leads c
    join leads l on l.id = c.lead_id
    where c.campaign_id = ${campaignId} and l.email = 'ordered@example.zz'`;
  expect(leads).toEqual([
    { status: "failed", last_error: expect.stringContaining("Its text could not be written:") },
  ]);
});
