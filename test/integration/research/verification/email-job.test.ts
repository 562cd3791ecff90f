import { dropWhatEnded } from "#src/domain/jobs/retention.ts";
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runVerificationJob, verifyEmail } from "#src/domain/research/verification/run-job.ts";
import { type Farm, startFarm } from "../../../../scripts/stack/farm.ts";
import { startApi, type Tenant, type TestApi } from "../../../support/api.ts";

const VERIFY = "/api/v1/email-finder/verify";

let farm: Farm;
let api: TestApi;
beforeAll(async () => {
  farm = await startFarm();
  api = await startApi({ PROBE_INTERVAL_MS: "0" }, { farm });
});
afterAll(() => Promise.all([api.close(), farm.close()]));
afterEach(() => {
  farm.faults.clear();
  farm.log.clear();
});

const ask = (tenant: Tenant, email: string, force?: boolean) =>
  tenant.call("POST", VERIFY, force === undefined ? { email } : { email, force });
const poll = (tenant: Tenant, id: string) => tenant.call("GET", `${VERIFY}/${id}`);
const run = (id: string) => runVerificationJob(api.deps, id);
const balance = async (tenant: Tenant) =>
  (await tenant.call("GET", "/api/v1/payments/balance")).body;
const asked = () => farm.log.entries().length;

/** Asks, does what the queue would do, and polls. */
async function verify(tenant: Tenant, email: string, force?: boolean) {
  const reply = await ask(tenant, email, force);
  if (reply.status === 200) return reply.body;
  expect(reply.status).toBe(202);
  await run(reply.body.job_id);
  return (await poll(tenant, reply.body.job_id)).body;
}

describe("a miss", () => {
  test("holds a credit, and is a job until its result is there", async () => {
    const tenant = await api.tenant({ credits: 5 });
    const reply = await ask(tenant, "Anna@Corp.zz");
    expect(reply.status).toBe(202);
    expect(reply.headers.get("retry-after")).toBe("2");
    const { job_id: id } = reply.body;
    const open = {
      job_id: id,
      email: "anna@corp.zz",
      status: "pending",
      result: null,
      risk_level: null,
      valid_format: true,
      has_mx: null,
      is_disposable: false,
      is_role: false,
      is_catch_all: null,
      backend: null,
      cached: false,
      credits_consumed: 1,
      credits_remaining: 4,
      checked_at: null,
      poll_url: `http://overture.test:8787${VERIFY}/${id}`,
      error: null,
    };
    expect(reply.body).toEqual(open);
    const polled = await poll(tenant, id);
    expect([polled.status, polled.headers.get("retry-after"), polled.body]).toEqual([
      200,
      "2",
      open,
    ]);
    expect(await balance(tenant)).toMatchObject({ available: 4, held: 1 });

    expect(await run(id)).toBe("completed");
    const done = await poll(tenant, id);
    expect(done.headers.get("retry-after")).toBeNull();
    expect(done.body).toEqual({
      ...open,
      status: "completed",
      result: "valid",
      risk_level: "safe",
      has_mx: true,
      is_catch_all: false,
      backend: "smtp",
      checked_at: expect.any(String),
    });
    expect(await balance(tenant)).toMatchObject({ available: 4, held: 0 });
  });

  test("is known afterwards, to everybody, at no cost and without a word to its host", async () => {
    const first = await api.tenant();
    await verify(first, "anna.berg@corp.zz");
    const said = asked();
    for (const tenant of [first, await api.tenant({ credits: 0 })]) {
      const reply = await ask(tenant, "anna.berg@corp.zz");
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({
        job_id: null,
        poll_url: null,
        status: "completed",
        result: "valid",
        backend: "cache",
        cached: true,
        credits_consumed: 0,
      });
    }
    expect(asked()).toBe(said);
  });

  test.each([
    ["ulla@corp.zz", { result: "invalid", risk_level: "invalid", backend: "smtp" }],
    ["anna.berg@nowhere-at-all.zz", { result: "invalid", has_mx: false, backend: "dns" }],
    ["noreply@corp.zz", { result: "invalid", risk_level: "invalid", backend: "prefilter" }],
    [
      "kim.north@takeall-studio.zz",
      { result: "catch_all", risk_level: "risky", is_catch_all: true },
    ],
    ["info@teamwork.zz", { result: "valid", risk_level: "risky", is_role: true }],
    ["anna.berg@yopmail.com", { is_disposable: true, risk_level: "risky" }],
  ])("%s is charged: %o", async (email, verdict) => {
    const tenant = await api.tenant({ credits: 1 });
    expect(await verify(tenant, email)).toMatchObject({
      status: "completed",
      ...verdict,
      credits_consumed: 1,
      credits_remaining: 0,
    });
    expect((await ask(tenant, email)).body).toMatchObject({
      cached: true,
      ...verdict,
      backend: "cache",
    });
  });

  test("that stays unknown is given back, and is known to be unknown for ten minutes", async () => {
    const tenant = await api.tenant({ credits: 1 });
    expect(await verify(tenant, "anna.berg@listkeeper2.zz")).toMatchObject({
      status: "completed",
      result: "unknown",
      risk_level: null,
      credits_consumed: 0,
      credits_remaining: 1,
    });
    expect((await ask(tenant, "anna.berg@listkeeper2.zz")).body).toMatchObject({
      result: "unknown",
      cached: true,
    });
    const later = await api.tenant({ credits: 1 });
    api.advance(601);
    expect((await ask(later, "anna.berg@listkeeper2.zz")).status).toBe(202);
  });

  test("without a credit is refused, and nothing is begun", async () => {
    const tenant = await api.tenant({ credits: 0 });
    const reply = await ask(tenant, "jo.march@northmill.zz");
    expect([reply.status, reply.body.detail]).toEqual([403, "INSUFFICIENT_CREDITS"]);
    const { rows } = await api.sql.query(
      "select 1 from verification_jobs where workspace_id = $1",
      [tenant.workspaceId],
    );
    expect(rows).toEqual([]);
  });
});

test("the answer's address is in lower case, its domain in A-labels", async () => {
  const tenant = await api.tenant();
  const { body } = await ask(tenant, " NoReply@BÜCHER.zz");
  expect(body.email).toBe("noreply@xn--bcher-kva.zz");
  expect((await poll(tenant, body.job_id)).body.email).toBe("noreply@xn--bcher-kva.zz");
});

describe("force", () => {
  test("asks the host again, and costs again", async () => {
    const tenant = await api.tenant({ credits: 2 });
    await verify(tenant, "ada.lovelace@inbox.zz");
    const said = asked();
    expect(await verify(tenant, "ada.lovelace@inbox.zz", true)).toMatchObject({
      result: "valid",
      cached: false,
      backend: "smtp",
      credits_remaining: 0,
    });
    expect(asked()).toBe(said + 1);
  });

  test("joins the job in flight", async () => {
    const tenant = await api.tenant({ credits: 2 });
    const { body: open } = await ask(tenant, "grace.hopper@inbox.zz");
    const { body: joined } = await ask(tenant, "Grace.Hopper@inbox.zz", true);
    expect(joined).toMatchObject({ job_id: open.job_id, credits_remaining: 1 });
  });
});

test("ten requests at once for one address are one job and one credit", async () => {
  const tenant = await api.tenant({ credits: 20 });
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) => ask(tenant, "hedy.lamarr@inbox.zz", index % 2 === 0)),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(202));
  const ids = new Set(replies.map(({ body }) => body.job_id));
  expect(ids.size).toBe(1);
  const runs = await Promise.all(Array.from({ length: 5 }, () => run([...ids][0]!)));
  expect(runs.filter((each) => each === "completed")).toHaveLength(1);
  expect(await balance(tenant)).toMatchObject({ available: 19, held: 0 });
});

test("two workspaces that ask at once pay each for itself, and the host is asked once", async () => {
  const [one, other] = [await api.tenant({ credits: 1 }), await api.tenant({ credits: 1 })];
  const jobs = await Promise.all([one, other].map((each) => ask(each, "radia.perlman@inbox.zz")));
  await Promise.all(jobs.map(({ body }) => run(body.job_id)));
  for (const [index, tenant] of [one, other].entries())
    expect((await poll(tenant, jobs[index]!.body.job_id)).body).toMatchObject({
      result: "valid",
      credits_consumed: 1,
      credits_remaining: 0,
    });
  expect(asked()).toBe(1);
});

describe("a job", () => {
  test("whose worker was killed is done by the next one, and charged once", async () => {
    const tenant = await api.tenant({ credits: 1 });
    const { job_id: id } = (await ask(tenant, "jean.bartik@inbox.zz")).body;
    // As a killed worker leaves it: begun, and never ended.
    await api.sql.query(
      "update verification_jobs set status = 'running', attempts = 1, due_at = due_at + interval '45 seconds' where id = $1",
      [id],
    );
    expect(await run(id)).toBe("not_due");
    expect((await poll(tenant, id)).body.status).toBe("running");
    api.advance(46);
    expect(await run(id)).toBe("completed");
    expect(await run(id)).toBe("gone");
    expect(await balance(tenant)).toMatchObject({ available: 0, held: 0 });
  });

  test("that ends its workers again and again fails, and gives its credit back", async () => {
    const tenant = await api.tenant({ credits: 1 });
    const { job_id: id } = (await ask(tenant, "shafi.goldwasser@inbox.zz")).body;
    await api.sql.query("update verification_jobs set attempts = 20 where id = $1", [id]);
    expect(await run(id)).toBe("failed");
    expect((await poll(tenant, id)).body).toMatchObject({
      status: "failed",
      error: expect.stringMatching(/Nothing was charged/),
      credits_consumed: 0,
      credits_remaining: 1,
    });
  });

  test("waits when its operator is asked enough, and is answered later", async () => {
    const tenant = await api.tenant({ credits: 1 });
    const { job_id: id } = (await ask(tenant, "katherine.johnson@inbox.zz")).body;
    const restsUntil = new Date(api.deps.clock.now().getTime() + 4_000);
    await api.sql.query(
      `insert into probe_operators (operator, next_at, strikes, rests_until) values ('inbox.zz', $1, '{}', $1)
       on conflict (operator) do update set rests_until = excluded.rests_until`,
      [restsUntil],
    );
    expect(await run(id)).toBe("put_back");
    expect(await run(id)).toBe("not_due");
    api.advance(6);
    expect(await run(id)).toBe("completed");
    expect((await poll(tenant, id)).body).toMatchObject({ result: "valid", credits_consumed: 1 });
  });

  test("whose message was lost finds the queue again", async () => {
    const tenant = await api.tenant();
    const { job_id: id } = (await ask(tenant, "sophie.wilson@inbox.zz")).body;
    api.advance(121);
    api.qstash.log.clear();
    expect(await verifyEmail.requeueLost(api.deps)).toBeGreaterThan(0);
    expect(JSON.stringify(api.qstash.log.entries())).toContain("verify-email");
    expect(await run(id)).toBe("completed");
  });

  test("is kept for thirty days", async () => {
    const tenant = await api.tenant();
    const { job_id: id } = await verify(tenant, "frances.allen@inbox.zz");
    api.advance(30 * 86_400 - 600);
    await dropWhatEnded(api.deps);
    expect((await poll(tenant, id)).status).toBe(200);
    api.advance(601);
    await dropWhatEnded(api.deps);
    expect((await poll(tenant, id)).status).toBe(404);
  });
});

test("a lead shows what was learnt of its address, until it has another", async () => {
  const tenant = await api.tenant();
  const { id } = (await tenant.call("POST", "/api/v1/datasets", { name: "Leads" })).body;
  const email = "margaret.hamilton@inbox.zz";
  const { body: lead } = await tenant.call("POST", `/api/v1/datasets/${id}/leads`, { email });
  await verify(tenant, email);
  const at = `/api/v1/datasets/${id}/leads/${lead.id}`;
  expect((await tenant.call("GET", at)).body).toMatchObject({
    updated_at: lead.updated_at,
    verification: {
      result: "valid",
      risk_level: "safe",
      reason: "mailbox_exists",
      is_role: false,
      is_disposable: false,
      is_catch_all: false,
    },
  });
  const csv = await tenant.call("GET", `/api/v1/datasets/${id}/leads.csv`);
  expect(csv.text).toContain('""risk_level"": ""safe""'.replaceAll(": ", ":"));
  expect((await tenant.call("PATCH", at, { company: "Apollo" })).body.verification).not.toBeNull();
  const moved = await tenant.call("PATCH", at, { email: "other@inbox.zz" });
  expect(moved.body.verification).toBeNull();
});

test("a free workspace may neither ask nor look, known or not", async () => {
  const tenant = await api.tenant({ plan: "free", credits: 5 });
  for (const reply of [await ask(tenant, "anna@corp.zz"), await poll(tenant, randomUUID())])
    expect([reply.status, reply.body.detail]).toEqual([403, "FREE_TIER_FORBIDDEN"]);
});

test.each<[string, unknown]>([
  ["a word", "anna"],
  ["two lines", "anna@corp.zz\r\nRCPT TO:<x@corp.zz>"],
  ["a long domain", `a@${"b".repeat(10_000)}.zz`],
])("%s is no address: 422", async (_, email) => {
  const reply = await (await api.tenant()).call("POST", VERIFY, { email });
  expect([reply.status, reply.body.error]).toEqual([422, "Validation Error"]);
});

test("where there is no way to mail hosts, what is known is answered and the rest is 503", async () => {
  const bare = await startApi();
  try {
    const deps = bare.deps as { mailProbe: unknown };
    deps.mailProbe = null;
    const tenant = await bare.tenant();
    const reply = await ask(tenant, "anna@corp.zz");
    expect([reply.status, reply.body.detail]).toEqual([503, "SMTP_UNAVAILABLE"]);
    expect((await tenant.call("GET", "/api/v1/payments/balance")).body.held).toBe(0);
  } finally {
    await bare.close();
  }
});
