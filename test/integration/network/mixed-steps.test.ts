/** Campaigns of both channels: what a lead's mails have of each other, whatever stands between them. */
import { expect, test } from "vitest";
import { networked, tenant, tickNow, useNetwork } from "../../support/network.ts";
import { begun } from "./begin.ts";

useNetwork();

const DAY = 24 * 3600;
const lead = (id: string) => networked.leadOf(id);

async function daysLater(days: number) {
  networked.api.advance(days * DAY + 60);
  await tickNow();
}

const VISIT_THEN_MAILS = [
  { action: "profile_view" },
  { action: "send_email", days: 1, subject: "Hi {{ first_name }}" },
  { action: "send_email", days: 1, subject: "" },
] as const;

test("a mail without a subject goes on in the thread of the mail before it, whichever step began", async () => {
  const { id } = await begun(VISIT_THEN_MAILS, ["accepts-mara-lind"]);
  await daysLater(1);
  await daysLater(1);
  expect(await lead(id)).toMatchObject({ status: "completed", last_error: null });
  const [first, second] = await networked.mailbox.messages();
  expect([first!.subject, second!.subject]).toEqual(["Hi Lead 1", "Hi Lead 1"]);
  expect(second!.headers["references"]).toBe(first!.headers["message-id"]);
});

test("it is shown so before anything is sent, and behind each step", async () => {
  const { campaignId, id } = await begun(VISIT_THEN_MAILS, ["accepts-mara-lind"]);
  const path = `/api/v1/campaigns/${campaignId}/steps/3/render`;
  const shown = async () =>
    (await tenant.call("POST", path, { campaign_lead_id: id })).body.subject;
  expect(await shown()).toBe("Hi Lead 1");
  await daysLater(1);
  expect(await shown()).toBe("Hi Lead 1");
});

/** While it is paused the campaign gets those of its steps (from 1), in this order. */
async function keepSteps(campaignId: string, order: number[]) {
  const path = `/api/v1/campaigns/${campaignId}`;
  const { steps_config: steps } = (await tenant.call("GET", path)).body;
  const kept = order.map((no, index) => ({ ...steps[no - 1], step: index + 1 }));
  const replies = [
    await tenant.call("POST", `${path}/pause`),
    await tenant.call("PATCH", path, { steps: kept }),
    await tenant.call("POST", `${path}/resume`),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
}

const subjects = async () => (await networked.mailbox.messages()).map(({ subject }) => subject);
const acts = ({ account }: Awaited<ReturnType<typeof begun>>) =>
  networked.network
    .acts()
    .filter((act) => act.account === account.providerAccountId)
    .map(({ kind }) => kind);

test("leads that wait for a step of the network get the mail that stands in its place", async () => {
  const rows = await begun(
    [
      { action: "send_email", subject: "One" },
      { action: "message", days: 1, text: "Hello" },
      { action: "send_email", days: 1, subject: "Three" },
    ],
    ["friend-otto-berg"],
  );
  await keepSteps(rows.campaignId, [1, 3]);
  await daysLater(1);
  expect(await subjects()).toEqual(["One", "Three"]);
  const [first, second] = await networked.mailbox.messages();
  expect(second!.from).toBe(first!.from);
  expect(await lead(rows.id)).toMatchObject({ status: "completed", current_step: 2 });
});

test("leads that an account has already get the mail that stands in its place", async () => {
  const rows = await begun(
    [
      { action: "profile_view" },
      { action: "message", days: 1, text: "Hello" },
      { action: "send_email", days: 1, subject: "Three" },
    ],
    ["friend-otto-berg"],
  );
  await keepSteps(rows.campaignId, [1, 3]);
  await daysLater(1);
  expect(await subjects()).toEqual(["Three"]);
  expect(await lead(rows.id)).toMatchObject({ status: "completed", current_step: 2 });
});

test("steps that are swapped go out each by its channel", async () => {
  const rows = await begun(
    [
      { action: "send_email", subject: "One" },
      { action: "send_email", days: 1, subject: "Two" },
      { action: "profile_view", days: 1 },
    ],
    ["friend-otto-berg"],
  );
  await keepSteps(rows.campaignId, [1, 3, 2]);
  await daysLater(1);
  expect(await subjects()).toEqual(["One"]);
  expect(acts(rows)).toEqual(["visit"]);
  await daysLater(1);
  expect(await subjects()).toEqual(["One", "Two"]);
  expect(await lead(rows.id)).toMatchObject({ status: "completed", current_step: 3 });
});

test("a lead at a sender of the other channel is not written to: its step says why", async () => {
  const rows = await begun(
    [
      { action: "send_email", subject: "One" },
      { action: "message", days: 1, text: "Hello" },
      { action: "send_email", days: 1, subject: "Three" },
    ],
    ["friend-otto-berg"],
  );
  const variant = { label: "A", weight: 100, type: "INLINE", subject: "Two", body: "Two" };
  await networked.api.sql.query(
    "update campaigns set steps = jsonb_set(steps, '{1,variants}', $2::jsonb) where id = $1",
    [rows.campaignId, JSON.stringify([variant])],
  );
  await networked.api.sql.query(
    "update campaign_leads set alias_id = $2, next_channel = null, next_budget = '' where id = $1",
    [rows.id, rows.aliasIds[0]],
  );
  await daysLater(1);
  expect(await subjects()).toEqual(["One"]);
  expect(await lead(rows.id)).toMatchObject({ status: "failed", stop_reason: "wrong_channel" });
});
