import { expect, test } from "vitest";
import { createEagerClock } from "../../support/eager-clock.ts";
import { replaceGoneSenders } from "#src/domain/campaigns/guardrails.ts";
import { queryOf } from "../../support/query.ts";
import { sending, tenant, useSending } from "../../support/sending.ts";
import { letTimeStandStill } from "../../support/still-time.ts";

const DAY = 86_400;

useSending();
const query = queryOf(() => sending.api.sql);

const laneOf = async (id: string) => (await query`select * from sender_lanes where id = ${id}`)[0];

test("a sender gone for seven days is replaced: the lead goes on from another, in a new thread of the same subject", async () => {
  const { api, campaign, tick, leadOf, mailbox } = sending;
  const { campaignLeadIds, aliasIds } = await campaign(tenant, {
    leads: 1,
    aliases: 2,
    steps: [{ delayDays: 0 }, { delayDays: 1 }],
  });
  await tick();
  const first = (await leadOf(campaignLeadIds[0]!)).alias_id as string;
  const other = aliasIds.find((id) => id !== first)!;
  const disabled = await tenant.call("PATCH", `/api/v1/mailer/aliases/${first}`, {
    status: "disabled",
  });
  expect(disabled.status).toBe(200);
  api.advance(6 * DAY);
  expect(await replaceGoneSenders(api.deps)).toBe(0);
  await tick();
  expect(await mailbox.messages()).toHaveLength(1);
  api.advance(DAY + 60);
  expect(await replaceGoneSenders(api.deps)).toBe(1);
  await tick();
  const [one, two] = await mailbox.messages();
  expect((await leadOf(campaignLeadIds[0]!)).alias_id).toBe(other);
  expect(two!.subject).toBe(one!.subject);
  expect(two!.headers["in-reply-to"]).toBeUndefined();
  expect(two!.from).not.toEqual(one!.from);
});

test("a sender that came back keeps its leads", async () => {
  const { api, campaign, tick, leadOf } = sending;
  const { campaignLeadIds } = await campaign(tenant, {
    leads: 1,
    aliases: 2,
    steps: [{ delayDays: 0 }, { delayDays: 30 }],
  });
  await tick();
  const { alias_id: sender } = await leadOf(campaignLeadIds[0]!);
  const path = `/api/v1/mailer/aliases/${sender}`;
  await tenant.call("PATCH", path, { status: "disabled" });
  expect((await laneOf(sender)).closed_since).not.toBeNull();
  await tenant.call("PATCH", path, { status: "active" });
  expect((await laneOf(sender)).closed_since).toBeNull();
  api.advance(8 * DAY);
  expect(await replaceGoneSenders(api.deps)).toBe(0);
});

test("a lane whose alias vanished is closed, and the others go on", async () => {
  const { api, campaign, tick, mailbox } = sending;
  const { aliasIds } = await campaign(tenant, { leads: 2, aliases: 2 });
  await query`delete from mail_aliases where id = ${aliasIds[0]}`;
  const report = await tick();
  expect(report.accepted).toBe(1);
  expect(await laneOf(aliasIds[0]!)).toMatchObject({ open: false, next_slot_at: null });
  api.advance(120);
  await tick();
  expect(await mailbox.messages()).toHaveLength(2);
});

test("a time zone that tzdata no longer knows closes its campaign, and every other one goes on", async () => {
  const { campaign, tick, mailbox } = sending;
  const broken = await campaign(tenant, { leads: 1, domain: "one.zz" });
  await campaign(tenant, { leads: 1, domain: "two.zz" });
  await query`update campaigns set timezone = 'Mars/Olympus', open_until = now() - interval '1 minute' where id = ${broken.campaignId}`;
  await query`update workspaces set timezone = 'Mars/Olympus' where id = ${tenant.workspaceId}`;
  expect((await tick()).accepted).toBe(1);
  expect((await mailbox.messages()).map(({ to }) => to[0])).toEqual(["lead1@two.zz"]);
});

test("after two refusals by one recipient domain the tick leaves its other sends alone, and spends no attempt", async () => {
  const { api, campaign, tick, sendsOf, mailbox } = sending;
  const { campaignId } = await campaign(tenant, { leads: 8, aliases: 8 });
  // Five begin together and are answered together: while time stands still nobody is late.
  letTimeStandStill();
  // The mailbox defers the first try of such an address by policy.
  await query`update campaign_leads set email = 'greylist+' || row_index || '@example.zz' where campaign_id = ${campaignId}`;
  await tick();
  const sends = await sendsOf(campaignId);
  expect(sends.filter(({ attempts }) => attempts === 1)).toHaveLength(5);
  const spared = sends.filter(({ attempts }) => attempts === 0);
  expect(spared.map(({ state }) => state)).toEqual(Array(3).fill("retry_wait"));
  const reason = "example.zz just refused 5 messages for now; this one waits.";
  expect(spared.map((send) => send.reason)).toEqual(Array(3).fill(reason));
  // The spared ones meet the greylisting once themselves, after their own first try.
  for (let times = 0; times < 2; times++) {
    api.advance(330);
    await tick();
  }
  expect(await mailbox.messages()).toHaveLength(8);
});

test("with a period of two minutes a lane of one action a minute loses no slot", async () => {
  const { api, campaign, mailbox } = sending;
  const { runTick } = await import("#src/domain/jobs/tick.ts");
  await campaign(tenant, { leads: 10, intervalSeconds: 60 });
  const settings = {
    ...api.deps.settings,
    tick: { ...api.deps.settings.tick, periodSeconds: 120 },
  };
  const clock = createEagerClock(api.deps.clock.now().getTime());
  await runTick({ ...api.deps, settings, clock });
  expect(await mailbox.messages()).toHaveLength(2);
});
