/** Access tokens: kept until they run out, renewed once by whoever comes first, and never stranded. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { accessTokenOf } from "#src/domain/senders/access-token.ts";
import { createOauth } from "#src/providers/oauth/code-grant.ts";
import { oauthEnv } from "../../../scripts/stack/oauth/env.ts";
import {
  aliasNow,
  APP,
  at,
  connect,
  connectedAlias,
  oauthAlias,
  OWN_APP,
  patchAlias,
  testAlias,
  tokenCalls,
  useMailOauth,
} from "../../support/oauth.ts";
import { MAIL_HOSTS } from "#src/providers/oauth/index.ts";

useMailOauth();

const token = (id: string, refused?: string, host = "127.0.0.1") =>
  accessTokenOf(at.api.deps, { id, host }, { refused });
const tokenText = async (id: string) => {
  const result = await token(id);
  if (!result.ok) throw new Error(result.message);
  return result.token;
};
const row = async (id: string) =>
  (await at.api.sql.query("select * from mail_logins where alias_id = $1", [id])).rows[0];

test("a token is kept until five minutes before its end, and then renewed by one question", async () => {
  const alias = await connectedAlias();
  tokenCalls();
  const first = await tokenText(alias.id);
  at.api.advance(3290 - 10);
  expect(await tokenText(alias.id)).toBe(first);
  expect(tokenCalls()).toBe(0);
  at.api.advance(30);
  const second = await tokenText(alias.id);
  expect(second).not.toBe(first);
  expect(await tokenText(alias.id)).toBe(second);
  expect(tokenCalls()).toBe(1);
});

test("a token that lives for a minute is kept for half of it", async () => {
  at.oauth.faults.order("short_lived", 2);
  const alias = await connectedAlias();
  const first = await tokenText(alias.id);
  at.api.advance(20);
  expect(await tokenText(alias.id)).toBe(first);
  at.api.advance(15);
  expect(await tokenText(alias.id)).not.toBe(first);
});

describe.each(["as Google", "as Microsoft", "strictly"])("twelve at once, rotating %s", (how) => {
  test("ask once and get the same", async () => {
    const alias = await connectedAlias(how === "as Microsoft" ? "microsoft" : "google");
    at.api.advance(3600);
    if (how === "strictly") at.oauth.faults.order("rotate", 1);
    tokenCalls();
    const results = await Promise.all(Array.from({ length: 12 }, () => token(alias.id)));
    expect(new Set(results.map((each) => (each.ok ? each.token : each.message))).size).toBe(1);
    expect(results[0]!.ok).toBe(true);
    expect(tokenCalls()).toBe(1);
    at.api.advance(3600);
    expect((await token(alias.id)).ok).toBe(true);
  });
});

test("a worker that died while it renewed keeps others waiting for seconds, and nobody is stranded", async () => {
  const alias = await connectedAlias();
  at.api.advance(3600);
  const soon = new Date(at.api.deps.clock.now().getTime() + 3_000);
  await at.api.sql.query("update mail_logins set renewing_until = $2 where alias_id = $1", [
    alias.id,
    soon,
  ]);
  const waiting = token(alias.id);
  tokenCalls();
  expect((await waiting).ok).toBe(true);
  expect(tokenCalls()).toBe(1);
});

test("a consent given while an old one is refused stands", async () => {
  const alias = await connectedAlias();
  at.oauth.grants.revoke(alias.email);
  at.api.advance(3600);
  const { deps } = at.api;
  // Between the provider's no and its record the person consents anew.
  const oauth = {
    ...deps.oauth,
    renew: async (...args: Parameters<typeof deps.oauth.renew>) => {
      const answer = await deps.oauth.renew(...args);
      if (answer.kind === "refused") await connect(alias.id, alias.email);
      return answer;
    },
  };
  expect(await accessTokenOf({ ...deps, oauth }, { ...alias, host: "127.0.0.1" })).toMatchObject({
    ok: true,
  });
  expect(await testAlias(alias.id)).toMatchObject({ ok: true });
});

test("a consent given while the old one is renewed is not written over", async () => {
  const alias = await connectedAlias();
  at.api.advance(3600);
  const { deps } = at.api;
  let tokens: string | undefined;
  const oauth = {
    ...deps.oauth,
    renew: async (...args: Parameters<typeof deps.oauth.renew>) => {
      const answer = await deps.oauth.renew(...args);
      await connect(alias.id, alias.email);
      tokens = (await row(alias.id)).tokens;
      return answer;
    },
  };
  expect(await accessTokenOf({ ...deps, oauth }, { ...alias, host: "127.0.0.1" })).toMatchObject({
    ok: true,
  });
  expect((await row(alias.id)).tokens).toBe(tokens);
});

describe("whose fault it is", () => {
  test("a consent that was taken back is the account's", async () => {
    const alias = await connectedAlias("microsoft");
    at.oauth.grants.revoke(alias.email);
    at.api.advance(3600);
    expect(await token(alias.id)).toMatchObject({
      ok: false,
      fault: "account",
      message: expect.stringMatching(
        /^The consent for this mailbox has ended .*AADSTS50173.*Connect it again/,
      ),
    });
    expect((await row(alias.id)).renewing_until).toBeNull();
  });

  test.each([
    "down",
    "server_error",
    "unavailable",
    "html",
    "wrong_json",
    "endless",
    "redirect",
    "lost_answer",
  ])("a token endpoint that is %s is the line's, and the next try goes through", async (fault) => {
    const alias = await connectedAlias();
    at.api.advance(3600);
    at.oauth.faults.order(fault, 1);
    const result = await token(alias.id);
    expect(result).toMatchObject({ ok: false, fault: "line" });
    expect(await token(alias.id)).toMatchObject({ ok: true });
  });

  test("one that never answers is the line's after its deadline", async () => {
    const { deps } = at.api;
    const alias = await connectedAlias();
    at.api.advance(3600);
    at.oauth.faults.order("slow", 1);
    const settings = Object.fromEntries(
      (["google", "microsoft", "other"] as const).map((each) => [
        each,
        {
          client: { clientId: APP.id, clientSecret: APP.secret },
          ...at.oauth.endpoints[each],
          scopes: null,
        },
      ]),
    ) as unknown as Parameters<typeof createOauth>[0];
    const oauth = createOauth(settings, { fetch, dns: deps.dns, loopback: true, timeoutMs: 200 });
    expect(await accessTokenOf({ ...deps, oauth }, { ...alias, host: "127.0.0.1" })).toMatchObject({
      ok: false,
      fault: "line",
      message: expect.stringContaining("did not answer in time"),
    });
  });

  test("the deployment's app refused is the line's, the alias's own app refused is the account's", async () => {
    const ours = await connectedAlias();
    const { body: own } = await oauthAlias({
      oauth: { provider: "google", client_id: OWN_APP.id, client_secret: OWN_APP.secret },
    });
    await connect(own.id, own.email);
    at.api.advance(3600);
    at.oauth.faults.order("invalid_client", 2);
    expect(await token(ours.id)).toMatchObject({
      fault: "line",
      message: expect.stringContaining("its operator has to look after it"),
    });
    expect(await token(own.id)).toMatchObject({
      fault: "account",
      message: expect.stringContaining("check oauth.client_id"),
    });
  });
});

describe("a refresh token that was given by hand", () => {
  const consented = (email: string, clientId = OWN_APP.id) => {
    const { grants } = at.oauth;
    const code = grants.addCode({
      provider: "other",
      clientId,
      email,
      scopes: ["mail"],
      redirectUri: "https://elsewhere.zz/",
      challenge: null,
      isOffline: true,
    });
    return grants.redeem(code, { clientId, redirectUri: "https://elsewhere.zz/", verifier: null })!
      .refreshToken!;
  };
  const own = (email: string) => ({
    provider: "other",
    client_id: OWN_APP.id,
    client_secret: OWN_APP.secret,
    refresh_token: consented(email),
    token_url: at.oauth.endpoints.other.tokenUrl,
  });

  test("sends at once, by the token endpoint that the tenant named", async () => {
    const email = `hand-${randomUUID()}@sender.zz`;
    const { status, body } = await oauthAlias({ email, oauth: own(email) });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: "active", oauth: { provider: "other", connected: true } });
    expect(await testAlias(body.id)).toMatchObject({ ok: true });
  });

  test("goes to no other app, token endpoint or mail host than it was given for", async () => {
    const email = `hand-${randomUUID()}@sender.zz`;
    const login = own(email);
    const { body } = await oauthAlias({ email, oauth: login });
    const kept = (await row(body.id)).tokens;
    const { refresh_token: _, client_secret: __, ...same } = login;
    await patchAlias(body.id, { oauth: same });
    expect((await row(body.id)).tokens).toBe(kept);

    const host = await patchAlias(body.id, {
      transport: { kind: "smtp", host: "127.0.0.2", port: 2525, security: "none", username: email },
    });
    expect([host.status, host.body.detail]).toEqual([422, "VALIDATION_ERROR"]);
    const moved = await patchAlias(body.id, {
      transport: { kind: "smtp", host: "127.0.0.2", port: 2525, security: "none", username: email },
      oauth: same,
    });
    expect(moved.body).toMatchObject({ status: "pending", oauth: { connected: false } });
    expect(await row(body.id)).toMatchObject({ tokens: null, client_secret: null });
  });

  test("opens no inbox at a host that it was not given for", async () => {
    const email = `hand-${randomUUID()}@sender.zz`;
    const login = own(email);
    const { body } = await oauthAlias({ email, oauth: login });
    const elsewhere = { kind: "imap", host: "127.0.0.2", port: 993 };
    const refused = await patchAlias(body.id, { inbox: elsewhere });
    expect([refused.status, refused.body.errors?.[0]?.message ?? refused.body.message]).toEqual([
      422,
      expect.stringContaining("given for other hosts"),
    ]);
    const { host } = at.mailbox.smtp;
    expect((await patchAlias(body.id, { inbox: { ...elsewhere, host } })).status).toBe(200);
    expect((await row(body.id)).tokens).not.toBeNull();
    expect(
      (await patchAlias(body.id, { inbox: { ...elsewhere, password: "its own" } })).status,
    ).toBe(200);
    // Without the password it would be the token's again.
    expect((await patchAlias(body.id, { inbox: { ...elsewhere, password: null } })).status).toBe(
      422,
    );
    const { refresh_token: _, ...same } = login;
    const moved = await patchAlias(body.id, {
      inbox: { ...elsewhere, password: null },
      oauth: same,
    });
    expect(moved.body).toMatchObject({ status: "pending", oauth: { connected: false } });
    expect(await row(body.id)).toMatchObject({ tokens: null });
  });

  test("opens no inbox at the host of a transport that has a password of its own", async () => {
    const email = `hand-${randomUUID()}@sender.zz`;
    const { body } = await oauthAlias({ email, oauth: own(email) });
    const relay = { kind: "smtp", host: "127.0.0.2", port: 465, security: "tls" };
    const named = { ...relay, username: "thief", password: "theirs" };
    expect((await patchAlias(body.id, { transport: named })).status).toBe(200);
    const inbox = { kind: "imap", host: "127.0.0.2", port: 993 };
    expect((await patchAlias(body.id, { inbox })).status).toBe(422);
  });

  test("another token_url loses secret and token", async () => {
    const email = `hand-${randomUUID()}@sender.zz`;
    const { refresh_token: _, client_secret: __, ...login } = own(email);
    const { body } = await oauthAlias({ email, oauth: own(email) });
    await patchAlias(body.id, {
      oauth: { ...login, token_url: "https://thief.example.com/token" },
    });
    expect(await row(body.id)).toMatchObject({ tokens: null, client_secret: null });
  });
});

describe.each(["google", "microsoft"] as const)("a token of %s", (provider) => {
  const isRefused = ({ status, body }: { status: number; body: object }) => {
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain("own mail hosts alone");
  };

  test("goes to its own hosts alone: to no inbox elsewhere, no relay elsewhere, whoever asks", async () => {
    const alias = await connectedAlias(provider);
    const inbox = { kind: "imap", host: "imap.thief.com", port: 993 };
    isRefused(await patchAlias(alias.id, { inbox }));
    isRefused(await oauthAlias({ oauth: { provider }, inbox }));
    const transport = { kind: "smtp", host: "smtp.thief.com", port: 465, security: "tls" };
    isRefused(await oauthAlias({ oauth: { provider }, transport }));
    isRefused(await patchAlias(alias.id, { transport, oauth: { provider } }));
    // With a password of its own it is no matter of the token's.
    const own = await patchAlias(alias.id, { inbox: { ...inbox, password: "its own" } });
    expect(own.status).toBe(200);
    // One that was stored before is not given it either.
    expect(await token(alias.id, undefined, "imap.thief.com")).toMatchObject({
      ok: false,
      fault: "account",
    });
    await at.api.sql.query(
      `update mail_aliases set transport_settings = transport_settings || '{"host": "smtp.thief.com"}' where id = $1`,
      [alias.id],
    );
    expect((await patchAlias(alias.id, { display_name: "Bea" })).status).toBe(200);
    const { imap } = MAIL_HOSTS[provider];
    expect(await token(alias.id, undefined, imap.host)).toMatchObject({ ok: true });
    const theirs = { kind: "imap", ...imap, password: null };
    expect((await patchAlias(alias.id, { inbox: theirs })).status).toBe(200);
  });
});

test("a password given up for oauth is gone, and oauth taken away wants one", async () => {
  const { host, port, security } = at.mailbox.smtp;
  const transport = { kind: "smtp", host, port, security, username: "relay" };
  const { body } = await oauthAlias({
    oauth: null,
    transport: { ...transport, password: "secret" },
  });
  expect(body).toMatchObject({ status: "active", oauth: null });
  const without = await patchAlias(body.id, { transport: { ...transport, password: null } });
  expect(without.status).toBe(422);
  const both = await patchAlias(body.id, { oauth: { provider: "google" } });
  expect(both.body).toMatchObject({ status: "active", oauth: { connected: false } });
  const changed = await patchAlias(body.id, {
    transport: { ...transport, password: null },
    oauth: { provider: "google" },
  });
  expect(changed.body).toMatchObject({ status: "pending" });
  expect((await patchAlias(body.id, { oauth: null })).status).toBe(422);
  const back = await patchAlias(body.id, {
    oauth: null,
    transport: { ...transport, password: "secret" },
  });
  expect(back.body).toMatchObject({ status: "active", oauth: null });
  expect(await testAlias(body.id)).toMatchObject({ ok: true });
});

test("an alias of Google or Microsoft needs no transport, and one of others does", async () => {
  const google = await oauthAlias({ transport: undefined });
  expect(google.body.transport).toEqual({
    kind: "smtp",
    host: "smtp.gmail.com",
    port: 465,
    security: "tls",
    username: google.body.email,
  });
  const microsoft = await oauthAlias({ transport: undefined, oauth: { provider: "microsoft" } });
  expect(microsoft.body.transport).toMatchObject({ host: "smtp.office365.com", port: 587 });
  expect((await oauthAlias({ transport: undefined, oauth: { provider: "other" } })).status).toBe(
    422,
  );
  expect((await oauthAlias({ transport: undefined, oauth: null })).status).toBe(422);
});

test("who connects a Gmail alias gives up the app password for it", async () => {
  const { body } = await oauthAlias({
    oauth: null,
    transport: {
      kind: "smtp",
      host: "smtp.gmail.com",
      port: 465,
      security: "tls",
      username: "ada@gmail.com",
      password: "abcd efgh ijkl mnop",
    },
  });
  await connect(body.id, "ada@gmail.com");
  expect(await aliasNow(body.id)).toMatchObject({ status: "active", oauth: { connected: true } });
  const { rows } = await at.api.sql.query(
    "select transport_secret as secret from mail_aliases where id = $1",
    [body.id],
  );
  expect(rows[0].secret).toBeNull();
});

test.each([
  [{ provider: "google", client_secret: "x" }, "client_secret"],
  [{ provider: "google", token_url: "https://x.example.com/token" }, "token_url"],
  [{ provider: "yahoo" }, "oauth"],
  [{ provider: "google", client_id: "has space", client_secret: "x" }, "client_id"],
  [{ provider: "google", client_id: "\u0000", client_secret: "x" }, "client_id"],
  [{ provider: "google", refresh_token: "x".repeat(9000) }, "refresh_token"],
  [{ provider: "other", client_id: "x", token_url: "ftp://x.example.com" }, "token_url"],
  [{ provider: "other", client_id: "x", token_url: "https://a:b@x.example.com" }, "token_url"],
])("%j is refused", async (oauth, field) => {
  const { status, body } = await oauthAlias({ oauth });
  expect(status).toBe(422);
  expect(body.details.map(({ loc }: { loc: string[] }) => loc.at(-1))).toContain(field);
});

test.each(["http://login.example.com/token", "https://login.corp.internal/token"])(
  "the token_url %s is refused at once, also where this machine may be asked",
  async (token_url) => {
    const { status, body } = await oauthAlias({
      oauth: { provider: "other", client_id: "x", token_url },
    });
    expect([status, body.detail]).toEqual([422, "VALIDATION_ERROR"]);
    expect(body.message).toMatch(/oauth\.token_url must be an https URL of a public host/);
  },
);

test("the part speaks for every provider that the environment names", () => {
  expect(Object.keys(oauthEnv(at.oauth, APP))).toHaveLength(13);
});
