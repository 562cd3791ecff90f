import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { challengeOf } from "../../../scripts/stack/oauth/grants.ts";
import { type OauthPart, startOauth } from "../../../scripts/stack/oauth/oauth.ts";
import { setWarpOffsetMs, warpOffsetMs } from "../../../scripts/stack/warp.ts";

const APP = { id: "app", secret: "app-secret" };
const VERIFIER = "v".repeat(43);
const BACK = "http://127.0.0.1:1/oauth/mail/callback";

let folder: string;
let part: OauthPart;
const start = () =>
  startOauth({ clients: [APP], stateFile: path.join(folder, "oauth.jsonl") }).then((started) => {
    part = started;
  });
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-oauth-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));
beforeEach(start);
afterEach(() => part.close());

type Provider = keyof OauthPart["endpoints"];

function page(provider: Provider, change: Record<string, string> = {}): string {
  const url = new URL(part.endpoints[provider].authorizeUrl);
  const asked = {
    response_type: "code",
    client_id: APP.id,
    redirect_uri: BACK,
    scope: "mail openid offline_access",
    state: "s",
    access_type: "offline",
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: "S256",
    ...change,
  };
  for (const [name, value] of Object.entries(asked))
    if (value !== "") url.searchParams.set(name, value);
  return url.href;
}

async function allow(url: string, email = "ada@sender.zz"): Promise<string> {
  const body = new URLSearchParams({ email, answer: "allow" });
  const reply = await fetch(url, { method: "POST", body, redirect: "manual" });
  return new URL(reply.headers.get("location")!).searchParams.get("code")!;
}

async function ask(provider: Provider, form: Record<string, string>) {
  const reply = await fetch(part.endpoints[provider].tokenUrl, {
    method: "POST",
    body: new URLSearchParams({ client_id: APP.id, client_secret: APP.secret, ...form }),
  });
  // Rows of JSON; each test knows what it asked for.
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: reply.status, body: (await reply.json()) as any };
}
const redeem = (provider: Provider, code: string, change: Record<string, string> = {}) =>
  ask(provider, {
    grant_type: "authorization_code",
    code,
    redirect_uri: BACK,
    code_verifier: VERIFIER,
    ...change,
  });
const renew = (provider: Provider, token: string) =>
  ask(provider, { grant_type: "refresh_token", refresh_token: token });

test.each(["google", "microsoft", "other"] as const)(
  "%s: a consent, a token, a renewal",
  async (provider) => {
    const { status, body } = await redeem(provider, await allow(page(provider)));
    expect([status, body.expires_in, body.token_type]).toEqual([200, 3599, "Bearer"]);
    expect(part.acceptsToken("ADA@sender.zz", body.access_token)).toBe(true);
    expect(part.acceptsToken("bob@sender.zz", body.access_token)).toBe(false);
    const next = await renew(provider, body.refresh_token);
    expect(next.status).toBe(200);
    expect(next.body.refresh_token !== undefined).toBe(provider === "microsoft");
    setWarpOffsetMs(warpOffsetMs() + 3_600_000);
    expect(part.acceptsToken("ada@sender.zz", next.body.access_token)).toBe(false);
  },
);

test("a mail server is told whose a token is while it is in force, and nobody without an app's credentials is", async () => {
  const { access_token: token } = (await redeem("other", await allow(page("other")))).body;
  const introspect = async (
    form: Record<string, string>,
    credentials = `${APP.id}:${APP.secret}`,
  ) => {
    const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
    const headers = { authorization };
    const body = new URLSearchParams(form);
    const reply = await fetch(part.introspectionUrl, { method: "POST", headers, body });
    return [reply.status, await reply.json()];
  };
  const exp = expect.closeTo(Date.now() / 1000 + 3_599, -2);
  expect(await introspect({ token })).toEqual([
    200,
    { active: true, username: "ada@sender.zz", exp },
  ]);
  expect(await introspect({ token: `${token}x` })).toEqual([200, { active: false }]);
  expect(await introspect({})).toEqual([200, { active: false }]);
  expect(await introspect({ token }, "app:wrong")).toEqual([
    401,
    expect.objectContaining({ error: "invalid_client" }),
  ]);
  setWarpOffsetMs(warpOffsetMs() + 3_600_000);
  expect(await introspect({ token })).toEqual([200, { active: false }]);
});

test("a code is good once, for its verifier, its redirect and its app, and for ten minutes", async () => {
  const wrong: Record<string, string>[] = [
    { code_verifier: "w".repeat(43) },
    { code_verifier: "" },
    { redirect_uri: "http://127.0.0.1:1/else" },
  ];
  for (const change of wrong)
    expect((await redeem("google", await allow(page("google")), change)).body.error).toBe(
      "invalid_grant",
    );
  const secret = await redeem("google", await allow(page("google")), { client_secret: "x" });
  expect([secret.status, secret.body.error]).toEqual([401, "invalid_client"]);
  const code = await allow(page("google"));
  expect((await redeem("google", code)).status).toBe(200);
  expect((await redeem("google", code)).status).toBe(400);
  const old = await allow(page("google"));
  setWarpOffsetMs(warpOffsetMs() + 600_001);
  expect((await redeem("google", old)).status).toBe(400);
});

test("Google gives a refresh token once, unless it is asked for anew, and Microsoft for its scope", async () => {
  const given = async (provider: Provider, change: Record<string, string>, email: string) =>
    "refresh_token" in (await redeem(provider, await allow(page(provider, change), email))).body;
  expect(await given("google", {}, "once@sender.zz")).toBe(true);
  expect(await given("google", {}, "once@sender.zz")).toBe(false);
  expect(await given("google", { prompt: "consent" }, "once@sender.zz")).toBe(true);
  expect(await given("google", { access_type: "online" }, "never@sender.zz")).toBe(false);
  expect(await given("microsoft", { scope: "mail" }, "ms@sender.zz")).toBe(false);
});

test.each([
  [{ client_id: "nobody" }, "invalid_client"],
  [{ redirect_uri: "http://evil.zz/" }, "redirect_uri_mismatch"],
  [{ response_type: "token" }, "unsupported_response_type"],
  [{ code_challenge_method: "plain" }, "invalid_request"],
  [{ scope: "" }, "invalid_scope"],
])("a request with %j leads nowhere", async (change, words) => {
  const reply = await fetch(page("google", change), { redirect: "manual" });
  expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining(words)]);
});

test("rotate ends the old refresh token; revoking ends all of a mailbox, and no other's", async () => {
  const first = (await redeem("other", await allow(page("other")))).body;
  const neighbour = (await redeem("other", await allow(page("other"), "bob@sender.zz"))).body;
  part.faults.order("rotate", 1);
  const second = (await renew("other", first.refresh_token)).body;
  expect((await renew("other", first.refresh_token)).body.error).toBe("invalid_grant");
  await fetch(`${part.url}/revoke`, {
    method: "POST",
    body: new URLSearchParams({ email: "ada@sender.zz" }),
  });
  expect((await renew("other", second.refresh_token)).body.error).toBe("invalid_grant");
  expect(part.acceptsToken("ada@sender.zz", second.access_token)).toBe(false);
  expect((await renew("other", neighbour.refresh_token)).status).toBe(200);
});

test("consents and tokens outlive a restart, and the log holds none of them", async () => {
  const { body } = await redeem("google", await allow(page("google", { prompt: "consent" })));
  const log = JSON.stringify(part.log.entries());
  expect(log).not.toContain(body.refresh_token);
  await part.close();
  await start();
  expect(part.acceptsToken("ada@sender.zz", body.access_token)).toBe(true);
  expect((await renew("google", body.refresh_token)).status).toBe(200);
});
