import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { SuppressionReason } from "#db/schema/index.ts";
import { LOOKED_AT, searchSuppressions, suppressStatement } from "#db/people/suppressions.ts";
import { api, query, tenant, useApi } from "../../../support/use-api.ts";

const PATH = "/api/v1/suppressions";

useApi({ eachTest: true });

const suppress = (body: unknown) => tenant.call("POST", PATH, body);
const inSeconds = (seconds: number) =>
  new Date(api.deps.clock.now().getTime() + seconds * 1000).toISOString();
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** As bounces, complaints and unsubscribes do it. */
const suppressAs = (reason: SuppressionReason, value: string) =>
  suppressStatement(
    api.deps.db,
    {
      id: api.deps.ids.uuid(),
      workspaceId: tenant.workspaceId,
      userId: tenant.userId,
      now: api.deps.clock.now(),
    },
    { value, valueHash: hashOf(value), kind: "email", reason, expiresAt: null },
  );

test("an address is suppressed in the form in which it is compared", async () => {
  const made = await suppress({ value: " Ann@BÜCHER.example " });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    value: "ann@xn--bcher-kva.example",
    kind: "email",
    reason: "manual",
    source_campaign_id: null,
    expires_at: null,
  });
  const rows = await query`select value_hash from suppressions where id = ${made.body.id}`;
  expect(rows[0].value_hash).toBe(hashOf("ann@xn--bcher-kva.example"));
  expect((await tenant.call("GET", `${PATH}/${made.body.id}`)).body).toEqual(made.body);
});

test("a domain is told from an address, and either may be named", async () => {
  expect((await suppress({ value: "Example.COM" })).body).toMatchObject({
    value: "example.com",
    kind: "domain",
  });
  expect((await suppress({ value: "a@example.com", kind: "email" })).status).toBe(201);
  for (const body of [
    { value: "a@example.com", kind: "domain" },
    { value: "example.com", kind: "email" },
    { value: "localhost" },
    { value: "a@" },
    { value: "a@b.co", reason: "complaint" },
    { value: "a@b.co", expires_at: "2030-01-01T00:00:00" },
  ])
    expect((await suppress(body)).status).toBe(422);
  const past = await suppress({ value: "a@b.co", expires_at: inSeconds(-1) });
  expect([past.status, past.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
});

test("suppressing again, also many times at once, renews the one entry", async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      suppress({ value: "a@example.com", expires_at: inSeconds(60) }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  const renewed = await suppress({ value: "A@example.com", expires_at: inSeconds(3600) });
  expect(renewed.body.id).toBe(replies[0]!.body.id);
  expect(Date.parse(renewed.body.expires_at)).toBeGreaterThan(
    Date.parse(replies[0]!.body.expires_at),
  );
  expect((await tenant.call("GET", PATH)).body.items).toHaveLength(1);
});

test("the weightier reason stays, and is given no end", async () => {
  const reason = async () => (await tenant.call("GET", PATH)).body.items[0];
  const value = "a@example.com";
  await suppress({ value, expires_at: inSeconds(60) });
  await suppressAs("hard_bounce", value);
  expect(await reason()).toMatchObject({ reason: "hard_bounce", expires_at: null });
  await suppressAs("complaint", value);
  await suppressAs("unsubscribe", value);
  expect((await reason()).reason).toBe("complaint");
  expect((await suppress({ value, expires_at: inSeconds(60) })).body).toMatchObject({
    reason: "complaint",
    expires_at: null,
  });
});

test("what the owner says ends the word of a server later, and never sooner", async () => {
  const value = "a@example.com";
  // As a disabled mailbox does it.
  await suppressAs("hard_bounce", value);
  const until = (at: string) =>
    query`update suppressions set expires_at = ${at} where workspace_id = ${tenant.workspaceId}`;
  const [soon, later, latest] = [inSeconds(3600), inSeconds(7200), inSeconds(9000)];
  await until(later);
  const end = async (body: object) => (await suppress({ value, ...body })).body;
  expect(await end({ expires_at: soon })).toMatchObject({ expires_at: later });
  expect(await end({ expires_at: latest })).toMatchObject({ expires_at: latest });
  // "Never", here or in a file.
  expect(await end({})).toMatchObject({ reason: "hard_bounce", expires_at: null });
  await until(later);
  const items = [{ value }];
  expect((await tenant.call("POST", "/api/v1/suppression-imports", { items })).status).toBe(200);
  expect((await tenant.call("GET", PATH)).body.items).toMatchObject([{ expires_at: null }]);
});

test("an entry that has run out counts for nothing", async () => {
  const value = "a@example.com";
  await suppressAs("hard_bounce", value);
  await query`update suppressions set expires_at = ${inSeconds(-5)} where workspace_id = ${tenant.workspaceId}`;
  expect((await suppress({ value })).body).toMatchObject({ reason: "manual", expires_at: null });
});

test("an erased value is not written again", async () => {
  const { id } = (await suppress({ value: "a@example.com" })).body;
  await query`update suppressions set value = null where id = ${id}`;
  expect((await suppress({ value: "a@example.com" })).body).toMatchObject({ id, value: null });
});

test("an erased value's entry has no end, and is given none", async () => {
  const value = "a@example.com";
  const { id } = (await suppress({ value })).body;
  await query`update suppressions set value = null where id = ${id}`;
  const again = await suppress({ value, expires_at: inSeconds(60) });
  expect(again.body).toMatchObject({ id, value: null, expires_at: null });
});

test("the list is filtered, searched and paged", async () => {
  for (let n = 0; n < 5; n++) await suppress({ value: `p${n}@example.com` });
  await suppress({ value: "example.org" });
  await suppressAs("hard_bounce", "100%_sure@example.net");
  const values = async (query: string) =>
    (await tenant.call("GET", `${PATH}?${query}`)).body.items.map(
      (item: { value: string }) => item.value,
    );
  expect(await values("kind=domain")).toEqual(["example.org"]);
  expect(await values("reason=hard_bounce")).toEqual(["100%_sure@example.net"]);
  expect(await values("q=P3@")).toEqual(["p3@example.com"]);
  expect(await values(`q=${encodeURIComponent("%_")}`)).toEqual(["100%_sure@example.net"]);
  expect(await values("q=_3")).toEqual([]);
  const seen: string[] = [];
  for (let cursor = "", pages = 0; pages < 10; pages++) {
    const { body } = await tenant.call("GET", `${PATH}?limit=3${cursor}`);
    seen.push(...body.items.map((item: { value: string }) => item.value));
    if (!body.has_more) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(seen).toHaveLength(7);
  expect(new Set(seen).size).toBe(7);
  expect((await tenant.call("GET", `${PATH}?cursor=x`)).status).toBe(422);
});

test("an address or a domain is asked for by itself: what holds back mail to it, and no other entry", async () => {
  const asked = async (value: string, more = "") => {
    const { status, body } = await tenant.call(
      "GET",
      `${PATH}?value=${encodeURIComponent(value)}${more}`,
    );
    return status === 200 ? body.items.map((item: { value: string | null }) => item.value) : status;
  };
  for (const value of ["o'brien@example.com", "100%_sure@example.com", "ann@bücher.example"])
    await suppress({ value });
  await suppress({ value: "example.com" });
  expect(await asked("O'Brien@Example.com")).toEqual(["o'brien@example.com", "example.com"]);
  expect(await asked("100%_sure@example.com", "&kind=email")).toEqual(["100%_sure@example.com"]);
  expect(await asked("1000_sure@example.com")).toEqual(["example.com"]);
  expect(await asked("example.com")).toEqual(["example.com"]);
  expect(await asked("Ann@BÜCHER.example")).toEqual(["ann@xn--bcher-kva.example"]);
  expect(await asked("ann@xn--bcher-kva.example", "&q=ANN")).toEqual(["ann@xn--bcher-kva.example"]);
  expect(await asked("ann@xn--bcher-kva.example", "&q=%25")).toEqual([]);
  expect(await asked("nobody@else.example")).toEqual([]);
  for (const value of ['"', "%", "a@", "localhost"]) expect(await asked(value)).toBe(422);
  const stranger = await api.tenant();
  const { body } = await stranger.call("GET", `${PATH}?value=example.com`);
  expect(body).toEqual({ items: [], next_cursor: null, has_more: false });
  // What an erasure has left still suppresses.
  await query`update suppressions set value = null where workspace_id = ${tenant.workspaceId} and kind = 'email'`;
  expect(await asked("o'brien@example.com")).toEqual([null, "example.com"]);
});

test("a search goes on where it stopped looking, and finds each entry once", async () => {
  for (let n = 0; n < 12; n++)
    await suppress({ value: `${n % 5 === 0 ? "it's" : "p"}${n}@example.com` });
  const found: string[] = [];
  let after: string | undefined;
  let pages = 0;
  do {
    const place = { after, limit: 2 };
    const filter = { part: "IT'S" };
    const page = await searchSuppressions(api.deps.db, tenant.workspaceId, filter, place, 4);
    expect(page.rows.length).toBeLessThan(2);
    found.push(...page.rows.map(({ value }) => value!));
    after = page.reached ?? undefined;
    pages++;
  } while (after !== undefined && pages < 10);
  expect([pages, found]).toEqual([
    3,
    ["it's0@example.com", "it's5@example.com", "it's10@example.com"],
  ]);
});

test("a page of a search that is not the last says so, also where nothing is on it", async () => {
  const now = api.deps.clock.now();
  await query`
    insert into suppressions (id, workspace_id, user_id, created_at, updated_at, value, value_hash, kind, reason)
    select gen_random_uuid(), ${tenant.workspaceId}, ${tenant.userId}, ${now}::timestamptz, ${now}::timestamptz, 'p' || n || '@example.com', md5(n::text), 'email', 'manual'
    from generate_series(1, ${LOOKED_AT}::int) n`;
  await suppress({ value: "last@example.com" });
  await query`update suppressions set id = 'ffffffff-ffff-4fff-8fff-ffffffffffff' where workspace_id = ${tenant.workspaceId} and value = 'last@example.com'`;
  const first = (await tenant.call("GET", `${PATH}?q=last`)).body;
  expect([first.items, first.has_more]).toEqual([[], true]);
  const { body } = await tenant.call("GET", `${PATH}?q=last&cursor=${first.next_cursor}`);
  expect(body.items).toMatchObject([{ value: "last@example.com" }]);
  expect([body.has_more, body.next_cursor]).toEqual([false, null]);
});

test("an entry is deleted once", async () => {
  const { id } = (await suppress({ value: "a@example.com" })).body;
  expect((await tenant.call("DELETE", `${PATH}/${id}`)).body).toEqual({ success: true });
  expect((await tenant.call("DELETE", `${PATH}/${id}`)).body.detail).toBe("SUPPRESSION_NOT_FOUND");
});
