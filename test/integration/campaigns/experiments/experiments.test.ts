import { describe, expect, test } from "vitest";
import { loadContexts } from "#db/engine/index.ts";
import { findExperiments } from "#db/campaigns/experiments.ts";
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
import { killDuring, standBefore } from "../../../support/kill-at.ts";
import { queryOf } from "../../../support/query.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

useSending();
const query = queryOf(() => sending.api.sql);

describe("the daily look", () => {
  test("weights stay as configured until 50 of each arm were judged, and then follow", async () => {
    const of = await tried();
    await sent(of.id, [
      { n: 60, replied: 1 },
      { n: 49, replied: 9 },
    ]);
    await weighAll();
    expect(await stateOf(of)).toMatchObject({ status: "collecting", history: [] });
    expect(labelled(await stateOf(of))).toEqual({ A: 0.5, B: 0.5 });
    await sent(of.id, [{ n: 0 }, { n: 1 }]);
    sending.api.advance(DAY);
    await weighAll();
    const state = await stateOf(of);
    expect(state).toMatchObject({ status: "shifting", winner_label: null });
    expect(state.variants.map((each: { matured: number }) => each.matured)).toEqual([60, 50]);
    expect(labelled(state)["B"]).toBeGreaterThan(0.9);
    expect(labelled(state)["A"]).toBeGreaterThanOrEqual(0.05);
    expect(state.history).toMatchObject([{ version: 1, reason: "shifted" }]);
    expect(state.history[0].weights).toEqual(
      state.variants.map(({ label, weight }: Record<string, unknown>) => ({ label, weight })),
    );
  });

  test("a send is judged once: a reply behind the horizon counts no more, before it is too early, and opting out is no success", async () => {
    const of = await tried();
    await sent(of.id, [
      { n: 10, replied: 4, after: 6 * DAY },
      { n: 10, replied: 3, harmed: 2 },
    ]);
    await sent(of.id, [{ n: 7, replied: 7, ago: 4 }, { n: 0 }]);
    await weighAll();
    const [a, b] = (await stateOf(of)).variants;
    expect([a.matured, a.successes]).toEqual([10, 0]);
    expect([b.matured, b.successes, b.opt_outs]).toEqual([10, 1, 2]);
    await query`update sends set replied_at = accepted_at + interval '1 hour' where campaign_id = ${of.id}`;
    sending.api.advance(DAY);
    await weighAll();
    expect((await stateOf(of)).variants[0]).toMatchObject({ matured: 17, successes: 7 });
  });

  test("a winner is named by its evidence, told once, and stays; the other keeps its floor", async () => {
    const of = await tried();
    for (let day = 0; day < 3; day++) {
      await sent(of.id, [
        { n: 200, replied: 4 },
        { n: 200, replied: 30 },
      ]);
      await weighAll();
      sending.api.advance(DAY);
    }
    const state = await stateOf(of);
    expect(state).toMatchObject({ status: "winner", winner_label: "B" });
    expect(state.variants[1].e_value).toBeGreaterThan(state.e_value_needed);
    expect(labelled(state)["A"]).toBeCloseTo(0.05, 3);
    const told =
      await query`select type, data from events where campaign_id = ${of.id} and type like 'experiment.%' order by seq`;
    expect(told.filter(({ type }) => type === "experiment.winner")).toMatchObject([
      { data: { step: 1, variant: "B", reason: "winner" } },
    ]);
    await sent(of.id, [{ n: 400, replied: 300 }, { n: 100 }]);
    await weighAll();
    expect(await stateOf(of)).toMatchObject({ status: "winner", winner_label: "B" });
  });

  test("an arm that more people opt out of is vetoed, whatever its replies: it gets nothing more", async () => {
    const of = await tried(3);
    for (let day = 0; day < 3; day++) {
      await sent(of.id, [
        { n: 100, replied: 3 },
        { n: 100, replied: 40, harmed: 25 },
        { n: 100, replied: 3 },
      ]);
      await weighAll();
      sending.api.advance(DAY);
    }
    const state = await stateOf(of);
    expect(state.variants[1]).toMatchObject({ label: "B", vetoed: true, weight: 0 });
    expect(state.winner_label).toBeNull();
    expect(await versions(of.id)).toContain("vetoed");
  });

  test("an edited text is another arm: it is unknown, and the weights are as configured again", async () => {
    const of = await tried();
    await sent(of.id, [{ n: 60 }, { n: 60, replied: 12 }]);
    await weighAll();
    await setStep(of.id, ["Short", "Another"]);
    expect(labelled(await stateOf(of))).toEqual({ A: 0.5, B: 0.5 });
    expect((await stateOf(of)).variants[1]).toMatchObject({ label: "B", matured: 0 });
    sending.api.advance(DAY);
    await weighAll();
    expect(await versions(of.id)).toEqual(["shifted", "arms_changed"]);
    sending.api.advance(DAY);
    await weighAll();
    expect(await versions(of.id)).toEqual(["shifted", "arms_changed"]);
  });

  test("what a campaign that ended still waits for is judged, and then it is looked at no more", async () => {
    const of = await tried();
    await weighAll();
    await sent(of.id, [
      { n: 60, ago: 3 },
      { n: 60, ago: 3, replied: 20 },
    ]);
    await query`update campaigns set status = 'completed' where id = ${of.id}`;
    for (let day = 0; day < 3; day++) {
      sending.api.advance(DAY);
      await weighAll();
    }
    expect((await stateOf(of)).variants[1]).toMatchObject({ matured: 60, successes: 20 });
    const [row] = await query`select settled from experiments where campaign_id = ${of.id}`;
    expect(row).toEqual({ settled: true });
  });
});

describe("at once, and killed", () => {
  test("eight workers at once make one version and judge each send once", async () => {
    const of = await tried();
    await sent(of.id, [
      { n: 80, replied: 1 },
      { n: 80, replied: 9 },
    ]);
    await Promise.all(Array.from({ length: 8 }, weighAll));
    expect(await versions(of.id)).toEqual(["shifted"]);
    const [{ n }] =
      await query`select count(*)::int as n from experiment_judgements where campaign_id = ${of.id}`;
    expect(n).toBe(160);
  });

  test.each([
    ["insert into experiments ", "after"],
    ["insert into experiment_judgements", "before"],
    ["insert into experiment_judgements", "after"],
    ["concat_ws", "before"],
    ["insert into experiment_versions", "before"],
    ["insert into experiment_versions", "after"],
  ] as const)(
    "a worker that dies at %s (%s) leaves what the next one ends as if alone",
    async (statement, side) => {
      const of = await tried();
      await sent(of.id, [
        { n: 80, replied: 1 },
        { n: 80, replied: 9 },
      ]);
      await killDuring({ statement: new RegExp(statement), side }, weighAll);
      await weighAll();
      const state = await stateOf(of);
      expect(state.variants.map((each: { matured: number }) => each.matured)).toEqual([80, 80]);
      expect(await versions(of.id)).toEqual(["shifted"]);
    },
  );

  test("what comes due on a date that was looked at waits for the next: a block is whole", async () => {
    const of = await tried();
    await weighAll();
    await sent(of.id, [
      { n: 80, replied: 1 },
      { n: 80, replied: 9 },
    ]);
    await weighAll();
    expect((await stateOf(of)).variants[0].matured).toBe(0);
    sending.api.advance(DAY);
    await weighAll();
    expect((await stateOf(of)).variants[0].matured).toBe(80);
  });

  test("a step that is edited, or frozen, while it is weighed keeps its weights", async () => {
    for (const meanwhile of [
      (of: { id: string }) => setStep(of.id, ["Short", "Another"]),
      (of: { path: string }) => tenant.call("POST", `${of.path}/1/freeze`),
    ]) {
      const of = await tried();
      await sent(of.id, [
        { n: 80, replied: 1 },
        { n: 80, replied: 9 },
      ]);
      const lost = await lateBy(/insert into experiment_versions/, () => meanwhile(of));
      expect(lost).toBe(true);
      expect(await versions(of.id)).not.toContain("shifted");
      await weighAll();
      expect(await versions(of.id)).not.toContain("shifted");
    }
  });
});

/** Weighs, and acts before the statement that writes the version goes out. */
async function lateBy(statement: RegExp, act: () => Promise<unknown>): Promise<boolean> {
  let isDone = false;
  const { leave } = standBefore(async (text, ask) => {
    if (isDone || !statement.test(text)) return ask();
    isDone = true;
    await act();
    return ask();
  });
  await weighAll().finally(leave);
  return isDone;
}

describe("freeze and reset", () => {
  test("frozen weights stay, whatever is judged; again it changes nothing", async () => {
    const of = await tried();
    await sent(of.id, [
      { n: 80, replied: 1 },
      { n: 80, replied: 9 },
    ]);
    await weighAll();
    const before = labelled(await stateOf(of));
    for (let again = 0; again < 2; again++) {
      const reply = await tenant.call("POST", `${of.path}/1/freeze`);
      expect([reply.status, typeof reply.body.frozen_at]).toEqual([200, "string"]);
    }
    await sent(of.id, [{ n: 300, replied: 100 }, { n: 80 }]);
    sending.api.advance(DAY);
    await weighAll();
    const state = await stateOf(of);
    expect(labelled(state)).toEqual(before);
    expect(state.variants[0].matured).toBe(380);
    expect(await versions(of.id)).toEqual(["shifted", "frozen"]);
  });

  test("after a reset nothing of before counts, what was sent before and is judged later neither", async () => {
    const of = await tried();
    await sent(of.id, [
      { n: 80, replied: 1 },
      { n: 80, replied: 9 },
    ]);
    await sent(of.id, [
      { n: 30, ago: 1 },
      { n: 30, ago: 1 },
    ]);
    await weighAll();
    const { body } = await tenant.call("POST", `${of.path}/1/reset`);
    expect(body).toMatchObject({ status: "collecting", frozen_at: null, winner_label: null });
    expect(labelled(body)).toEqual({ A: 0.5, B: 0.5 });
    sending.api.advance(10 * DAY);
    await weighAll();
    expect((await stateOf(of)).variants).toMatchObject([{ matured: 0 }, { matured: 0 }]);
    const [judged] =
      await query`select count(*)::int as n from experiment_judgements where campaign_id = ${of.id}`;
    expect(judged).toEqual({ n: 160 });
  });

  test("a step that is not tried out, or not there, is 404; another's campaign too", async () => {
    const of = await tried();
    expect((await tenant.call("POST", `${of.path}/2/freeze`)).status).toBe(404);
    const other = await sending.api.tenant();
    expect((await other.call("GET", of.path)).status).toBe(404);
    await query`update campaigns set steps = steps #- '{0,experiment}' where id = ${of.id}`;
    expect((await tenant.call("GET", of.path)).body).toEqual({ steps: [] });
  });
});

describe("the draw", () => {
  test("a claim has the version in force, frozen on the send; a retry keeps it, and previews say the part", async () => {
    const of = await tried(2, 1);
    await sent(of.id, [{ n: 60, replied: 30 }, { n: 60 }]);
    await weighAll();
    const [known] = await findExperiments(sending.api.deps.db, of.id);
    const [a, b] = known!.arms;
    const only = (arm: string | undefined) => JSON.stringify({ [a!]: 0, [b!]: 0, [arm!]: 1 });
    await query`update experiment_versions set weights = ${only(b)}::jsonb where campaign_id = ${of.id}`;
    const shown = await tenant.call("POST", `/api/v1/campaigns/${of.id}/steps/1/render`, {});
    expect(shown.body.variant_label).toBe("B (100 %)");
    // A claim's instant is that of its tick, to the second.
    sending.api.advance(1);
    sending.mailbox.faults.order("rcpt_deferred", 1);
    // A tick claims as of its whole second: what was made within that second is not in force yet.
    sending.api.advance(60);
    await sending.tick();
    const real = async () => {
      const [send] =
        await query`select variant_label, weights_version, arm, attempts, state from sends where campaign_id = ${of.id} and message_id is not null`;
      return send;
    };
    const drawn = { variant_label: "B", weights_version: 1, arm: b };
    expect(await real()).toMatchObject({ ...drawn, state: "retry_wait" });
    await query`
      insert into experiment_versions (campaign_id, step, version, workspace_id, updated_at, weights, evidence, reason)
      select campaign_id, step, 2, workspace_id, updated_at, ${only(a)}::jsonb, evidence, reason from experiment_versions where campaign_id = ${of.id}`;
    sending.api.advance(3600);
    await sending.tick();
    expect(await real()).toMatchObject({ ...drawn, state: "accepted" });
    // Not begun yet: what is made after the claim is not in force for it, and at its instant it is.
    const [{ id }] =
      await query`update sends set weights_version = null where campaign_id = ${of.id} and message_id is not null returning id`;
    for (const [after, version] of [
      ["1 millisecond", 1],
      ["0", 2],
    ] as const) {
      await query`
        update experiment_versions v set updated_at = s.claimed_at + ${after}::interval from sends s
        where s.id = ${id} and v.campaign_id = s.campaign_id and v.version = 2`;
      const [context] = await loadContexts(sending.api.deps.db, [id]);
      expect(context!.draw).toMatchObject({ version });
    }
  });

  test("a campaign without an experiment freezes no arm", async () => {
    const { campaignId } = await sending.campaign(tenant, { leads: 1 });
    await sending.tick();
    const [send] = await sending.sendsOf(campaignId);
    expect(send).toMatchObject({ variant_label: "A", arm: null, weights_version: null });
  });
});
