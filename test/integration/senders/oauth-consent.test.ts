/** Connecting a mailbox by OAuth: the way to the provider and back. */
import { describe, expect, test } from "vitest";
import {
  aliasNow,
  APP,
  at,
  beginConsent,
  comeBack,
  connect,
  connectedAlias,
  consentAt,
  oauthAlias,
  OWN_APP,
  patchAlias,
  tenant,
  testAlias,
  tokenCalls,
  useMailOauth,
} from "../../support/oauth.ts";

useMailOauth({ MAIL_OAUTH_RETURN_HOSTS: "app.test" });

const laneOf = async (id: string) =>
  (await at.api.sql.query("select open from sender_lanes where id = $1", [id])).rows[0].open;
const loginOf = async (id: string) =>
  (await at.api.sql.query("select * from mail_logins where alias_id = $1", [id])).rows[0];

test("an alias without a password waits for its consent, and sends from then on", async () => {
  const made = await oauthAlias();
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    status: "pending",
    transport: { username: made.body.email },
    oauth: { provider: "google", client_id: null, token_url: null, connected: false },
  });
  expect(await laneOf(made.body.id)).toBe(false);
  expect(await testAlias(made.body.id)).toMatchObject({
    ok: false,
    stage: "auth",
    message: expect.stringContaining("Nobody has connected this mailbox yet"),
  });
  const { status, text } = await connect(made.body.id, made.body.email);
  expect(status).toBe(200);
  expect(text).toContain("The mailbox is connected");
  expect(await aliasNow(made.body.id)).toMatchObject({
    status: "active",
    last_error: null,
    oauth: { connected: true },
  });
  expect(await laneOf(made.body.id)).toBe(true);
  expect(await testAlias(made.body.id)).toMatchObject({ ok: true, stage: "ready" });
});

test("the person is sent away with PKCE, a state, the mailbox's name and what makes Google give a refresh token", async () => {
  const { body: alias } = await oauthAlias();
  const before = at.api.deps.clock.now().getTime();
  const { status, body } = await beginConsent(alias.id);
  expect(status).toBe(200);
  const lasts = new Date(body.expires_at).getTime() - before;
  expect(lasts).toBeGreaterThanOrEqual(600_000);
  expect(lasts).toBeLessThan(660_000);
  const { searchParams: asked } = new URL(body.authorize_url);
  expect(Object.fromEntries(asked)).toEqual({
    response_type: "code",
    client_id: APP.id,
    redirect_uri: "http://overture.test:8787/oauth/mail/callback",
    scope: "https://mail.google.com/ openid email",
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
    login_hint: alias.email,
    access_type: "offline",
    prompt: "consent",
  });
  const { rows } = await at.api.sql.query("select c::text as row from mail_consents c");
  expect(JSON.stringify(rows)).not.toContain(asked.get("state"));
});

test("Microsoft is asked for sending, reading and a refresh token", async () => {
  const { body: alias } = await oauthAlias({ oauth: { provider: "microsoft" } });
  const { body } = await beginConsent(alias.id, "microsoft");
  const { pathname, searchParams } = new URL(body.authorize_url);
  expect(pathname).toBe("/common/oauth2/v2.0/authorize");
  expect(searchParams.get("scope")).toBe(
    "https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All offline_access openid email",
  );
  expect((await connect(alias.id, alias.email, "microsoft")).status).toBe(200);
});

describe("what comes back", () => {
  test("twice counts once", async () => {
    const { body: alias } = await oauthAlias();
    const { body } = await beginConsent(alias.id);
    const back = await consentAt(body.authorize_url, { email: alias.email });
    tokenCalls();
    const answers = await Promise.all([comeBack(back), comeBack(back), comeBack(back)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(tokenCalls()).toBe(1);
    const again = await comeBack(back);
    expect(again).toMatchObject({ status: 400, to: null });
    expect(again.text).toContain("This link does not work");
  });

  test.each([
    ["a forged state", "state=forged&code=abc"],
    ["no state", "code=abc"],
    ["an empty state", "state=&code=abc"],
    ["a state of a megabyte", `state=${"a".repeat(1_000_000)}`],
    ["a state with NUL", "state=%00&code=%00"],
    ["markup", "state=x&error=%3Cscript%3Ealert(1)%3C/script%3E"],
    ["nothing", ""],
  ])("with %s is a page in plain words, and nothing is stored", async (_, query) => {
    tokenCalls();
    const { status, text } = await comeBack(`/oauth/mail/callback?${query}`);
    expect(status).toBe(400);
    expect(text).toContain("This link does not work");
    expect(text).not.toContain("<script");
    expect(tokenCalls()).toBe(0);
  });

  test("after ten minutes is too late", async () => {
    const { body: alias } = await oauthAlias();
    const { body } = await beginConsent(alias.id);
    const back = await consentAt(body.authorize_url, { email: alias.email });
    at.api.advance(601);
    expect((await comeBack(back)).text).toContain("That took too long");
    expect(await loginOf(alias.id)).toMatchObject({ tokens: null });
  });

  test("for an alias that is gone leads nowhere", async () => {
    const { body: alias } = await oauthAlias();
    const { body } = await beginConsent(alias.id);
    const back = await consentAt(body.authorize_url, { email: alias.email });
    await tenant.call("DELETE", `/api/v1/mailer/aliases/${alias.id}`);
    expect((await comeBack(back)).text).toContain("what it was for is gone");
  });

  test("after a second way was begun is the first one's, which has ended", async () => {
    const { body: alias } = await oauthAlias();
    const first = (await beginConsent(alias.id)).body.authorize_url;
    const second = (await beginConsent(alias.id)).body.authorize_url;
    expect((await comeBack(await consentAt(first, { email: alias.email }))).status).toBe(400);
    expect((await comeBack(await consentAt(second, { email: alias.email }))).status).toBe(200);
  });

  test("with a no changes nothing", async () => {
    const { body: alias } = await oauthAlias();
    const { body } = await beginConsent(alias.id);
    const back = await consentAt(body.authorize_url, { email: alias.email, answer: "deny" });
    const { status, text } = await comeBack(back);
    expect(status).toBe(400);
    expect(text).toContain("The access was not granted");
    expect(await aliasNow(alias.id)).toMatchObject({
      status: "pending",
      oauth: { connected: false },
    });
  });

  test("from another mailbox is refused, and says which", async () => {
    const { body: alias } = await oauthAlias();
    const { status, text } = await connect(alias.id, "mallory@elsewhere.zz");
    expect(status).toBe(400);
    expect(text).toContain("That is another mailbox");
    expect(text).toContain("mallory@elsewhere.zz");
    expect(await loginOf(alias.id)).toMatchObject({ tokens: null });
  });

  test("from a provider that does not say whose mailbox it is, is taken", async () => {
    at.oauth.faults.order("no_id_token", 1);
    const { body: alias } = await oauthAlias();
    expect((await connect(alias.id, alias.email)).status).toBe(200);
  });

  test.each([
    ["google", "access_type=offline and prompt=consent"],
    ["microsoft", "offline_access"],
  ])("without a refresh token says what to do at %s", async (provider, words) => {
    at.oauth.faults.order("no_refresh_token", 1);
    const { body: alias } = await oauthAlias({ oauth: { provider } });
    const { status, text } = await connect(alias.id, alias.email, provider);
    expect(status).toBe(400);
    expect(text).toContain(words);
    expect(await loginOf(alias.id)).toMatchObject({ tokens: null });
  });

  test.each([
    ["down", "The provider does not answer"],
    ["html", "The provider does not answer"],
    ["invalid_grant", "Its provider refused: invalid_grant"],
    ["invalid_client", "Its provider refused: invalid_client"],
  ])("while the token endpoint is %s stores nothing", async (fault, words) => {
    at.oauth.faults.order(fault, 1);
    const { body: alias } = await oauthAlias();
    const { status, text } = await connect(alias.id, alias.email);
    expect(status).toBe(400);
    expect(text).toContain(words);
    expect(await loginOf(alias.id)).toMatchObject({ tokens: null });
  });
});

describe("return_url", () => {
  const returnUrl = "https://app.test/mailboxes?tab=2";
  test("is where the person ends, with what happened", async () => {
    const { body: alias } = await oauthAlias();
    const ask = async (email: string) => {
      const { body } = await beginConsent(alias.id, "google", { return_url: returnUrl });
      return comeBack(await consentAt(body.authorize_url, { email }));
    };
    expect(await ask("else@elsewhere.zz")).toMatchObject({
      status: 302,
      to: `${returnUrl}&status=other_mailbox&alias_id=${alias.id}`,
    });
    expect(await ask(alias.email)).toMatchObject({
      status: 302,
      to: `${returnUrl}&status=connected&alias_id=${alias.id}`,
    });
  });

  const fault = (name: string) => () => at.oauth.faults.order(name, 1);
  test.each<[status: string, meanwhile: () => void, answer?: "deny"]>([
    ["denied", () => {}, "deny"],
    ["no_refresh_token", fault("no_refresh_token")],
    ["failed", fault("invalid_grant")],
    ["unavailable", fault("down")],
    ["expired", () => at.api.advance(601)],
  ])("is told of a consent that is %s", async (status, meanwhile, answer) => {
    const { body: alias } = await oauthAlias();
    const { body } = await beginConsent(alias.id, "google", { return_url: returnUrl });
    const back = await consentAt(body.authorize_url, {
      email: alias.email,
      ...(answer && { answer }),
    });
    meanwhile();
    expect(await comeBack(back)).toMatchObject({
      status: 302,
      to: `${returnUrl}&status=${status}&alias_id=${alias.id}`,
    });
  });

  test("is told that the alias was changed while its provider was asked", async () => {
    const oauth = { provider: "google", client_id: OWN_APP.id, client_secret: OWN_APP.secret };
    const { body: alias } = await oauthAlias({ oauth });
    const { body } = await beginConsent(alias.id, "google", { return_url: returnUrl });
    const back = await consentAt(body.authorize_url, { email: alias.email });
    const { deps } = at.api;
    const { oauth: asked } = deps;
    deps.oauth = {
      ...asked,
      async redeem(...order) {
        const tokens = await asked.redeem(...order);
        await patchAlias(alias.id, { oauth: { provider: "google" } });
        return tokens;
      },
    };
    const { to } = await comeBack(back);
    deps.oauth = asked;
    expect(to).toBe(`${returnUrl}&status=changed&alias_id=${alias.id}`);
  });

  test.each(["https://evil.test/", "https://app.test@evil.test/", "https://app.test.evil.test/"])(
    "%s is on no host that people may return to",
    async (url) => {
      const { body: alias } = await oauthAlias();
      const { status, body } = await beginConsent(alias.id, "google", { return_url: url });
      expect([status, body.detail]).toEqual([422, "VALIDATION_ERROR"]);
    },
  );

  test.each(["javascript:alert(1)", "//app.test", "https://app.test/\u0000", "x".repeat(3000)])(
    "%j is no URL",
    async (url) => {
      const { body: alias } = await oauthAlias();
      expect((await beginConsent(alias.id, "google", { return_url: url })).status).toBe(422);
    },
  );
});

describe("the app", () => {
  test("is the alias's own where it has one", async () => {
    const own = { client_id: OWN_APP.id, client_secret: OWN_APP.secret };
    const { body: alias } = await oauthAlias({ oauth: { provider: "google", ...own } });
    expect(JSON.stringify(alias)).not.toContain(OWN_APP.secret);
    const { body } = await beginConsent(alias.id);
    expect(new URL(body.authorize_url).searchParams.get("client_id")).toBe(OWN_APP.id);
    expect((await connect(alias.id, alias.email)).status).toBe(200);
    expect((await aliasNow(alias.id)).oauth).toEqual({
      provider: "google",
      client_id: OWN_APP.id,
      token_url: null,
      connected: true,
    });
    expect(await testAlias(alias.id)).toMatchObject({ ok: true });
  });

  test("changed while the person was away: nothing is stored", async () => {
    const { body: alias } = await oauthAlias({
      oauth: { provider: "google", client_id: OWN_APP.id, client_secret: OWN_APP.secret },
    });
    const { body } = await beginConsent(alias.id);
    const back = await consentAt(body.authorize_url, { email: alias.email });
    await patchAlias(alias.id, { oauth: { provider: "google" } });
    const { status } = await comeBack(back);
    expect(status).toBe(400);
    expect(await aliasNow(alias.id)).toMatchObject({ oauth: { connected: false } });
  });

  test("of a provider that nobody set up: 503 with what to do", async () => {
    const { body: alias } = await oauthAlias({
      oauth: { provider: "other", client_id: "x", token_url: "https://login.example.com/token" },
    });
    const { status, body } = await beginConsent(alias.id, "other");
    expect([status, body.detail]).toEqual([503, "MAIL_OAUTH_NOT_CONFIGURED"]);
    expect(body.message).toContain("refresh_token");
  });
});

test("consenting anew heals an alias in error, and leaves a paused one paused", async () => {
  const alias = await connectedAlias();
  at.oauth.grants.revoke(alias.email);
  expect(await testAlias(alias.id)).toMatchObject({ ok: false, stage: "auth" });
  expect(await aliasNow(alias.id)).toMatchObject({ status: "error" });
  expect(await laneOf(alias.id)).toBe(false);
  await connect(alias.id, alias.email);
  const well = { status: "active", last_error: null, last_error_kind: null };
  expect(await aliasNow(alias.id)).toMatchObject(well);
  expect(await laneOf(alias.id)).toBe(true);
  await patchAlias(alias.id, { status: "paused" });
  await connect(alias.id, alias.email);
  expect(await aliasNow(alias.id)).toMatchObject({ status: "paused" });
  expect(await laneOf(alias.id)).toBe(false);
});
