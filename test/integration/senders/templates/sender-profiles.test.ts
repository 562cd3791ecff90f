import { expect, test } from "vitest";
import { type Reply, type Tenant } from "../../../support/api.ts";
import { forceStatus } from "../../../support/campaigns.ts";
import { meetAtDefault, untilWaiting } from "../../../support/locks.ts";
import { insertAccount } from "../../../support/network-accounts.ts";
import { api, useApi } from "../../../support/use-api.ts";

useApi();

const PATH = "/api/v1/sender-profiles/";
const profile = (name: string, more: object = {}) => ({ name, full_name: name, ...more });

test("the first profile is the default, a new default takes the mark, and each change grows the version", async () => {
  const tenant = await api.tenant();
  const first = (await tenant.call("POST", PATH, profile("One"))).body;
  expect([first.is_default, first.language, first.version]).toEqual([true, "en", 1]);
  const second = (await tenant.call("POST", PATH, profile("Two", { is_default: true }))).body;
  const changed = (await tenant.call("PATCH", `${PATH}${first.id}`, { tone: "dry" })).body;
  expect([changed.tone, changed.version, changed.is_default]).toEqual(["dry", 2, false]);
  const list = (await tenant.call("GET", PATH)).body;
  expect(
    list.map(({ id, is_default }: { id: string; is_default: boolean }) => [id, is_default]),
  ).toEqual([
    [first.id, false],
    [second.id, true],
  ]);
});

const defaultsOf = async (tenant: Tenant): Promise<string[]> =>
  (await tenant.call("GET", PATH)).body
    .filter((one: { is_default: boolean }) => one.is_default)
    .map((one: { id: string }) => one.id);
const atOnce = async (tenant: Tenant, calls: (() => Promise<Reply>)[]) => {
  await (await api.tenant()).call("POST", PATH, profile("Elsewhere"));
  return meetAtDefault(api.sql, "sender_profiles", tenant.workspaceId, calls);
};

test("twenty first profiles at once are all made, and one of them is the default", async () => {
  const tenant = await api.tenant();
  const make = () => tenant.call("POST", PATH, profile("New"));
  const replies = await atOnce(
    tenant,
    Array.from({ length: 20 }, () => make),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await defaultsOf(tenant)).toHaveLength(1);
});

test("twenty profiles that each take the mark at once are all made, and one of them keeps it", async () => {
  const tenant = await api.tenant();
  const make = () => tenant.call("POST", PATH, profile("New", { is_default: true }));
  const before = (await make()).body.id;
  const replies = await atOnce(
    tenant,
    Array.from({ length: 20 }, () => make),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await defaultsOf(tenant)).toEqual([expect.not.stringContaining(before)]);
});

test("of nine profiles that are made the default at once, one is it, and all of them were", async () => {
  const tenant = await api.tenant();
  const ids: string[] = [];
  for (const name of "ABCDEFGHI")
    ids.push((await tenant.call("POST", PATH, profile(name))).body.id);
  const replies = await atOnce(
    tenant,
    ids.map((id) => () => tenant.call("PATCH", `${PATH}${id}`, { is_default: true })),
  );
  expect(replies.map(({ status, body }) => [status, body.is_default])).toEqual(
    ids.map(() => [200, true]),
  );
  expect(await defaultsOf(tenant)).toHaveLength(1);
});

test("a change of a profile that is not there leaves the default where it is", async () => {
  const [tenant, stranger] = [await api.tenant(), await api.tenant()];
  const own = (await tenant.call("POST", PATH, profile("Own"))).body.id;
  const other = (await stranger.call("POST", PATH, profile("Other"))).body.id;
  const reply = await tenant.call("PATCH", `${PATH}${other}`, { is_default: true });
  expect(reply.status).toBe(404);
  expect(await defaultsOf(tenant)).toEqual([own]);
});

/** A campaign, still a draft, whose step names the profile. */
async function draftNaming(tenant: Tenant, profileId: string): Promise<string> {
  const dataset = (await tenant.call("POST", "/api/v1/datasets", { name: "D" })).body;
  const campaign = await tenant.call("POST", "/api/v1/campaigns/", {
    name: "C",
    dataset_id: dataset.id,
    type: "socialnet",
    connected_account_id: await insertAccount(api.sql, tenant),
    steps: [
      {
        step: 1,
        action_type: "message",
        variants: [{ type: "INLINE", body: "Hi", sender_profile_id: profileId }],
      },
    ],
  });
  return campaign.body.campaign_id;
}

test("a profile that a campaign under way names cannot be deleted", async () => {
  const tenant = await api.tenant();
  const { id } = (await tenant.call("POST", PATH, profile("Used"))).body;
  const campaignId = await draftNaming(tenant, id);
  await forceStatus(api.sql, campaignId, "paused");
  const refused = await tenant.call("DELETE", `${PATH}${id}`);
  expect([refused.status, refused.body.detail, refused.body.campaign_ids]).toEqual([
    409,
    "IN_USE",
    [campaignId],
  ]);
  await forceStatus(api.sql, campaignId, "completed");
  expect((await tenant.call("DELETE", `${PATH}${id}`)).body).toEqual({ success: true });
});

test("a campaign that gets under way while a profile is being deleted keeps it", async () => {
  const tenant = await api.tenant();
  const { id } = (await tenant.call("POST", PATH, profile("Used"))).body;
  const campaignId = await draftNaming(tenant, id);
  const holder = await api.sql.connect();
  await holder.query("begin");
  await holder.query("lock table sender_profiles in exclusive mode");
  const deleting = tenant.call("DELETE", `${PATH}${id}`);
  await untilWaiting(api.sql, 1);
  await forceStatus(api.sql, campaignId, "launching");
  await holder.query("rollback");
  holder.release();
  expect([(await deleting).status, (await deleting).body.campaign_ids]).toEqual([
    409,
    [campaignId],
  ]);
  expect((await tenant.call("GET", `${PATH}${id}`)).status).toBe(200);
});
