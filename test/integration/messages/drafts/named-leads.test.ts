import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { aiCampaign, api, balance, drafted, generate, review, useDrafts } from "./setting.ts";

useDrafts();

test("drafts are written for the leads that are named, as far as they can still get the step", async () => {
  const tenant = await api.tenant();
  const { path } = await aiCampaign(tenant);
  const first = await drafted(tenant, path);
  const [approved, again] = first.enqueued_lead_ids as [string, string];
  await review(tenant, path, approved, "approve", { step_index: 1 });
  const before = await balance(tenant);
  const named = [again, approved, randomUUID()];
  const { status, body } = await generate(tenant, path, { campaign_lead_ids: named });
  expect([status, body.enqueued_lead_ids, body.total]).toEqual([202, [again], 1]);
  expect((await balance(tenant)).held - before.held).toBe(1);
});

test("a lead of another campaign is none of this one's, and nothing is held for it", async () => {
  const tenant = await api.tenant();
  const other = await aiCampaign(tenant);
  const { enqueued_lead_ids: theirs } = await drafted(tenant, other.path);
  const { path } = await aiCampaign(tenant);
  const before = await balance(tenant);
  const { body } = await generate(tenant, path, { campaign_lead_ids: theirs });
  expect(body.total).toBe(0);
  expect(await balance(tenant)).toEqual(before);
  expect((await generate(tenant, path, { campaign_lead_ids: [] })).status).toBe(422);
});
