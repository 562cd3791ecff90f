import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKillPoints, type KillPoints } from "../support/kill-points.ts";
import { eventually, startTestService, type TestService } from "../support/service.ts";

const LEADS = process.env["TEST_FULL"] === undefined ? 40 : 200;

let service: TestService;
let points: KillPoints;
let sql: pg.Pool;

beforeAll(async () => {
  points = createKillPoints(() => service.worker().kill("SIGKILL"));
  service = await startTestService({
    mostRestarts: 1_000,
    workerEnv: async (env) => ({
      NEON_LOCAL: new URL(await points.http("database", `http://${env["NEON_LOCAL"]}`)).host,
      QSTASH_URL: await points.http("queue", env["QSTASH_URL"]!),
      MODEL_BASE_URL: await points.http("model", env["MODEL_BASE_URL"]!),
    }),
  });
  sql = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 2 });
  await service.api("POST", "/api/v1/sender-profiles/", {
    name: "Main",
    full_name: "Sam Field",
    company: "Overture",
  });
}, 120_000);
afterAll(async () => {
  await sql?.end();
  await points?.close();
  await service?.close();
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
  const { rows } = await sql.query(
    "select count(*)::int as n from credit_entries where kind = 'capture' and ref_type = 'personalization_draft'",
  );
  return rows[0].n;
}

async function held(): Promise<number> {
  const { rows } = await sql.query("select sum(held)::int as n from credit_balances");
  return rows[0].n;
}

test(`a batch of ${LEADS} leads: one call of the model for each, and as many credits as drafts`, async () => {
  const at = await campaign(LEADS);
  service.stack.model.log.clear();
  const begunAt = performance.now();
  const { batch_id: id } = await generate(at, LEADS);
  const status = await eventuallyDone(at, id, 6_000);
  console.log(`${LEADS} drafts in ${Math.round(performance.now() - begunAt)} ms`);
  expect(status).toMatchObject({ total: LEADS, generated: LEADS });
  expect(service.stack.model.log.entries()).toHaveLength(LEADS);
  expect([await captured(), await held()]).toEqual([LEADS, 0]);
}, 180_000);

test("a model that is slow has 20 calls at a time, of two batches together, and never two for one text", async () => {
  const at = await campaign(30);
  const { model } = service.stack;
  model.log.clear();
  model.faults.order("slow", 1_000);
  const batches = [await generate(at, 30), await generate(at, 30)];
  await eventually("20 calls are under way", () => model.peak().calls >= 20);
  model.faults.clear();
  await service.advance(21);
  for (const { batch_id: id } of batches)
    expect(await eventuallyDone(at, id)).toMatchObject({ generated: 30 });
  expect(model.peak().calls).toBe(20);
  expect(model.log.entries()).toHaveLength(60);
}, 180_000);

async function eventuallyDone(at: string, batchId: string, looks = 500): Promise<Status> {
  for (let look = 0; look < looks; look++) {
    const status = await statusOf(at, batchId).catch(() => null);
    if (status?.done === true) return status;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("The batch is never done.");
}

const isBack = () =>
  eventually(
    "the Worker is back",
    async () => (await fetch(`${service.baseUrl}/health`).catch(() => null))?.ok,
  );

/** One draft, with the Worker killed at that point; the points that were passed, up to the one that killed. */
async function oneDraft(at: string, target: number): Promise<{ id: string; passed: string[] }> {
  // More of them a minute than anybody may ask for.
  service.stack.redis.faults.order("forget", 1);
  service.stack.qstash.pause();
  const { batch_id: id } = await generate(at, 1);
  points.arm(target);
  service.stack.qstash.resume();
  const isOver = async () => points.struck() || (await sql.query(DONE, [id])).rowCount === 1;
  await eventually("the draft is written, or the Worker dead", isOver);
  const passed = points.passed();
  await isBack();
  points.arm(0);
  return { id, passed };
}
const DONE = "select 1 from generations where batch_id = $1 and status = 'generated'";

test("the Worker killed at each point of a draft: it is written all the same, and paid for once", async () => {
  const at = await campaign(1);
  const before = await captured();
  const whole = await oneDraft(at, 0);
  const batches = [whole.id];
  const killedAt: string[] = [];
  for (let target = 1; target <= whole.passed.length; target++) {
    const { id, passed } = await oneDraft(at, target);
    if (passed.length === target) killedAt.push(passed.at(-1)!);
    batches.push(id);
  }
  console.log(`${whole.passed.length} points of a draft, killed at ${killedAt.length}`);
  // Leases run out, and the queue comes again.
  for (let wait = 0; wait < 6; wait++) await service.advance(100);
  for (const id of batches) expect(await eventuallyDone(at, id)).toMatchObject({ generated: 1 });
  for (const part of ["model", "database"])
    expect(
      killedAt.some((name) => name.startsWith(part)),
      `killed at ${part}`,
    ).toBe(true);
  expect([(await captured()) - before, await held()]).toEqual([batches.length, 0]);
}, 300_000);

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
}, 120_000);
