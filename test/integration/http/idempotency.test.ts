import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Tenant } from "../../support/api.ts";
import { codeOf, keyed, keysOf, madeIn, TEMPLATE, TEMPLATES } from "../../support/keyed.ts";
import { standBefore } from "../../support/kill-at.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";

useApi({ eachTest: true });

test("a repetition is told what the first was told, and does nothing", async () => {
  const key = randomUUID();
  const first = await keyed(key);
  expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
  const again = await keyed(key);
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
  expect(again.headers.get("ratelimit")).not.toBeNull();
  expect(await madeIn()).toBe(1);
});

test("of 24 at once one does it; the others are told its answer, or that it is being worked on", async () => {
  const key = randomUUID();
  const replies = await Promise.all(Array.from({ length: 24 }, () => keyed(key)));
  const first = replies.filter(
    ({ status, headers }) => status === 201 && !headers.has("idempotent-replayed"),
  );
  expect(first).toHaveLength(1);
  for (const reply of replies.filter((each) => each !== first[0])) {
    if (reply.status === 201) expect(reply.text).toBe(first[0]!.text);
    else {
      expect(codeOf(reply)).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
      expect(reply.headers.get("retry-after")).toBe("1");
    }
  }
  expect([await madeIn(), (await keysOf()).length]).toEqual([1, 1]);
});

test("without a key, and under /api/v1 with one, each request is done", async () => {
  const paths = [TEMPLATES, "/api/v1/templates", "/api/v1/templates"];
  for (const [at, path] of paths.entries()) {
    const headers: Record<string, string> = at === 0 ? {} : { "idempotency-key": "" };
    if (at === 2) headers["idempotency-key"] = "same";
    for (const _ of [1, 2]) {
      const { status, headers: answered } = await tenant.call("POST", path, TEMPLATE, headers);
      expect([status, answered.has("idempotent-replayed")]).toEqual([201, false]);
    }
  }
  expect([await madeIn(), await keysOf()]).toEqual([6, []]);
});

test("a key of another request is refused: another body, query, path or method", async () => {
  const key = randomUUID();
  const { body } = await keyed(key);
  const one = `${TEMPLATES}/${body.id}`;
  const others: [string, string, object?][] = [
    ["POST", TEMPLATES, { ...TEMPLATE, name: "Other" }],
    ["POST", `${TEMPLATES}?archived=true`, TEMPLATE],
    ["PATCH", one, TEMPLATE],
    ["DELETE", one],
  ];
  for (const [method, path, sent] of others) {
    const reply = await tenant.call(method, path, sent, { "idempotency-key": key });
    expect(codeOf(reply)).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  }
  expect(await madeIn()).toBe(1);
});

test("where two methods of a path take no body, a key is of one of them", async () => {
  const { body: dataset } = await tenant.call("POST", "/api/v2/datasets", { name: "D" });
  const path = `/api/v2/email-verification/dataset/${dataset.id}`;
  const headers = { "idempotency-key": randomUUID() };
  expect((await tenant.call("POST", path, undefined, headers)).status).toBeLessThan(300);
  const other = await tenant.call("DELETE", path, undefined, headers);
  expect(codeOf(other)).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
});

test("a key is the workspace's, by key or login, and no other one's", async () => {
  const key = randomUUID();
  const first = await keyed(key);
  const asUser = await keyed(key, { ...tenant, call: tenant.callAsUser });
  expect(asUser.text).toBe(first.text);
  const stranger = await api.tenant();
  const other = await keyed(key, stranger);
  expect([other.status, other.headers.has("idempotent-replayed")]).toEqual([201, false]);
  expect(other.body.id).not.toBe(first.body.id);
});

test("a key is 1 to 255 printable characters, and is given once", async () => {
  const send = async (...keys: string[]) => {
    const headers = new Headers({
      authorization: `Bearer ${tenant.key}`,
      "content-type": "application/json",
    });
    for (const key of keys) headers.append("idempotency-key", key);
    const reply = await api.request(TEMPLATES, {
      method: "POST",
      headers,
      body: JSON.stringify(TEMPLATE),
    });
    return codeOf({ status: reply.status, body: (await reply.json()) as { code?: string } });
  };
  for (const keys of [["x".repeat(256)], [""], ["a\tb"], ["é"], ["\u0080"], ["a", "b"], ["a", "a"]])
    expect([keys, await send(...keys)]).toEqual([keys, [400, "IDEMPOTENCY_KEY_INVALID"]]);
  expect([await madeIn(), await keysOf()]).toEqual([0, []]);
  for (const key of ["x".repeat(255), "x", '"a,b"; c=~'])
    expect(await send(key)).toEqual([201, undefined]);
});

test("what is refused before the first write leaves the key free", async () => {
  const key = randomUUID();
  const refusals: [unknown, number][] = [
    ["{", 400],
    [{ name: "" }, 422],
    [{ ...TEMPLATE, body: "{{ broken" }, 422],
  ];
  for (const [body, status] of refusals)
    expect((await keyed(key, tenant, body as object)).status).toBe(status);
  const wrong = await api.request(TEMPLATES, {
    method: "POST",
    headers: { authorization: "Bearer nonsense", "idempotency-key": key },
  });
  expect(wrong.status).toBe(401);
  expect(await keysOf()).toEqual([]);
  expect((await keyed(key)).status).toBe(201);
});

test("what is refused after a write is kept like any other answer", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const path = `/api/v2/templates/${randomUUID()}`;
  const first = await tenant.call("DELETE", path, undefined, headers);
  const again = await tenant.call("DELETE", path, undefined, headers);
  expect([first.status, again.status, again.text]).toEqual([404, 404, first.text]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
});

test("a secret is told once: its repetition has null there, and the database has it nowhere", async () => {
  const headers = { "idempotency-key": randomUUID() };
  const make = () => tenant.callAsUser("POST", "/api/v2/api-keys", { name: "CI" }, headers);
  const [first, again] = [await make(), await make()];
  expect(first.body.key).toMatch(/^svc_live_/);
  expect(again.body).toEqual({ ...first.body, key: null });
  expect(JSON.stringify(await keysOf())).not.toContain(first.body.key);
});

test("a form takes no key, and says so; rows in JSON do", async () => {
  const { body: dataset } = await tenant.call("POST", "/api/v2/datasets", { name: "D" });
  const form = new FormData();
  form.set("file", new Blob(["email\nada@example.com\n"], { type: "text/csv" }), "leads.csv");
  const path = `/api/v2/datasets/${dataset.id}/import`;
  const headers = { "idempotency-key": randomUUID() };
  const refused = await tenant.call("POST", path, form, headers);
  expect(codeOf(refused)).toEqual([400, "IDEMPOTENCY_KEY_NOT_TAKEN"]);
  const rows = { rows: [{ email: "ada@example.com" }] };
  const first = await tenant.call("POST", path, rows, headers);
  const again = await tenant.call("POST", path, rows, headers);
  expect([first.status, first.body.created, again.text]).toEqual([200, 1, first.text]);
});

test("a key says nothing to a read, nor to what is open to all", async () => {
  const headers = { "idempotency-key": "x".repeat(300) };
  expect((await tenant.call("GET", TEMPLATES, undefined, headers)).status).toBe(200);
  const form = { profile_url: "https://www.linkedin.com/in/ada", email: "ada@example.com" };
  const open = await tenant.call("POST", "/api/v2/prospects/opt-out", form, headers);
  expect(open.status).not.toBe(400);
});

test("a keyed write asks the database twice more, once of it while its API key is checked", async () => {
  await keyed(randomUUID());
  await api.settled();
  const asked: string[] = [];
  const isLookUp = (statement: string) => /select .* from \\"idempotency_keys\\"/.test(statement);
  let wasAhead = false;
  const { leave } = standBefore(async (statement, call) => {
    asked.push(statement);
    if (isKeyed && statement.includes("api_keys")) {
      // It is not even asked before the other was, but for so long.
      for (let hops = 0; hops < 10_000 && !asked.some(isLookUp); hops++)
        await new Promise((resolve) => setImmediate(resolve));
      wasAhead = asked.some(isLookUp);
    }
    return call();
  });
  let isKeyed = false;
  await tenant.call("POST", TEMPLATES, TEMPLATE);
  const plain = asked.splice(0).length;
  isKeyed = true;
  await keyed(randomUUID());
  leave();
  expect([asked.length, wasAhead]).toEqual([plain + 2, true]);
});

test("workspaces that send the same keys at once do not meet", async () => {
  const tenants: Tenant[] = await Promise.all(Array.from({ length: 4 }, () => api.tenant()));
  const key = randomUUID();
  const replies = await Promise.all(
    tenants.flatMap((each) => [keyed(key, each), keyed(key, each)]),
  );
  expect(new Set(replies.flatMap(({ body }) => body.id ?? [])).size).toBe(4);
  for (const each of tenants) expect(await madeIn(each)).toBe(1);
});
