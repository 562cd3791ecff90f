import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { fullCheck } from "#src/domain/jobs/maintenance.ts";
import { codeOf, KEPT, keyed, keysOf, madeIn, USED } from "../../support/keyed.ts";
import { killDuring, standBefore } from "../../support/kill-at.ts";
import { letTimeStandStill } from "../../support/still-time.ts";
import { api, query, tenant, useApi } from "../../support/use-api.ts";

useApi({ eachTest: true });

test("work that is paid for uses the key as its credits are held: without credits it stays free", async () => {
  const poor = await api.tenant({ credits: 0 });
  const headers = { "idempotency-key": randomUUID() };
  const search = () =>
    poor.call("POST", "/api/v2/prospects/search", { tags: ["chess"], limit: 1 }, headers);
  expect(codeOf(await search())).toEqual([403, "INSUFFICIENT_CREDITS"]);
  expect(await keysOf(poor)).toEqual([]);
  await query`update credit_balances set available = 5 where workspace_id = ${poor.workspaceId}`;
  await killDuring({ statement: USED, side: "after" }, search);
  api.advance(60);
  expect((await search()).body).toMatchObject({
    code: "IDEMPOTENCY_ANSWER_LOST",
    took_effect: null,
  });
});

test("a worker that dies before its write leaves the key free", async () => {
  const key = randomUUID();
  await killDuring({ statement: USED, side: "before" }, () => keyed(key));
  expect(await keysOf()).toEqual([]);
  expect((await keyed(key)).status).toBe(201);
  expect(await madeIn()).toBe(1);
});

test.each([
  ["after its write", USED, "after"],
  ["before its answer is kept", KEPT, "before"],
] as const)(
  "of a worker that dies %s the request is not run again",
  async (_when, statement, side) => {
    letTimeStandStill();
    const key = randomUUID();
    await killDuring({ statement, side }, () => keyed(key));
    expect(codeOf(await keyed(key))).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    api.advance(59);
    expect(codeOf(await keyed(key))).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    api.advance(1);
    const lost = await keyed(key);
    const [template] =
      await query`select id from templates where workspace_id = ${tenant.workspaceId}`;
    expect(codeOf(lost)).toEqual([409, "IDEMPOTENCY_ANSWER_LOST"]);
    expect(lost.body).toMatchObject({ took_effect: true, resource_id: template.id });
    expect(await madeIn()).toBe(1);
  },
);

test("where the answer cannot be kept, its caller has it all the same, and a repetition is told that it is lost", async () => {
  const key = randomUUID();
  const { leave } = standBefore(async (statement, call) => {
    if (KEPT.test(statement)) throw new Error("The database is away.");
    return call();
  });
  const first = await keyed(key);
  leave();
  api.advance(60);
  const lost = await keyed(key);
  expect([first.status, ...codeOf(lost)]).toEqual([201, 409, "IDEMPOTENCY_ANSWER_LOST"]);
  expect(lost.body.resource_id).toBe(first.body.id);
});

test("an operation that reaches outside first uses the key before, and does not say whether it took effect", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const page = "https://app.example";
  const wish = { pack_id: "starter", success_url: page, cancel_url: page };
  const buy = () => tenant.call("POST", "/api/v2/payments/purchase-credits", wish, headers);
  await killDuring({ statement: USED, side: "after" }, buy);
  api.advance(60);
  const lost = await buy();
  expect(codeOf(lost)).toEqual([409, "IDEMPOTENCY_ANSWER_LOST"]);
  expect([lost.body.took_effect, "resource_id" in lost.body]).toEqual([null, false]);
  expect(
    await query`select 1 from payment_orders where workspace_id = ${tenant.workspaceId}`,
  ).toEqual([]);
});

test("a write that fails gives the key back, and the next one takes it", async () => {
  const alias = {
    email: "a@example.com",
    display_name: "A",
    transport: { kind: "smtp", host: "127.0.0.1", port: 25, security: "none" },
  };
  const make = (key: string, sent: object) =>
    tenant.call("POST", "/api/v2/mailer/aliases", sent, { "idempotency-key": key });
  expect((await make("first", alias)).status).toBe(201);
  const refused = await make("second", alias);
  expect(codeOf(refused)).toEqual([409, "ALIAS_EXISTS"]);
  const [used] = await keysOf();
  expect(await keysOf()).toEqual([used]);
  expect((await make("second", { ...alias, email: "b@example.com" })).status).toBe(201);
});

test("what Postgres aborted is done again with its key, once", async () => {
  await query`create function abort_once() returns trigger language plpgsql as $$
    begin
      if nextval('aborts') = 1 then raise exception 'again' using errcode = '40001'; end if;
      return new;
    end $$`;
  await query`create sequence aborts`;
  await query`create trigger abort_once before insert on templates for each row execute function abort_once()`;
  try {
    const key = randomUUID();
    const first = await keyed(key);
    expect([first.status, (await keyed(key)).text]).toEqual([201, first.text]);
    const [{ aborts }] = await query`select last_value::int as aborts from aborts`;
    expect([aborts, await madeIn(), (await keysOf()).length]).toEqual([2, 1, 1]);
  } finally {
    await query`drop trigger abort_once on templates`;
  }
});

test("a key is free again after a day, and its answer is gone", async () => {
  letTimeStandStill();
  const key = randomUUID();
  const first = await keyed(key);
  api.advance(86_399);
  await fullCheck(api.deps);
  expect((await keyed(key)).text).toBe(first.text);
  api.advance(2);
  await fullCheck(api.deps);
  expect(await keysOf()).toEqual([]);
  expect((await keyed(key)).body.id).not.toBe(first.body.id);
});

test("who is erased is in no kept answer, and the request is not run again", async () => {
  const { body: dataset } = await tenant.call("POST", "/api/v2/datasets", { name: "D" });
  const make = () =>
    tenant.call(
      "POST",
      `/api/v2/datasets/${dataset.id}/leads`,
      { email: "ada@example.com" },
      { "idempotency-key": "ada@example.com" },
    );
  const first = await make();
  expect((await make()).text).toBe(first.text);
  await tenant.call("POST", "/api/v2/leads/erase", { email: "ada@example.com" });
  expect(JSON.stringify(await keysOf())).not.toMatch(/ada@|example/);
  api.advance(60);
  expect((await make()).body).toMatchObject({ took_effect: true, resource_id: first.body.id });
});
