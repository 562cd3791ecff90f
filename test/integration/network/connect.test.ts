import { describe, expect, test } from "vitest";
import { runEndSession } from "#src/domain/network/end-session.ts";
import {
  ACCOUNTS,
  connect,
  connected,
  list,
  PASSWORD,
  queued,
  read,
  reconnect,
  sessions,
  setting,
  tenant,
  useAccounts,
  user,
} from "./accounts-setting.ts";

useAccounts();

test("an account is connected by username and password, and answers with all of its fields", async () => {
  const { status, body } = await connect(tenant, user("ok"), { country: "GB" });
  expect(status).toBe(200);
  expect(Object.keys(body).toSorted()).toEqual([
    "account",
    "checkpoint_required",
    "checkpoint_token",
    "checkpoint_type",
    "success",
  ]);
  expect(body).toMatchObject({
    success: true,
    checkpoint_required: false,
    checkpoint_type: null,
    checkpoint_token: null,
    account: {
      user_id: tenant.userId,
      workspace_id: tenant.workspaceId,
      provider: "socialnet",
      status: "connected",
      checkpoint_pending: false,
      is_default: true,
      daily_connection_limit: 20,
      daily_message_limit: 50,
      warmup_days: 14,
      connection_country: "GB",
    },
  });
  expect(body.account.provider_account_id).toBe(sessions(setting).at(-1));
  expect(body.account.display_name).not.toBe("");
  expect(body.account.profile_url).toContain("/in/");
  expect(await read(tenant, body.account.id)).toEqual(body.account);
  expect(await list(tenant)).toEqual([body.account]);
});

test("without a country the provider chooses, and none is kept", async () => {
  const account = await connected(tenant, user("ok"));
  expect(account.connection_country).toBeNull();
});

test("a new account has an open lane with the first day of its warm-up", async () => {
  const { id } = await connected(tenant, user("ok"));
  const { rows } = await setting.api.sql.query("select * from sender_lanes where id = $1", [id]);
  expect(rows).toEqual([
    expect.objectContaining({
      kind: "socialnet",
      open: true,
      day_cap: 14,
      connection_cap: 4,
      min_interval_seconds: null,
    }),
  ]);
});

describe("refused", () => {
  test.each(["badpass", "restricted"])("%s: 400, and there is no record", async (kind) => {
    const { status, body } = await connect(tenant, user(kind));
    expect([status, body.detail]).toEqual([400, "ACCOUNT_CREDENTIALS_INVALID"]);
    expect(await list(tenant)).toEqual([]);
  });

  test.each([
    ["no address and no number", { username: "ada lovelace" }, 400],
    ["a country in small letters", { country: "gb" }, 422],
    ["another provider", { provider: "elsewhere" }, 422],
    ["a username of two lines", { username: "ok@a.zz\r\nX-API-KEY: x" }, 422],
  ])("%s", async (_what, more, expected) => {
    const { status } = await connect(tenant, user("ok"), more);
    expect(status).toBe(expected);
    expect(await list(tenant)).toEqual([]);
  });
});

describe("the provider", () => {
  test.each(["down", "unavailable", "rate_limited", "key_refused"])(
    "%s: 502 to be tried again, and there is no record",
    async (fault) => {
      setting.network.faults.order(fault, 1);
      const { status, body, headers } = await connect(tenant, user("ok"));
      expect([status, body.detail]).toEqual([502, "UPSTREAM_ERROR"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(await list(tenant)).toEqual([]);
    },
  );

  test.each(["lying", "lost_answer"])(
    "%s: 502, and the next try makes one record",
    async (fault) => {
      setting.network.faults.order(fault, 1);
      const { status, body } = await connect(tenant, user("ok"));
      expect([status, body.detail]).toEqual([502, "UPSTREAM_ERROR"]);
      expect(await list(tenant)).toEqual([]);
      const { id } = await connected(tenant, user("ok"));
      expect((await list(tenant)).map((account) => account.id)).toEqual([id]);
    },
  );

  test("is slow: the answer is waited for", async () => {
    const { status, body } = await connect(tenant, user("slow"));
    expect([status, body.success]).toEqual([200, true]);
  });
});

describe("the same person again", () => {
  test("is the same record with the new session, and the old one is ended", async () => {
    const before = await connected(tenant, user("ok"));
    const after = await connected(tenant, user("ok"));
    expect(after).toMatchObject({ id: before.id, is_default: true, created_at: before.created_at });
    expect(after.provider_account_id).not.toBe(before.provider_account_id);
    expect(queued(setting, "end-network-session")).toBe(1);
    expect(await runEndSession(setting.api.deps, before.provider_account_id)).toBe("ended");
    expect(sessions(setting)).not.toContain(before.provider_account_id);
    // Safe to repeat, and never for a session that somebody has.
    expect(await runEndSession(setting.api.deps, before.provider_account_id)).toBe("ended");
    expect(await runEndSession(setting.api.deps, after.provider_account_id)).toBe("in_use");
    expect(sessions(setting)).toContain(after.provider_account_id);
  });

  test("five at once are one record with one of their sessions, and the others are ended", async () => {
    const before = sessions(setting);
    const replies = await Promise.all(Array.from({ length: 5 }, () => connect(tenant, user("ok"))));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const [account, ...others] = await list(tenant);
    expect(others).toEqual([]);
    expect(new Set(replies.map(({ body }) => body.account.id))).toEqual(new Set([account.id]));
    const made = sessions(setting).filter((session) => !before.includes(session));
    expect(made).toHaveLength(5);
    expect(queued(setting, "end-network-session")).toBe(4);
    for (const session of made) await runEndSession(setting.api.deps, session);
    expect(sessions(setting).filter((session) => made.includes(session))).toEqual([
      account.provider_account_id,
    ]);
  });

  test("in another workspace is another record, and each keeps its session", async () => {
    const other = await setting.api.tenant();
    const mine = await connected(tenant, user("ok"));
    const theirs = await connected(other, user("ok"));
    expect(theirs.id).not.toBe(mine.id);
    expect(queued(setting, "end-network-session")).toBe(0);
    expect(await read(tenant, mine.id)).toEqual(mine);
    expect((await tenant.call("GET", `${ACCOUNTS}/${theirs.id}`)).status).toBe(404);
  });

  test("keeps limits that its owner has set", async () => {
    const { id } = await connected(tenant, user("ok"));
    await tenant.call("PATCH", `${ACCOUNTS}/${id}`, { daily_message_limit: 7 });
    expect((await connected(tenant, user("ok"))).daily_message_limit).toBe(7);
  });
});

describe("quotas", () => {
  test("the sixth connect of an hour is 429, however often an account was connected again", async () => {
    const { id } = await connected(tenant, user("ok"));
    for (let time = 0; time < 6; time++)
      expect((await reconnect(tenant, id, user("ok"))).status).toBe(409);
    for (let time = 0; time < 4; time++) await connected(tenant, user("ok"));
    const { status, body, headers } = await connect(tenant, user("ok"));
    expect([status, body.detail]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  });

  test("the eleventh reconnect of an account within an hour is 429, and another's is not", async () => {
    const { id } = await connected(tenant, user("ok"));
    const other = await connected(tenant, user("ok2"));
    for (let time = 0; time < 10; time++)
      expect((await reconnect(tenant, id, user("ok"))).status).toBe(409);
    const { status, body } = await reconnect(tenant, id.toUpperCase(), user("ok"));
    expect([status, body.detail]).toEqual([429, "RATE_LIMITED"]);
    expect((await reconnect(tenant, other.id, user("ok2"))).status).toBe(409);
  });

  const NO_ACCOUNT = "00000000-0000-4000-8000-000000000000";
  const GUARDED = ["connect", "checkpoint", `${NO_ACCOUNT}/reconnect`];
  test.each(GUARDED)("without their counters %s is shut: 503", async (path) => {
    setting.api.redis.faults.order("unavailable", 5);
    const body = { username: user("ok"), password: PASSWORD, checkpoint_token: "t", code: "1" };
    const reply = await tenant.call("POST", `${ACCOUNTS}/${path}`, body);
    setting.api.redis.faults.clear();
    expect([reply.status, reply.body.detail]).toEqual([503, "RATE_LIMITER_UNAVAILABLE"]);
    expect(await list(tenant)).toEqual([]);
  });
});
