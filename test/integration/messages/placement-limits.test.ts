import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  alias,
  begin,
  from,
  inboxOf,
  PATH,
  read,
  rows,
  seed,
  seen,
  sending,
  tenant,
  usePlacement,
  work,
} from "./placement-setting.ts";

usePlacement();

describe("what is refused", () => {
  const refusal = async (answer: ReturnType<typeof begin>) => {
    const { status, body } = await answer;
    return [status, body.detail];
  };

  test("21 seeds, a seed that cannot be looked into, another workspace's alias, a text or a step, and who writes to itself", async () => {
    const [sender, where] = [await from(), await seed("plain.zz")];
    const strange = await alias("strange", { by: await sending.api.tenant() });
    const many = Array.from({ length: 21 }, () => ({ id: randomUUID(), email: "" }));
    expect((await begin([sender], many)).status).toBe(422);
    expect(await refusal(begin([sender], [sender]))).toEqual([422, "SEED_NOT_READABLE"]);
    expect(await refusal(begin([sender], [strange]))).toEqual([404, "MAIL_ALIAS_NOT_FOUND"]);
    expect(await refusal(begin([strange], [where]))).toEqual([404, "MAIL_ALIAS_NOT_FOUND"]);
    expect(await refusal(begin([where], [where]))).toEqual([422, "SEED_IS_SENDER"]);
    const byAddress = { seed_alias_ids: undefined, seeds: [strange.email] };
    expect(await refusal(begin([sender], [], byAddress))).toEqual([422, "SEED_NOT_READABLE"]);
    expect((await begin([sender], [where], { seeds: [where.email] })).status).toBe(422);
    expect((await begin([sender], [where], { step: 1 })).status).toBe(422);
    expect((await begin([sender], [where], { body: undefined })).status).toBe(422);
    expect(
      (await begin([sender], [], { ...byAddress, seeds: [where.email.toUpperCase()] })).status,
    ).toBe(202);
  });

  test("a hostile subject never makes a header, and a folder's name no command", async () => {
    const [sender, where] = [await from(), await seed("plain.zz")];
    expect((await begin([sender], [where], { subject: "a\r\nBcc: all@evil.zz" })).status).toBe(422);
    const subject = `"; A1 DELETE INBOX <x> =?utf-8?q?=0D=0ABcc:_x@evil.zz?= ${"😀".repeat(100)}`;
    const { results } = await seen([sender], [where], { more: { subject } });
    expect(results).toMatchObject([{ status: "found" }]);
    expect(inboxOf(where)[0]!.raw.split("\r\n\r\n")[0]).not.toMatch(/^Bcc:/m);
  });

  test("the 11th test of 24 hours, however many are begun at once and deleted between; the next day there are ten again", async () => {
    const [sender, where] = [await from(), await seed("plain.zz")];
    const first = (await begin([sender], [where])).body.id;
    expect((await tenant.call("DELETE", `${PATH}/${first}`)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 12 }, () => begin([sender], [where])));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(9);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.detail).toBe("PLACEMENT_TESTS_USED_UP");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(86_000);
    sending.api.advance(86_401);
    expect((await begin([sender], [where])).status).toBe(202);
  });
});

test("a deleted test is gone, what has not left does not leave, and another workspace never sees one", async () => {
  const [sender, where] = [await from(), await seed("plain.zz")];
  const { id } = (await begin([sender], [where])).body;
  const other = await sending.api.tenant();
  expect((await other.call("GET", `${PATH}/${id}`)).status).toBe(404);
  expect((await other.call("DELETE", `${PATH}/${id}`)).status).toBe(404);
  expect((await tenant.call("DELETE", `${PATH}/${id}`)).status).toBe(200);
  await work(id, where);
  expect(inboxOf(where)).toHaveLength(0);
  expect((await tenant.call("GET", `${PATH}/${id}`)).status).toBe(404);
  expect((await tenant.call("GET", PATH)).body.items).toEqual([]);
  const left = await rows("select subject, letter from placement_tests where id = $1", [id]);
  expect(left).toEqual([{ subject: "", letter: null }]);
});

test("what a test was to say is erased with its lead, and what waits for it ends; old tests go after 90 days", async () => {
  const [sender, where] = [await from(), await seed("plain.zz")];
  const { id } = (await begin([sender], [where])).body;
  await rows("update placement_tests set email_key = 'ada@example.zz' where id = $1", [id]);
  expect(
    (await tenant.call("POST", "/api/v1/leads/erase", { email: "ada@example.zz" })).status,
  ).toBeLessThan(300);
  await work(id, where);
  expect(await read(id)).toMatchObject({
    subject: "",
    status: "done",
    results: [{ status: "not_sent" }],
  });
  const { dropWhatEnded } = await import("#src/domain/jobs/retention.ts");
  sending.api.advance(89 * 86_400);
  await dropWhatEnded(sending.api.deps);
  expect(await rows("select 1 from placement_mails")).toHaveLength(1);
  sending.api.advance(86_400);
  await dropWhatEnded(sending.api.deps);
  expect(await rows("select 1 from placement_mails")).toHaveLength(0);
});

test("of tests that are kept at the very same time no more are than the day has", async () => {
  const { insertPlacementTest } = await import("#db/messages/placement-tests.ts");
  const { deps } = sending.api;
  const now = deps.clock.now();
  const owner = { workspaceId: tenant.workspaceId, userId: tenant.userId };
  const keep = () => {
    const [testId, id] = [randomUUID(), randomUUID()];
    const made = { ...owner, id: testId, createdAt: now, updatedAt: now };
    const to = { aliasId: id, fromEmail: "", seedAliasId: id, toEmail: "", emailKey: "" };
    const job = { state: "missing" as const, dueAt: now, lookUntil: now, attempts: 0, copies: 0 };
    const mail = { ...to, ...job, id, testId, workspaceId: tenant.workspaceId, messageId: id };
    const day = { limit: 1, since: new Date(now.getTime() - 86_400_000) };
    return insertPlacementTest(deps.db, { ...made, subject: "", deleteAfter: false }, [mail], day);
  };
  // Whoever has counted waits here to be kept: without a lock of its own each of them has counted none.
  const held = await sending.api.sql.connect();
  await held.query("begin");
  await held.query("lock table placement_tests in share mode");
  const kept = Array.from({ length: 5 }, keep);
  const waiting = async () =>
    (await rows("select count(*)::int as n from pg_locks where not granted"))[0].n;
  await expect.poll(waiting, { timeout: 10_000 }).toBeGreaterThan(1);
  await held.query("commit");
  held.release();
  const ends = await Promise.allSettled(kept);
  expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await rows("select 1 from placement_tests")).toHaveLength(1);
});
