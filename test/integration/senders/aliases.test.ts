import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gapSeconds } from "#src/domain/engine/chance.ts";
import { openAccount } from "#src/domain/senders/alias-account.ts";
import { api, tenant, useApi } from "../../support/use-api.ts";
import { type Reply } from "../../support/api.ts";
import { insertActiveCampaign } from "../../support/engine.ts";
import { meetAtDefault } from "../../support/locks.ts";

let smtp: { port: number; close(): Promise<void> };
const PATH = "/api/v1/mailer/aliases";

useApi({ eachTest: true });
beforeAll(async () => {
  smtp = await startSubmission();
});
afterAll(() => smtp.close());

/** A submission server that knows one login. */
async function startSubmission() {
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password }, _session, done) =>
      username === "ann" && password === "right"
        ? done(null, { user: "ann" })
        : done(new Error("Invalid login")),
    onMailFrom: ({ address }, _session, done) =>
      done(
        address.startsWith("not-mine")
          ? Object.assign(new Error("Sender is not yours"), { responseCode: 550 })
          : address.startsWith("busy")
            ? Object.assign(new Error("4.3.1 Insufficient system storage"), { responseCode: 452 })
            : null,
      ),
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

const account = (change: Record<string, unknown> = {}) => ({
  kind: "smtp",
  host: "127.0.0.1",
  port: smtp.port,
  security: "none",
  username: "ann",
  password: "right",
  ...change,
});
const create = (change: Record<string, unknown> = {}, owner = tenant) =>
  owner.call("POST", PATH, {
    email: `ann-${randomUUID().slice(0, 8)}@sender.zz`,
    display_name: "Ann",
    transport: account(),
    ...change,
  });
const patch = (id: string, change: unknown) => tenant.call("PATCH", `${PATH}/${id}`, change);
const defaults = async (): Promise<string[]> =>
  (await tenant.call("GET", PATH)).body
    .filter((alias: { is_default: boolean }) => alias.is_default)
    .map((alias: { id: string }) => alias.id);
const atOnce = async (calls: (() => Promise<Reply>)[]) => {
  await create({}, await api.tenant());
  return meetAtDefault(api.sql, "mail_aliases", tenant.workspaceId, calls);
};
const putInError = (id: string) =>
  api.sql.query(
    "update mail_aliases set status = 'error', last_error = 'no', last_error_kind = 'account' where id = $1",
    [id],
  );
const lane = async (id: string) =>
  (await api.sql.query("select * from sender_lanes where id = $1", [id])).rows[0];

describe("a mail alias", () => {
  test("is created active, with its lane, and its password never comes back", async () => {
    const made = await create({ email: "Ann@Sender.zz", min_interval_seconds: 90 });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      user_id: tenant.userId,
      workspace_id: tenant.workspaceId,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      domain_id: null,
      email: "ann@sender.zz",
      display_name: "Ann",
      reply_to: null,
      transport: {
        kind: "smtp",
        host: "127.0.0.1",
        port: smtp.port,
        security: "none",
        username: "ann",
      },
      inbox: null,
      oauth: null,
      status: "active",
      daily_limit: 50,
      min_interval_seconds: 90,
      ramp: null,
      sent_today: 0,
      cap_today: 50,
      signature: null,
      is_default: true,
      last_error: null,
      last_error_kind: null,
      replies_return: "unknown",
    });
    expect(await lane(made.body.id)).toMatchObject({
      kind: "email",
      open: true,
      next_slot_at: null,
      day_cap: 50,
      used: 0,
      min_interval_seconds: 90,
    });
    const { rows } = await api.sql.query("select * from mail_aliases where id = $1", [
      made.body.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain("right");
    const opened = await openAccount(api.deps, {
      id: made.body.id,
      transportKind: rows[0].transport_kind,
      transportSettings: rows[0].transport_settings,
      transportSecret: rows[0].transport_secret,
    });
    expect(opened).toMatchObject({ kind: "smtp", password: "right" });
    expect((await tenant.call("GET", `${PATH}/${made.body.id}`)).body).toEqual(made.body);
    expect((await tenant.call("GET", PATH)).body).toEqual([made.body]);
  });

  test("belongs to the workspace's record of its domain, unless told otherwise", async () => {
    const domain = (await tenant.call("POST", "/api/v1/mailer/domains", { domain: "own.example" }))
      .body.id;
    expect((await create({ email: "a@own.example" })).body.domain_id).toBe(domain);
    expect((await create({ email: "a@mail.own.example" })).body.domain_id).toBe(domain);
    expect((await create({ email: "b@own.example", domain_id: null })).body.domain_id).toBeNull();
    const other = await create({ email: "a@notown.example", domain_id: domain });
    expect([other.status, other.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
    const unknown = await create({ domain_id: randomUUID() });
    expect([unknown.status, unknown.body.detail]).toEqual([404, "MAIL_DOMAIN_NOT_FOUND"]);
    const { id } = (await create({ email: "c@own.example" })).body;
    expect((await patch(id, { email: "c@elsewhere.example" })).status).toBe(422);
    expect((await patch(id, { email: "c@elsewhere.example", domain_id: null })).status).toBe(200);
  });

  test("is there once for each address, also when asked twice at once; the first is the default", async () => {
    const email = "twice@sender.zz";
    const replies = await Promise.all([
      create({ email }),
      create({ email }),
      create({ email: "other@sender.zz" }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.detail).toBe("ALIAS_EXISTS");
    const list = (await tenant.call("GET", PATH)).body;
    expect(list.filter((alias: { is_default: boolean }) => alias.is_default)).toHaveLength(1);
  });

  const twenty = (call: () => Promise<Reply>) => Array.from({ length: 20 }, () => call);
  test.each<[string, () => Promise<(() => Promise<Reply>)[]>, number]>([
    ["twenty firsts at once", async () => twenty(() => create()), 201],
    [
      "twenty that each take the mark at once",
      async () => (await create(), twenty(() => create({ is_default: true }))),
      201,
    ],
    [
      "nine that are made it at once",
      async () => {
        const ids: string[] = [];
        for (let count = 0; count < 9; count++) ids.push((await create()).body.id);
        return ids.map((id) => () => patch(id, { is_default: true }));
      },
      200,
    ],
  ])("is the default of %s", async (_, calls, status) => {
    const replies = await atOnce(await calls());
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([status]));
    expect(await defaults()).toHaveLength(1);
  });

  test("is the default of those that take the mark while the default is deleted", async () => {
    const [first, , third] = [await create(), await create(), await create()];
    const replies = await atOnce([
      () => tenant.call("DELETE", `${PATH}/${first.body.id}`),
      () => patch(third.body.id, { is_default: true }),
      () => create({ is_default: true }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 201]);
    expect(await defaults()).toHaveLength(1);
  });

  test("takes nine changes at once, one after the other", async () => {
    const { id } = (await create()).body;
    const change = () => patch(id, { is_default: true });
    const replies = await Promise.all(Array.from({ length: 9 }, change));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(await defaults()).toEqual([id]);
  });

  test("hands the default mark on", async () => {
    const [first, second] = [(await create()).body.id, (await create()).body.id];
    await patch(second, { is_default: true });
    expect(await defaults()).toEqual([second]);
    await patch(second, { is_default: false });
    expect(await defaults()).toEqual([second]);
    await tenant.call("DELETE", `${PATH}/${second}`);
    expect(await defaults()).toEqual([first]);
  });

  test("is checked field by field", async () => {
    const wrong: [string, Record<string, unknown>][] = [
      ["email", { email: "x" }],
      ["display_name", { display_name: "a\r\nBcc: b@example.com" }],
      ["reply_to", { reply_to: "x" }],
      ["daily_limit", { daily_limit: 0 }],
      ["daily_limit", { daily_limit: 10_001 }],
      ["min_interval_seconds", { min_interval_seconds: 0 }],
      ["ramp", { ramp: { enabled: true, start: 0 } }],
      ["signature", { signature: "x".repeat(5001) }],
      ["transport", { transport: account({ kind: "pigeon" }) }],
      ["transport", { transport: { kind: "resend" } }],
      ["transport", { transport: { kind: "mailgun", domain: "a b", api_key: "k" } }],
      [
        "transport",
        { transport: { kind: "postmark", server_token: "t", message_stream: "a\r\n" } },
      ],
      [
        "transport",
        {
          transport: {
            kind: "ses",
            region: "mars-1.evil.zz/",
            access_key_id: "A".repeat(20),
            secret_access_key: "s",
          },
        },
      ],
      ["transport", { transport: account({ host: "mail.example.com" }) }],
      ["transport", { transport: account({ host: "10.0.0.1", security: "tls" }) }],
      ["transport", { transport: account({ host: "a b", security: "tls" }) }],
      [
        "transport",
        { transport: account({ host: "mail.example.com", security: "starttls", port: 25 }) },
      ],
      ["transport", { transport: account({ port: 0 }) }],
      ["transport", { transport: account({ port: 65_536 }) }],
      ["transport", { transport: account({ security: "ssl" }) }],
      ["transport", { transport: account({ password: undefined }) }],
      ["transport", { transport: account({ username: undefined }) }],
      ["transport", { transport: account({ username: "a\r\nb" }) }],
      ["transport", { transport: undefined }],
    ];
    for (const [field, change] of wrong) {
      const reply = await create(change);
      expect([field, reply.status]).toEqual([field, 422]);
      expect(reply.body.details[0].loc[1]).toBe(field);
    }
    const tls = account({ host: "smtp.example.com", port: 465, security: "tls" });
    expect((await create({ transport: tls })).status).toBe(201);
    expect((await create({ transport: account({ username: null, password: null }) })).status).toBe(
      201,
    );
  });

  test("keeps its password only for the same account", async () => {
    const { id } = (await create()).body;
    const withoutPassword = (change = {}) => ({
      transport: account({ password: undefined, ...change }),
    });
    expect((await patch(id, withoutPassword())).status).toBe(200);
    for (const change of [{ port: smtp.port + 1 }, { host: "localhost" }, { username: "bob" }]) {
      const reply = await patch(id, withoutPassword(change));
      expect([reply.status, reply.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
    }
    expect((await tenant.call("POST", `${PATH}/${id}/test`)).body.ok).toBe(true);
    await patch(id, { transport: account({ username: undefined, password: undefined }) });
    const { rows } = await api.sql.query(
      "select transport_secret from mail_aliases where id = $1",
      [id],
    );
    expect(rows[0].transport_secret).toBeNull();
  });

  test("that a campaign under way sends from stays; deleted, it takes its lane along", async () => {
    const { id } = (await create()).body;
    const { campaignId } = await insertActiveCampaign(api.sql, tenant, {
      leads: 1,
      aliases: [id],
      now: api.deps.clock.now(),
    });
    for (const status of ["scheduled", "launching", "active", "draining", "paused"]) {
      await api.sql.query("update campaigns set status = $2 where id = $1", [campaignId, status]);
      const reply = await tenant.call("DELETE", `${PATH}/${id}`);
      expect([reply.status, reply.body.detail, reply.body.campaign_ids]).toEqual([
        409,
        "IN_USE",
        [campaignId],
      ]);
    }
    expect(await lane(id)).toBeDefined();
    await api.sql.query("update campaigns set status = 'completed' where id = $1", [campaignId]);
    expect((await tenant.call("DELETE", `${PATH}/${id}`)).body).toEqual({ success: true });
    expect(await lane(id)).toBeUndefined();
    expect(
      (await api.sql.query("select 1 from campaign_senders where lane_id = $1", [id])).rows,
    ).toEqual([]);
    expect((await tenant.call("DELETE", `${PATH}/${id}`)).body.detail).toBe("MAIL_ALIAS_NOT_FOUND");
  });
});

describe("the lane", () => {
  test("follows caps and interval at once, and is not touched by a change of name", async () => {
    const { id } = (await create()).body;
    const closedUntil = new Date(api.deps.clock.now().getTime() + 600_000);
    await api.sql.query("update sender_lanes set closed_until = $2, failures = 3 where id = $1", [
      id,
      closedUntil,
    ]);
    await api.sql.query(
      "update mail_aliases set last_error = 'refused', last_error_kind = 'line' where id = $1",
      [id],
    );
    const before = await lane(id);
    expect((await patch(id, { display_name: "Anna" })).body).toMatchObject({
      status: "active",
      last_error_kind: "line",
    });
    expect(await lane(id)).toEqual(before);
    await patch(id, { daily_limit: 7, min_interval_seconds: 120 });
    expect(await lane(id)).toMatchObject({
      open: true,
      day_cap: 7,
      min_interval_seconds: 120,
      closed_until: closedUntil,
      failures: 3,
    });
    expect((await lane(id)).next_slot_at).toEqual(closedUntil);
  });

  test("closes and opens with the alias, and keeps the gap after its last action", async () => {
    const { id } = (await create({ min_interval_seconds: 300 })).body;
    const last = api.deps.clock.now();
    await api.sql.query(
      "update sender_lanes set last_slot_at = $2, next_slot_at = null where id = $1",
      [id, last],
    );
    for (const status of ["paused", "disabled"]) {
      expect((await patch(id, { status })).body.status).toBe(status);
      expect(await lane(id)).toMatchObject({ open: false, next_slot_at: null });
    }
    await patch(id, { status: "active" });
    expect(await lane(id)).toMatchObject({
      open: true,
      next_slot_at: new Date(last.getTime() + Math.round(gapSeconds(300, id, 0) * 1000)),
    });
    expect((await patch(id, { status: "error" })).status).toBe(422);
  });

  test.each([
    ["of an alias in error", "error", "account", false],
    ["whose server was away", "active", "line", true],
  ])("begins anew when the account %s is changed", async (_name, status, kind, open) => {
    const { id } = (await create()).body;
    await api.sql.query(
      "update mail_aliases set status = $2, last_error = 'no', last_error_kind = $3 where id = $1",
      [id, status, kind],
    );
    await api.sql.query(
      "update sender_lanes set open = $2, failures = 4, closed_until = now() + interval '1 hour' where id = $1",
      [id, open],
    );
    expect((await patch(id, { transport: account() })).body).toMatchObject({
      status: "active",
      last_error: null,
      last_error_kind: null,
    });
    expect(await lane(id)).toMatchObject({
      open: true,
      failures: 0,
      closed_until: null,
      next_slot_at: expect.any(Date),
    });
  });

  test("changes of different fields at once all count", async () => {
    const { id } = (await create()).body;
    const replies = await Promise.all([
      patch(id, { daily_limit: 9 }),
      patch(id, { min_interval_seconds: 77 }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect((await tenant.call("GET", `${PATH}/${id}`)).body).toMatchObject({
      daily_limit: 9,
      min_interval_seconds: 77,
    });
    expect(await lane(id)).toMatchObject({ day_cap: 9, min_interval_seconds: 77 });
  });
});

describe("the ramp", () => {
  test("starts low when it is switched on, and grows by the day", async () => {
    const { id } = (await create({ daily_limit: 100 })).body;
    api.advance(40 * 86_400);
    const ramp = { enabled: true };
    const on = await patch(id, { ramp });
    expect(on.body).toMatchObject({
      cap_today: 10,
      ramp: { enabled: true, start: 10, step: 5, ceiling: 50 },
    });
    expect(Object.keys(on.body.ramp)).toEqual(["enabled", "start", "step", "ceiling"]);
    expect((await lane(id)).day_cap).toBe(10);
    const capToday = async () => (await tenant.call("GET", `${PATH}/${id}`)).body.cap_today;
    api.advance(86_400);
    expect(await capToday()).toBe(15);
    api.advance(2 * 86_400);
    expect(await capToday()).toBe(25);
    await patch(id, { ramp: { enabled: true, step: 10 } });
    expect(await capToday()).toBe(40);
    api.advance(20 * 86_400);
    expect(await capToday()).toBe(50);
    await patch(id, { ramp: null });
    expect(await capToday()).toBe(100);
  });

  test("counts dates of the workspace's zone: each step lasts one of them, however late it was switched on", async () => {
    await tenant.call("PATCH", "/api/v1/workspace", { timezone: "Asia/Kathmandu" });
    const { id } = (await create({ daily_limit: 100 })).body;
    // An hour before midnight in Kathmandu (UTC+5:45).
    const hourMs = 3_600_000;
    const inKathmandu = (api.deps.clock.now().getTime() + 5.75 * hourMs) % (24 * hourMs);
    api.advance((24 * hourMs - inKathmandu + 23 * hourMs) / 1000);
    await patch(id, { ramp: { enabled: true } });
    const capToday = async () => (await tenant.call("GET", `${PATH}/${id}`)).body.cap_today;
    expect(await capToday()).toBe(10);
    api.advance(2 * 3600);
    expect(await capToday()).toBe(15);
    api.advance(22 * 3600 + 1800);
    expect(await capToday()).toBe(15);
    api.advance(3600);
    expect(await capToday()).toBe(20);
    await tenant.call("PATCH", "/api/v1/workspace", { timezone: "UTC" });
  });

  test("counts what was sent on the present day only", async () => {
    const { id } = (await create()).body;
    const now = api.deps.clock.now();
    const from = new Date(now.getTime() - 3_600_000);
    const until = new Date(now.getTime() + 3_600_000);
    await api.sql.query(
      "update sender_lanes set used = 12, day_from = $2, day_until = $3 where id = $1",
      [id, from, until],
    );
    expect((await tenant.call("GET", `${PATH}/${id}`)).body.sent_today).toBe(12);
    api.advance(7200);
    expect((await tenant.call("GET", `${PATH}/${id}`)).body.sent_today).toBe(0);
  });
});

describe("the account test", () => {
  test("says that the account works, and heals an alias in error", async () => {
    const { id } = (await create()).body;
    await putInError(id);
    await api.sql.query("update sender_lanes set open = false where id = $1", [id]);
    const report = await tenant.call("POST", `${PATH}/${id}/test`);
    expect(report.status).toBe(200);
    expect(report.body).toMatchObject({
      ok: true,
      stage: "ready",
      checked_at: expect.stringMatching(/Z$/),
    });
    expect((await tenant.call("GET", `${PATH}/${id}`)).body).toMatchObject({
      status: "active",
      last_error: null,
      last_error_kind: null,
    });
    expect(await lane(id)).toMatchObject({ open: true, failures: 0 });
  });

  test.each<[string, () => Record<string, unknown>, stage: string, words: RegExp, kind: string]>([
    [
      "that refuses the password",
      () => ({ transport: account({ password: "wrong" }) }),
      "auth",
      /^(?!.*wrong)/,
      "account",
    ],
    [
      "that does not let the account send as the alias",
      () => ({ email: `not-mine-${randomUUID()}@sender.zz` }),
      "sender",
      /does not let this account send as not-mine-/,
      "account",
    ],
    ["that is away", () => ({ transport: account({ port: 1 }) }), "connect", /./, "line"],
    [
      "that refuses for now",
      () => ({ email: `busy-${randomUUID()}@acme.example` }),
      "sender",
      /temporary, says the server, and no error of the account/,
      "line",
    ],
  ])(
    "of a server %s says so, and stops the sender only where its owner has to act",
    async (_, change, stage, words, kind) => {
      const { id } = (await create(change())).body;
      const report = await tenant.call("POST", `${PATH}/${id}/test`);
      expect(report.body).toMatchObject({
        ok: false,
        stage,
        message: expect.stringMatching(words),
      });
      expect((await tenant.call("GET", `${PATH}/${id}`)).body).toMatchObject({
        status: kind === "account" ? "error" : "active",
        last_error: report.body.message,
        last_error_kind: kind,
      });
      expect((await lane(id)).open).toBe(kind === "line");
    },
  );

  test("of a server that is away leaves what the owner has to mend", async () => {
    const { id } = (await create({ transport: account({ port: 1 }) })).body;
    await putInError(id);
    expect((await tenant.call("POST", `${PATH}/${id}/test`)).body.ok).toBe(false);
    expect((await tenant.call("GET", `${PATH}/${id}`)).body).toMatchObject({
      status: "error",
      last_error: "no",
      last_error_kind: "account",
    });
  });

  const elsewhere = (host: string) =>
    account({ host, port: 587, security: "starttls", username: null, password: undefined });

  test("tells a name that does not exist from a server that is down", async () => {
    api.dns.zones.put(
      "elsewhere.zz",
      "smtp.elsewhere.zz A 127.0.0.9\nold.elsewhere.zz CNAME gone.elsewhere.zz\n",
    );
    const typo = (await create({ transport: elsewhere("smpt.elsewhere.zz") })).body;
    const report = (await tenant.call("POST", `${PATH}/${typo.id}/test`)).body;
    expect(report).toMatchObject({
      ok: false,
      stage: "connect",
      message: "There is no host named smpt.elsewhere.zz in DNS: check its spelling.",
    });
    expect(report).not.toHaveProperty("fault");
    expect((await lane(typo.id)).open).toBe(false);

    const known = (await create({ transport: elsewhere("smtp.elsewhere.zz") })).body;
    expect((await tenant.call("POST", `${PATH}/${known.id}/test`)).body).toMatchObject({
      stage: "connect",
      message: expect.stringContaining("DNS knows the name"),
    });
    expect((await lane(known.id)).open).toBe(true);

    const dangling = (await create({ transport: elsewhere("old.elsewhere.zz") })).body;
    expect((await tenant.call("POST", `${PATH}/${dangling.id}/test`)).body.message).toContain(
      "leads to gone.elsewhere.zz, which has no address",
    );
  });

  test("does not call a name wrong when DNS does not answer", async () => {
    const { id } = (await create({ transport: elsewhere("smtp.nowhere.zz") })).body;
    api.dns.faults.order("servfail", 12);
    await tenant.call("POST", `${PATH}/${id}/test`);
    expect((await lane(id)).open).toBe(true);
  });

  test("leaves a paused alias paused", async () => {
    const { id } = (await create()).body;
    await patch(id, { status: "paused" });
    await tenant.call("POST", `${PATH}/${id}/test`);
    expect((await tenant.call("GET", `${PATH}/${id}`)).body.status).toBe("paused");
    expect((await lane(id)).open).toBe(false);
  });
});
