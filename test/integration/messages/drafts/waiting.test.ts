/** What sending-status and forecast say of leads that wait for their texts. */
import { beforeEach, expect, test } from "vitest";
import { createDrafts } from "../../../support/drafts.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

const TEXT = { subject: "Hi", body: "There" };
let drafts: ReturnType<typeof createDrafts>;
beforeEach(() => {
  drafts = createDrafts(sending.api, tenant);
});

async function campaign(policy: string, leads = 2) {
  const rows = await sending.campaign(tenant, { leads });
  await drafts.personalize(rows.campaignId, policy);
  const path = `/api/v1/campaigns/${rows.campaignId}`;
  const of = (index: number) => ({
    campaignId: rows.campaignId,
    campaignLeadId: rows.campaignLeadIds[index]!,
  });
  const lead = async (index = 0) => {
    const { body } = await tenant.call(
      "GET",
      `${path}/sending-status?lead_id=${rows.campaignLeadIds[index]}`,
    );
    return body.lead.reasons.map(({ code, message }: { code: string; message: string }) => [
      code,
      message,
    ]);
  };
  return { ...rows, path, of, lead };
}

test("a lead waits for its draft, and says what is happening about it", async () => {
  const { campaignId, path, of, lead } = await campaign("launch_default");
  expect(await lead()).toEqual([
    [
      "awaiting_draft",
      "It waits for its draft for step 1, and this deployment has no model to write it.",
    ],
  ]);
  sending.api.deps.model = {
    name: "m",
    parameters: { temperature: null, maxTokens: 1 },
    complete: never,
  };
  try {
    expect((await lead())[0][1]).toContain("will be asked for within the hour");
    const id = await drafts.write(of(0), TEXT);
    const set = (change: string) =>
      sending.api.sql.query(`update generations set ${change} where id = $1`, [id]);
    await query`update campaign_leads set hold_reason = 'awaiting_draft' where id = ${of(0).campaignLeadId}`;
    await set("status = 'pending', generated_at = null");
    expect((await lead())[0][1]).toMatch(/which is being written since 20.*Z\.$/);
    await set("error = 'The model cannot be reached.'");
    expect((await lead())[0][1]).toMatch(/being written.*failed: The model cannot be reached\.$/);
    await set("status = 'failed', generated_at = created_at");
    expect((await lead())[0][1]).toBe(
      "It waits for its draft for step 1, which will be asked for again. The last attempt failed: The model cannot be reached.",
    );
  } finally {
    sending.api.deps.model = null;
  }
  const { body } = await tenant.call("GET", `${path}/sending-status`);
  expect(body.leads).toMatchObject({ held: 2, awaiting_draft: 2, awaiting_review: 0 });
  expect(body.reasons).toMatchObject([
    { code: "awaiting_draft", message: "2 leads wait for their drafts." },
  ]);
  expect(campaignId).toBeDefined();
});

const never = () => new Promise<never>(() => {});

test("a lead under review says how it is approved", async () => {
  const { path, lead } = await campaign("hold", 1);
  expect(await lead()).toEqual([
    ["personalization_review_pending", expect.stringContaining("approve")],
  ]);
  const { body } = await tenant.call("GET", `${path}/sending-status`);
  expect(body.leads).toMatchObject({ held: 1, awaiting_draft: 0, awaiting_review: 1 });
  expect(body.reasons).toMatchObject([{ code: "personalization_review_pending" }]);
});

test.each([
  ["launch_default", 3],
  ["cancel", 3],
  ["hold", 1],
])(
  "a forecast under the policy %s counts on %i of three leads, one of which is approved",
  async (policy, count) => {
    const { path, of } = await campaign(policy, 3);
    await drafts.approve(of(1), TEXT);
    const { body } = await tenant.call("GET", `${path}/forecast`);
    expect(body.total_sends).toBe(count);
    expect(body.assumes.join(" ")).toContain("What a model writes is written in time");
    // Not launched yet, it is the same.
    await query`update campaigns set status = 'draft', launched_at = null where id = ${of(0).campaignId}`;
    const draft = await tenant.call("GET", `${path}/forecast`);
    expect([draft.body.basis, draft.body.total_sends]).toEqual(["launched_now", count]);
  },
);
