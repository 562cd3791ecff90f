import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { statements } from "../../support/statements.ts";

useSending();
const query = queryOf(() => sending.api.sql);

async function campaignOf(leads: number) {
  const steps = [{ delayDays: 0 }, { delayDays: 1 }, { delayDays: 1 }];
  // Each has a sender of its own, so that nothing waits for one.
  const order = { leads, steps, aliases: Math.min(leads, 10) };
  const { campaignId, campaignLeadIds: ids } = await sending.campaign(tenant, order);
  const path = `/api/v1/campaigns/${campaignId}`;
  const act = (action: string, given: string[], more: object = {}) =>
    tenant.call("POST", `${path}/lead-actions`, { action, campaign_lead_ids: given, ...more });
  const statuses = async () =>
    Object.fromEntries(
      (await query`select id, status from campaign_leads where campaign_id = ${campaignId}`).map(
        (lead: { id: string; status: string }) => [lead.id, lead.status],
      ),
    );
  return { campaignId, ids, path, act, statuses };
}
const sent = async () => (await sending.mailbox.messages()).length;

test("each lead is acted on by itself, and the answer is in the order of the request", async () => {
  const { ids, act, statuses, path } = await campaignOf(4);
  const [first, stopped, replied, left] = ids as [string, string, string, string];
  await tenant.call("POST", `${path}/leads/${stopped}/stop`);
  await tenant.call("POST", `${path}/leads/${replied}/mark`, { as: "replied" });
  const other = await campaignOf(1);
  const unknown = randomUUID();
  const reply = await act("stop", [replied, unknown, first, other.ids[0]!, stopped]);
  expect([reply.status, reply.body.succeeded, reply.body.failed]).toEqual([200, 2, 3]);
  const seen = reply.body.results.map((each: Record<string, unknown>) => [
    each["campaign_lead_id"],
    each["status"],
    each["code"],
  ]);
  expect(seen).toEqual([
    [replied, null, "INVALID_STATE_TRANSITION"],
    [unknown, null, "CAMPAIGN_LEAD_NOT_FOUND"],
    [first, "stopped", null],
    [other.ids[0], null, "CAMPAIGN_LEAD_NOT_FOUND"],
    [stopped, "stopped", null],
  ]);
  expect(reply.body.results[0].message).toBe(
    "The lead is replied; this is possible from pending, active.",
  );
  expect(await statuses()).toEqual({
    [first]: "stopped",
    [stopped]: "stopped",
    [replied]: "replied",
    [left]: "pending",
  });
  expect(await other.statuses()).toEqual({ [other.ids[0]!]: "pending" });
});

test("an id in capitals is the same lead", async () => {
  const { ids, act, statuses } = await campaignOf(2);
  const capitals = ids[0]!.toUpperCase();
  expect((await act("stop", [capitals, ids[0]!])).status, "named twice").toBe(422);
  const { body } = await act("stop", [capitals]);
  expect([body.succeeded, body.failed]).toEqual([1, 0]);
  expect(await statuses()).toEqual({ [ids[0]!]: "stopped", [ids[1]!]: "pending" });
});

test("those that are held get nothing until they are released, and the others go on", async () => {
  const { ids, act } = await campaignOf(4);
  const held = ids.slice(0, 3);
  await act("hold", held, { hold_reason: "a fair" });
  await sending.tick();
  expect(await sent()).toBe(1);
  expect((await act("release", held)).body).toMatchObject({ succeeded: 3, failed: 0 });
  await sending.tick();
  expect(await sent()).toBe(4);
});

test("who replied by a user's word has it at the last message, and goes on where each left off", async () => {
  const { ids, act, campaignId, statuses } = await campaignOf(3);
  await sending.tick();
  sending.api.advance(86_400);
  await act("hold", [ids[2]!]);
  await sending.tick();
  const replies = () => query`
    select step, count(replied_at)::int as replied from sends where campaign_id = ${campaignId} group by step order by step`;
  expect((await act("mark", ids.slice(1), { as: "replied" })).body.succeeded).toBe(2);
  expect(await replies()).toEqual([
    { step: 1, replied: 1 },
    { step: 2, replied: 1 },
  ]);
  const back = await act("mark", [...ids, randomUUID()], { as: "not_replied" });
  expect(back.body.results.map((each: { code: string }) => each.code)).toEqual([
    null,
    null,
    null,
    "CAMPAIGN_LEAD_NOT_FOUND",
  ]);
  expect([...new Set(Object.values(await statuses()))]).toEqual(["active"]);
  expect((await replies()).map(({ replied }: { replied: number }) => replied)).toEqual([0, 0]);
  await sending.tick();
  expect(await sent()).toBe(6);
});

test("five hundred are ended by a handful of requests to the database, and the campaign with them", async () => {
  const { ids, act, path } = await campaignOf(500);
  await tenant.call("GET", path);
  const count = await statements(sending.api);
  expect((await act("stop", ids)).body).toMatchObject({ succeeded: 500, failed: 0 });
  expect(count()).toBeLessThanOrEqual(8);
  expect((await tenant.call("GET", path)).body.status).toBe("completed");
});

test("requests over the same leads at once end each of them once", async () => {
  const { ids, act, statuses } = await campaignOf(60);
  const orders = Array.from({ length: 8 }, (_, no) => (no % 2 === 0 ? ids : ids.toReversed()));
  const replies = await Promise.all(orders.map((each) => act("stop", each)));
  for (const reply of replies) expect([reply.status, reply.body.succeeded]).toEqual([200, 60]);
  expect([...new Set(Object.values(await statuses()))]).toEqual(["stopped"]);
});

test("what a tick sends meanwhile is sent, and goes on no further", async () => {
  const { ids, act, statuses } = await campaignOf(10);
  const [reply] = await Promise.all([act("stop", ids), sending.tick()]);
  expect(reply.body.succeeded).toBe(10);
  expect([...new Set(Object.values(await statuses()))]).toEqual(["stopped"]);
  const before = await sent();
  sending.api.advance(5 * 86_400);
  await sending.tick();
  expect(await sent()).toBe(before);
});

test.each([
  ["no lead", "stop", [], {}, 422],
  ["more than 500", "stop", Array.from({ length: 501 }, () => randomUUID()), {}, 422],
  ["a lead twice", "stop", Array(2).fill(randomUUID()), {}, 422],
  ["no lead's id", "stop", ["x"], {}, 422],
  ["an action that there is not", "delete", [randomUUID()], {}, 422],
  ["a mark without its word", "mark", [randomUUID()], {}, 422],
  ["a hold until yesterday", "hold", [randomUUID()], { hold_until: "2020-01-01T00:00:00Z" }, 422],
  ["a reason of the service's own", "hold", [randomUUID()], { hold_reason: "awaiting_draft" }, 422],
] as const)("%s is refused, and changes nothing", async (_, action, given, more, status) => {
  const { act, statuses, ids } = await campaignOf(1);
  expect((await act(action, [...given], more)).status).toBe(status);
  expect(await statuses()).toEqual({ [ids[0]!]: "pending" });
});

test("a campaign of another workspace is not found", async () => {
  const { path, ids } = await campaignOf(1);
  const other = await sending.api.tenant();
  const body = { action: "stop", campaign_lead_ids: ids };
  expect((await other.call("POST", `${path}/lead-actions`, body)).status).toBe(404);
});
