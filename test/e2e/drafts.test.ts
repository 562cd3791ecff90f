import { beforeAll, expect, test } from "vitest";
import { aimAtMissed, type KillPoints, targetsAmong } from "../support/kill-points.ts";
import { eventually } from "../support/service.ts";
import { killableService, type SharedService } from "../support/shared-service.ts";
import { inFull } from "../support/full.ts";

const LEADS = inFull(200, 20);

let service: SharedService;
let points: KillPoints;

beforeAll(async () => {
  ({ service, points } = await killableService(["database", "queue", "model"]));
  await service.api("POST", "/api/v1/sender-profiles/", {
    name: "Main",
    full_name: "Sam Field",
    company: "Overture",
  });
});

interface Status {
  total: number;
  generated: number;
  done: boolean;
}

/** A campaign of so many leads, not launched: a batch of drafts needs no sender that sends. Answers its path. */
async function campaign(leads: number, more: object = {}): Promise<string> {
  const { smtp } = service.stack.mailbox;
  const post = (at: string, body: unknown) =>
    service.api("POST", at, body) as Promise<{ id: string; campaign_id: string }>;
  const mark = Math.random().toString(36).slice(2, 8);
  const { host, port, security, username, password } = smtp;
  const alias = await post("/api/v1/mailer/aliases", {
    email: `sender-${mark}@sender.zz`,
    display_name: "Sender",
    transport: { kind: "smtp", host, port, security, username, password },
  });
  const dataset = await post("/api/v1/datasets", { name: "Leads" });
  const rows = Array.from({ length: leads }, (_, n) => ({
    email: `lead${n}-${mark}@inbox.zz`,
    first_name: `Ada ${n}`,
    company: `Company ${n}`,
  }));
  await service.api("POST", `/api/v1/datasets/${dataset.id}/import`, { rows });
  const text = { type: "INLINE", subject: "Hello", body: "A word about our work." };
  const steps = [{ step: 1, ai_personalization_enabled: true, variants: [text] }];
  const { campaign_id } = await post("/api/v1/campaigns/", {
    name: `Campaign ${mark}`,
    dataset_id: dataset.id,
    alias_ids: [alias.id],
    steps,
    sending_window_start: "00:00",
    sending_window_end: "00:00",
    send_days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    min_interval_seconds: 60,
    ...more,
  });
  return `/api/v1/campaigns/${campaign_id}`;
}

const generate = async (at: string, n_leads: number) =>
  (await service.api("POST", `${at}/playground/generate`, { step_index: 1, n_leads })) as {
    batch_id: string;
  };
const statusOf = async (at: string, batchId: string) =>
  (await service.api("GET", `${at}/playground/status?batch_id=${batchId}`)) as Status;

async function captured(): Promise<number> {
  const { rows } = await service.sql.query(
    "select count(*)::int as n from credit_entries where kind = 'capture' and ref_type = 'personalization_draft'",
  );
  return rows[0].n;
}

async function held(): Promise<number> {
  const { rows } = await service.sql.query("select sum(held)::int as n from credit_balances");
  return rows[0].n;
}

test(`a batch of ${LEADS} leads: one call of the model for each, and as many credits as drafts`, async () => {
  const at = await campaign(LEADS);
  service.stack.model.log.clear();
  const begunAt = performance.now();
  const { batch_id: id } = await generate(at, LEADS);
  const status = await eventuallyDone(at, id);
  console.log(`${LEADS} drafts in ${Math.round(performance.now() - begunAt)} ms`);
  expect(status).toMatchObject({ total: LEADS, generated: LEADS });
  expect(service.stack.model.log.entries()).toHaveLength(LEADS);
  expect([await captured(), await held()]).toEqual([LEADS, 0]);
});

test("a model that is slow has 20 calls at a time, of two batches together, and never two for one text", async () => {
  const at = await campaign(14);
  const { model } = service.stack;
  model.log.clear();
  model.faults.order("slow", 1_000);
  const batches = [await generate(at, 14), await generate(at, 14)];
  await eventually("20 calls are under way", () => model.peak().calls >= 20);
  model.faults.clear();
  for (const { batch_id: id } of batches)
    expect(await eventuallyDone(at, id)).toMatchObject({ generated: 14 });
  expect(model.peak().calls).toBe(20);
  expect(model.log.entries()).toHaveLength(28);
});

async function eventuallyDone(at: string, batchId: string): Promise<Status> {
  await service.stack.qstash.idle();
  return eventually("the batch is done", async () => {
    const status = await statusOf(at, batchId);
    return status.done && status;
  });
}

/** One draft, with the Worker killed at that point; the points that were passed, up to the one that killed. */
async function oneDraft(
  at: string,
  target: number,
  isMeant?: (name: string) => boolean,
): Promise<{ id: string; passed: string[] }> {
  // More of them a minute than anybody may ask for.
  service.stack.redis.faults.order("forget", 1);
  service.stack.qstash.pause();
  const { batch_id: id } = await generate(at, 1);
  points.arm(target, isMeant);
  service.stack.qstash.resume();
  const isOver = async () =>
    points.struck() || (await service.sql.query(DONE, [id])).rowCount === 1;
  await eventually("the draft is written, or the Worker dead", isOver);
  const passed = points.passed();
  await service.untilUp();
  points.arm(0);
  return { id, passed };
}
const DONE = "select 1 from generations where batch_id = $1 and status = 'generated'";

test("the Worker killed point by point of a draft: it is written all the same, and paid for once", async () => {
  const at = await campaign(1);
  const before = await captured();
  const whole = await oneDraft(at, 0);
  const batches = [whole.id];
  const killedAt: string[] = [];
  const strike = async (target: number, isMeant?: (name: string) => boolean) => {
    const { id, passed } = await oneDraft(at, target, isMeant);
    if (passed.length === target) killedAt.push(passed.at(-1)!);
    batches.push(id);
  };
  for (const target of targetsAmong(whole.passed.length, 2)) await strike(target);
  const missed = await aimAtMissed(["model", "database"], killedAt, strike);
  console.log(`${whole.passed.length} points of a draft, killed at ${killedAt.length}`);
  // Leases run out, and the queue comes again.
  for (let wait = 0; wait < 6; wait++) await service.advance(100);
  for (const id of batches) expect(await eventuallyDone(at, id)).toMatchObject({ generated: 1 });
  expect(missed, "never killed at").toEqual([]);
  expect([(await captured()) - before, await held()]).toEqual([batches.length, 0]);
});

test("a campaign that is held for review sends what was approved, to the letter, and nothing else", async () => {
  const at = await campaign(3, { unreviewed_launch_policy: "hold" });
  await service.api("POST", `${at}/launch`);
  const isActive = async () =>
    ((await service.api("GET", at)) as { status: string }).status === "active";
  await eventually("it is active", isActive);
  await service.advance(900);
  const sent = async () => (await service.stack.mailbox.messages()).map(({ text }) => text);
  expect(await sent()).toEqual([]);

  const { batch_id: id } = await generate(at, 3);
  await eventuallyDone(at, id);
  const { drafts } = (await service.api("GET", `${at}/playground/drafts?batch_id=${id}`)) as {
    drafts: { campaign_lead_id: string; subject: string; body: string; draft_hash: string }[];
  };
  const review = (n: number, verb: string, body: object = {}) =>
    service.api("POST", `${at}/leads/${drafts[n]!.campaign_lead_id}/${verb}`, {
      step_index: 1,
      ...body,
    });
  const words = {
    subject: "In my {own|other} words",
    body: "Hello {{ first_name }}, {a|b} 100 %.",
  };
  await review(0, "approve", { expected_draft_hash: drafts[0]!.draft_hash });
  await review(1, "approve", words);
  await review(2, "approve");
  await review(2, "unapprove");
  await service.advance(1_800);
  const messages = await service.stack.mailbox.messages();
  expect(messages.map(({ subject }) => subject).toSorted()).toEqual(
    [drafts[0]!.subject, words.subject].toSorted(),
  );
  const textTo = (subject: string) => messages.find((each) => each.subject === subject)!.text;
  const words0 = (text: string) => text.replace(/\s+/g, " ");
  expect(words0(textTo(drafts[0]!.subject))).toContain(words0(drafts[0]!.body));
  expect(words0(textTo(words.subject))).toContain(words.body);

  await review(2, "approve");
  await service.advance(1_800);
  expect(await sent()).toHaveLength(3);
});
