/** What of a send counts, and until when: each limit from both of its sides. */
import { expect, test } from "vitest";
import { dueExperiments, findExperiments, judgeSends } from "#db/campaigns/experiments.ts";
import { recordWeighing } from "#db/campaigns/experiment-versions.ts";
import {
  DAY,
  labelled,
  sent,
  setStep,
  stateOf,
  tried,
  versions,
  weighAll,
} from "../../../support/experiments.ts";
import { standBefore } from "../../../support/kill-at.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);
const EXPERIMENT = { metric: "reply", horizon_days: 5, floor: 0.05 };

type Counts = Pick<Record<string, number>, "matured" | "successes" | "opt_outs">;
const countsOf = async (of: { path: string }): Promise<number[][]> =>
  (await stateOf(of)).variants.map((each: Counts) => [
    each["matured"],
    each["successes"],
    each["opt_outs"],
  ]);

test("by clicks it is a person's click within the horizon that counts; a machine's, a late one and a reply do not", async () => {
  const of = await tried();
  await setStep(of.id, ["Short", "Long"], {
    experiment: { ...EXPERIMENT, metric: "click" },
  });
  await sent(of.id, [{ n: 4, replied: 4 }, { n: 3 }]);
  await query`
    update sends s set machine_clicks = 1, first_clicked_at = case k when 1 then accepted_at + interval '5 days' when 2 then accepted_at + interval '5 days 1 second' end
    from (select id, row_number() over (partition by arm order by id) as k from sends where campaign_id = ${of.id}) x where x.id = s.id`;
  await weighAll();
  expect(await countsOf(of)).toEqual([
    [4, 1, 0],
    [3, 1, 0],
  ]);
});

test("complaints, unsubscriptions and replies that may be opt-outs are harm within the horizon, and behind it nothing", async () => {
  const of = await tried();
  await sent(of.id, [{ n: 3, replied: 3 }, { n: 4 }]);
  await query`
    with sent as (select id, arm, row_number() over (partition by arm order by id) as k from sends where campaign_id = ${of.id})
    update sends s set complained_at = accepted_at + case k when 1 then interval '1 day' when 2 then interval '6 days' end,
      unsubscribed_at = accepted_at + case k when 3 then interval '1 day' when 4 then interval '6 days' end
    from sent where sent.id = s.id and s.replied_at is null`;
  const [answered] =
    await query`select campaign_lead_id from sends where campaign_id = ${of.id} and replied_at is not null order by id`;
  await query`
    insert into conversations (id, workspace_id, user_id, created_at, updated_at, alias_id, peer_key, channel, subject, last_message_at, unread, campaign_lead_id)
    select gen_random_uuid(), workspace_id, user_id, now(), now(), id, 'ann@inbox.zz', 'email', 'Hello', now(), 1, ${answered.campaign_lead_id} from mail_aliases where workspace_id = ${tenant.workspaceId} limit 1`;
  const say = (said: string, after: string) => query`
    insert into conversation_messages (id, workspace_id, conversation_id, direction, class, from_email, to_emails, text, sent_at, dedup_key)
    select gen_random_uuid(), v.workspace_id, v.id, 'in', ${said}, 'ann@inbox.zz', '{}', 'No', s.accepted_at + ${after}::interval, gen_random_uuid()
    from conversations v join sends s on s.campaign_lead_id = v.campaign_lead_id where v.workspace_id = ${tenant.workspaceId}`;
  await say("reply", "1 day");
  await say("possible_opt_out", "5 days 1 second");
  await weighAll();
  expect(await countsOf(of)).toEqual([
    [3, 3, 0],
    [4, 0, 2],
  ]);

  const other = await tried();
  await sent(other.id, [{ n: 2, replied: 2 }, { n: 1 }]);
  await query`
    update conversations set campaign_lead_id = (select campaign_lead_id from sends where campaign_id = ${other.id} and replied_at is not null order by id limit 1)
    where workspace_id = ${tenant.workspaceId}`;
  await query`delete from conversation_messages where workspace_id = ${tenant.workspaceId}`;
  await say("possible_opt_out", "5 days");
  await weighAll();
  expect(await countsOf(other)).toEqual([
    [2, 1, 1],
    [1, 0, 0],
  ]);
});

test("the horizon is the step's own, to the second; without an arm, unsent or doubtful a send is no part of it", async () => {
  const of = await tried();
  await setStep(of.id, ["Short", "Long"], { experiment: { ...EXPERIMENT, horizon_days: 2 } });
  await sent(of.id, [
    { n: 5, ago: 2 },
    { n: 5, ago: 2 - 1 / DAY },
  ]);
  await weighAll();
  expect(await countsOf(of)).toEqual([
    [5, 0, 0],
    [0, 0, 0],
  ]);
  await query`
    update sends s set state = case k when 1 then 'failed' when 2 then 'unknown' when 3 then 'assumed_sent' else state end,
      accepted_at = case when k < 4 then null else accepted_at end, transmitting_at = accepted_at, arm = case when k = 4 then null else arm end
    from (select id, row_number() over (order by id) as k from sends s where campaign_id = ${of.id}
      and not exists (select from experiment_judgements j where j.send_id = s.id)) x where x.id = s.id`;
  sending.api.advance(DAY);
  await weighAll();
  // What was assumed to have been sent, and the one whose answer is known.
  expect((await countsOf(of))[1]).toEqual([2, 0, 0]);
});

test("judged is by the date of the campaign's zone, once a date; a date that is over is not closed again", async () => {
  const now = sending.api.deps.clock.now();
  const { db } = sending.api.deps;
  // Never on one date.
  for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    const of = await tried();
    await query`update campaigns set timezone = ${timeZone} where id = ${of.id}`;
    await weighAll();
    const { weighed_on: day } = await stateOf(of);
    expect(day).toBe(new Intl.DateTimeFormat("en-CA", { timeZone }).format(now));
    const [read] = await findExperiments(db, of.id);
    const late = { of: read!, winner: "late", vetoed: [], settled: false, change: null, now };
    expect(await recordWeighing(db, { ...late, day: "2020-01-01" })).toBe(false);
    expect(await recordWeighing(db, { ...late, day })).toBe(false);
  }
});

test("what comes due while a date is weighed is not judged on it any more", async () => {
  const of = await tried();
  await sent(of.id, [
    { n: 80, replied: 1 },
    { n: 80, replied: 9 },
  ]);
  const { leave } = standBefore(async (text, ask) => {
    if (/insert into experiment_versions/.test(text)) {
      await sent(of.id, [{ n: 7 }, { n: 7 }]);
      const [{ judged_on: day }] =
        await query`select judged_on::text from experiments where campaign_id = ${of.id}`;
      const key = { campaignId: of.id, step: 1 };
      await judgeSends(sending.api.deps.db, key, day, sending.api.deps.clock.now());
    }
    return ask();
  });
  await weighAll().finally(leave);
  expect((await countsOf(of)).map(([matured]) => matured)).toEqual([80, 80]);
});

test("a block is of one date and one draw, and blocks come in the order in which they were judged", async () => {
  const of = await tried();
  const [first] = await findExperiments(sending.api.deps.db, of.id);
  await sent(of.id, [{ n: 5 }, { n: 5 }]);
  await query`insert into experiments (campaign_id, step, workspace_id, version, updated_at) values (${of.id}, 1, ${tenant.workspaceId}, 1, now())`;
  await sent(of.id, [{ n: 6 }, { n: 6 }]);
  await weighAll();
  sending.api.advance(DAY);
  await sent(of.id, [{ n: 7 }, { n: 7 }]);
  await weighAll();
  const [{ blocks }] = (await findExperiments(sending.api.deps.db, of.id)) as [typeof first & {}];
  const dates = [...new Set(blocks.map(({ block }) => block.slice(0, 10)))];
  expect(dates).toEqual(dates.toSorted());
  expect(blocks.map(({ block, arm, n }) => [block.slice(10), arm, n])).toEqual(
    [
      ["/0/1", 5],
      ["/1/1", 6],
      ["/1/1", 7],
    ].flatMap(([block, n]) => first!.arms.toSorted().map((arm) => [block, arm, n])),
  );
});

test("a step that a model writes is judged, and its weights do not move", async () => {
  const of = await tried();
  await setStep(of.id, ["Short", "Long"], { ai_personalization_enabled: true });
  await sent(of.id, [{ n: 80 }, { n: 80, replied: 40 }]);
  await weighAll();
  expect(await countsOf(of)).toEqual([
    [80, 0, 0],
    [80, 40, 0],
  ]);
  expect(labelled(await stateOf(of))).toEqual({ A: 0.5, B: 0.5 });
  expect(await versions(of.id)).toEqual([]);
});

test("a template's next version is another arm", async () => {
  const of = await tried();
  const { body: template } = await tenant.call("POST", "/api/v1/templates", {
    name: "T",
    subject: "Hello",
    body: "Hello",
  });
  const variants = ["A", "B"].map((label) => ({
    label,
    weight: 50,
    type: "TEMPLATE",
    template_id: template.id,
  }));
  await setStep(of.id, ["Short", "Long"], { variants });
  const armsNow = async () => (await findExperiments(sending.api.deps.db, of.id))[0]!.arms;
  const before = await armsNow();
  expect(new Set(before).size).toBe(2);
  await query`update campaigns set steps = jsonb_set(steps, '{0,variants,0,weight}', '70') where id = ${of.id}`;
  expect(await armsNow()).toEqual(before);
  await query`update templates set version = version + 1 where id = ${template.id}`;
  expect(await armsNow()).not.toContain(before[0]);
});

test("a veto outlives later good days; frozen, neither winner nor veto is written; a reset forgets both", async () => {
  const of = await tried();
  const harmful = [
    { n: 100, replied: 3 },
    { n: 100, replied: 40, harmed: 35 },
  ];
  for (let day = 0; day < 2; day++) {
    await sent(of.id, harmful);
    await weighAll();
    sending.api.advance(DAY);
  }
  expect((await stateOf(of)).variants[1]).toMatchObject({ vetoed: true, weight: 0 });
  for (let day = 0; day < 2; day++) {
    await sent(of.id, [
      { n: 400, harmed: 200 },
      { n: 400, replied: 100 },
    ]);
    await weighAll();
    sending.api.advance(DAY);
  }
  expect((await stateOf(of)).variants[1]).toMatchObject({ vetoed: true, weight: 0 });
  const known = async () =>
    (await query`select winner, vetoed from experiments where campaign_id = ${of.id}`)[0];
  expect((await known()).vetoed).toHaveLength(1);
  await tenant.call("POST", `${of.path}/1/reset`);
  expect(await known()).toEqual({ winner: null, vetoed: [] });
  await tenant.call("POST", `${of.path}/1/freeze`);
  sending.api.advance(DAY);
  for (let day = 0; day < 2; day++) {
    await sent(
      of.id,
      harmful.map((arm) => ({ ...arm, ago: 0 })),
    );
    sending.api.advance(6 * DAY);
    await weighAll();
  }
  expect(await known()).toEqual({ winner: null, vetoed: [] });
  expect((await countsOf(of))[1]![2]).toBe(70);
});

test("a winner is forgotten by a reset; changes are told newest first", async () => {
  const of = await tried();
  for (let day = 0; day < 3; day++) {
    await sent(of.id, [
      { n: 200, replied: 4 },
      { n: 200, replied: 40 },
    ]);
    await weighAll();
    sending.api.advance(DAY);
  }
  expect(await stateOf(of)).toMatchObject({ status: "winner", winner_label: "B" });
  await tenant.call("POST", `${of.path}/1/freeze`);
  const { body } = await tenant.call("POST", `${of.path}/1/reset`);
  expect(body).toMatchObject({ status: "collecting", winner_label: null, frozen_at: null });
  const told = body.history.map(({ version }: { version: number }) => version);
  expect(told.length).toBeGreaterThan(2);
  expect(told).toEqual(told.toSorted((a: number, b: number) => b - a));
  expect(body.history[0]).toMatchObject({ reason: "reset", weights: null });
});

test("a step that is tried out no more is looked at no more", async () => {
  const of = await tried();
  await weighAll();
  await query`update campaigns set steps = steps #- '{0,experiment}' where id = ${of.id}`;
  sending.api.advance(DAY);
  await weighAll();
  const [row] = await query`select settled from experiments where campaign_id = ${of.id}`;
  expect(row).toEqual({ settled: true });
});

test("a campaign that goes on after its end is looked at again; of many steps those that were looked at longest ago come first", async () => {
  const { db, clock } = sending.api.deps;
  const dueNow = async (limit: number) =>
    (await dueExperiments(db, "9999-12-31", limit, clock.now())).map(
      ({ campaignId }) => campaignId,
    );
  const [first, second, third] = [await tried(), await tried(), await tried()];
  await weighAll();
  await query`update campaigns set status = 'completed' where id = ${first.id}`;
  await query`update experiments set weighed_on = weighed_on - 3`;
  await weighAll();
  expect(await dueNow(500)).not.toContain(first.id);
  await query`update campaigns set status = 'active' where id = ${first.id}`;
  await query`update experiments set weighed_on = date '1990-01-02'  where campaign_id = ${second.id}`;
  await query`update experiments set weighed_on = null where campaign_id = ${third.id}`;
  await query`update experiments set weighed_on = date '1990-01-03'  where campaign_id = ${first.id}`;
  const due = await dueNow(500);
  expect(due.filter((id) => [first.id, second.id, third.id].includes(id))).toEqual([
    third.id,
    second.id,
    first.id,
  ]);
  expect(await dueNow(1)).toEqual([third.id]);
});
