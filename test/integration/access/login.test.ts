/** Signing in at an identity provider: what is asked, what is believed, and what a person is told where it fails. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createOidc } from "#src/providers/identity/oidc.ts";
import type { IdentityPart } from "../../../scripts/stack/identity/identity.ts";
import { DEMO } from "../../../scripts/stack/identity/people.ts";
import { PUBLIC_BASE_URL, startApi, type TestApi } from "../../support/api.ts";
import { browserOf, CLIENT, signInAs, startApiWithLogin } from "../../support/identity.ts";

let api: TestApi;
let identity: IdentityPart;

beforeAll(async () => {
  ({ api, identity } = await startApiWithLogin());
});
afterAll(async () => {
  await api.close();
  await identity.close();
});
afterEach(() => identity.faults.clear());

const ME = "/api/v2/auth/me";
const demo = { person: "demo" };

describe("a person signs in", () => {
  test("by code, PKCE, state and nonce, and is led on without a script", async () => {
    const browser = browserOf(api);
    const page = new URL(await browser.begin("/console/campaigns?state=active#top"));
    expect(page.origin).toBe(identity.url);
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      response_type: "code",
      client_id: CLIENT.id,
      redirect_uri: `${PUBLIC_BASE_URL}/api/v1/auth/callback`,
      scope: "openid email profile",
      code_challenge_method: "S256",
    });
    const end = await browser.visit(await browser.choose(page.href, demo));
    expect(end.status).toBe(200);
    expect(end.html).toContain(
      '<meta http-equiv="refresh" content="0;url=/console/campaigns?state=active#top">',
    );
    expect(end.html).not.toContain("<script");
    expect(end.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect([...browser.jar.keys()], "the sign-in's own cookie is gone").toEqual([
      "__Host-overture",
    ]);
    const me = await browser.ask(ME);
    expect(me.body).toMatchObject({ email: DEMO.email, name: DEMO.name });
    const { body } = await browser.ask("/api/v1/auth/verify");
    expect(body).toMatchObject({ issuer: identity.issuer, subject: "demo" });
  });

  test("and the same one again is the same user, whose session lasts longer than the ID token", async () => {
    const [one, other] = [await signInAs(api, demo), await signInAs(api, demo)];
    expect((await one.ask(ME)).body.id).toBe((await other.ask(ME)).body.id);
    api.advance(3_600);
    expect((await one.ask(ME)).status).toBe(200);
  });

  test("and is where they were, unless another site says so or they are in it no more", async () => {
    const email = `${randomUUID()}@guests.zz`;
    const host = await api.tenant();
    const asked = { email, role: "member" };
    const { body: made } = await host.callAsUser("POST", "/api/v1/workspace/invitations", asked);
    const guest = await signInAs(api, { person: "new", new: email });
    const own = (await guest.ask(ME)).body.workspace.id as string;
    const at = `/api/v1/invitations/${made.url.split("/").at(-1)}/accept`;
    expect((await guest.ask(at, "POST")).status).toBe(200);
    const again = async (workspace: string, from?: string) => {
      const browser = browserOf(api);
      const wish = new URLSearchParams({ return_to: "/console/", workspace });
      const begun = await browser.visit(`/api/v1/auth/login?${wish}`, from);
      const page = begun.headers.get("location")!;
      await browser.visit(await browser.choose(page, { person: "new", new: email }));
      return (await browser.ask(ME)).body.workspace.id as string;
    };
    expect(await again(host.workspaceId, "same-origin")).toBe(host.workspaceId);
    expect(await again(host.workspaceId, "cross-site")).toBe(own);
    for (const nobodys of ["", "none", randomUUID()])
      expect(await again(nobodys, "same-origin")).toBe(own);
  });

  test("whose address is told by userinfo alone", async () => {
    identity.faults.order("no_email_in_token", 1);
    const browser = await signInAs(api, { person: "new", new: "ada@lovelace.zz" });
    expect((await browser.ask(ME)).body.email).toBe("ada@lovelace.zz");
  });

  test("by a link that is good once", async () => {
    const link = identity.linkFor(DEMO, `${PUBLIC_BASE_URL}/console/`);
    const browser = browserOf(api);
    const opened = await fetch(link, { redirect: "manual" });
    const begun = await browser.visit(opened.headers.get("location")!);
    const cookie = opened.headers.get("set-cookie")!.split(";", 1)[0]!;
    const passed = await fetch(begun.headers.get("location")!, {
      redirect: "manual",
      headers: { cookie },
    });
    const end = await browser.visit(passed.headers.get("location")!);
    expect(end.status).toBe(200);
    expect((await browser.ask(ME)).body.email).toBe(DEMO.email);
    expect((await fetch(link, { redirect: "manual" })).status).toBe(400);
    const later = await fetch(begun.headers.get("location")!, {
      redirect: "manual",
      headers: { cookie },
    });
    expect(later.status, "the browser that opened it is asked next time").toBe(200);
  });

  test.each([
    ["/console", "/console"],
    ["/console/inbox/1?x=%22%3E", "/console/inbox/1?x=%22%3E"],
    ["https://evil.example/console/", "/console/"],
    ["//evil.example/console/", "/console/"],
    ["/\\evil.example/console/", "/console/"],
    ["/console/../api/v1/workspace", "/console/"],
    ["/console.evil", "/console/"],
    ["javascript:alert(1)", "/console/"],
    ["/docs", "/console/"],
    ["", "/console/"],
  ])("who wanted to go to %s is led to %s", async (wanted, led) => {
    const browser = browserOf(api);
    const end = await browser.visit(await browser.choose(await browser.begin(wanted), demo));
    expect(end.html).toContain(`content="0;url=${led}"`);
  });
});

describe("nobody is signed in", () => {
  async function ended(
    form: Record<string, string> = demo,
    change: (target: URL) => void = () => {},
  ) {
    const browser = browserOf(api);
    const target = new URL(await browser.choose(await browser.begin(), form));
    change(target);
    const end = await browser.visit(target.href);
    expect(browser.jar.has("__Host-overture")).toBe(false);
    return { ...end, browser, target };
  }

  test("who said no", async () => {
    const { status, html } = await ended({ person: "nobody" });
    expect([status, html]).toEqual([400, expect.stringContaining("You are not signed in")]);
  });

  test.each([
    ["other_nonce", 400, "not for this sign-in"],
    ["other_audience", 400, "not for this sign-in"],
    ["other_issuer_in_token", 400, "not for this sign-in"],
    ["expired", 400, "not for this sign-in"],
    ["forged", 400, "not for this sign-in"],
    ["unknown_key", 400, "not for this sign-in"],
  ])("by an ID token that is wrong: %s", async (fault, status, words) => {
    identity.faults.order(fault, 1);
    const end = await ended();
    expect([end.status, end.html]).toEqual([status, expect.stringContaining(words)]);
  });

  test.each([
    ["another state", (url: URL) => url.searchParams.set("state", "another")],
    ["no state", (url: URL) => url.searchParams.delete("state")],
    ["no code", (url: URL) => url.searchParams.delete("code")],
    ["another code", (url: URL) => url.searchParams.set("code", "another")],
    ["a code twice", (url: URL) => url.searchParams.append("code", "another")],
    ["a long code", (url: URL) => url.searchParams.set("code", "a".repeat(6_000))],
    ["another issuer", (url: URL) => url.searchParams.set("iss", "https://evil.example")],
  ])("with %s", async (_, change) => {
    expect((await ended(demo, change)).status).toBe(400);
  });

  test("in another browser than the one that began: a link that another's answer is in", async () => {
    const victim = browserOf(api);
    const attacker = browserOf(api);
    const target = await attacker.choose(await attacker.begin(), demo);
    expect((await victim.visit(target)).status).toBe(400);
    await victim.begin();
    const end = await victim.visit(target);
    expect([end.status, end.html]).toEqual([400, expect.stringContaining("not under way")]);
    expect(victim.jar.has("__Host-overture")).toBe(false);
  });

  test("a second time by the same answer, also for who kept the cookie, and by many at once", async () => {
    const browser = browserOf(api);
    const target = await browser.choose(await browser.begin(), demo);
    const copies = Array.from({ length: 5 }, () => browserOf(api, new Map(browser.jar)));
    const ends = await Promise.all(copies.map((copy) => copy.visit(target)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
    expect((await browser.visit(target)).status).toBe(400);
  });

  test("after ten minutes", async () => {
    const browser = browserOf(api);
    const page = await browser.begin();
    api.advance(601);
    const end = await browser.visit(await browser.choose(page, demo));
    expect([end.status, end.html]).toEqual([400, expect.stringContaining("took too long")]);
  });

  test("by a cookie that is a session, or a session that is a sign-in", async () => {
    const signedIn = await signInAs(api, demo);
    const browser = browserOf(api);
    const target = await browser.choose(await browser.begin(), demo);
    const underWay = browser.jar.get("__Host-overture-login")!;
    browser.jar.set("__Host-overture-login", signedIn.jar.get("__Host-overture")!);
    expect((await browser.visit(target)).status).toBe(400);
    browser.jar.set("__Host-overture", underWay);
    expect((await browser.ask(ME)).status).toBe(401);
  });
});

describe("an issuer in trouble", () => {
  /** A service that knows nothing of the issuer yet. */
  const fresh = () =>
    createOidc(
      {
        issuer: identity.issuer,
        clientId: CLIENT.id,
        clientSecret: CLIENT.secret,
        scopes: "openid",
      },
      {
        fetch: (input, init) =>
          fetch(String(input).replace("https://login.overture.zz", identity.url), init),
        now: () => api.deps.clock.now(),
        timeoutMs: 300,
      },
    );
  const signIn = {
    state: "s",
    nonce: "n",
    verifier: "v".repeat(43),
    redirectUri: "http://127.0.0.1/",
  };

  test.each([["down"], ["slow"], ["server_error"], ["html"], ["endless"], ["other_issuer"]])(
    "is said to be, and asked again next time: %s",
    async (fault) => {
      const oidc = fresh();
      identity.faults.order(fault, 1);
      expect(await oidc.authorizeUrl(signIn)).toMatchObject({ kind: "unavailable" });
      expect(await oidc.authorizeUrl(signIn)).toMatchObject({ kind: "url" });
    },
  );

  test.each([["down"], ["server_error"], ["html"], ["endless"]])(
    "when the person comes back is a page with what to do: %s",
    async (fault) => {
      const browser = browserOf(api);
      const target = await browser.choose(await browser.begin(), demo);
      identity.faults.order(fault, 1);
      const end = await browser.visit(target);
      expect([end.status, end.html]).toEqual([
        503,
        expect.stringContaining("The identity provider does not answer"),
      ]);
      expect(browser.jar.has("__Host-overture")).toBe(false);
    },
  );
});

test("signing out everywhere ends every session of this login, and no other's", async () => {
  const who = { person: "new", new: `${randomUUID()}@example.zz` };
  const [here, elsewhere, other] = [
    await signInAs(api, who),
    await signInAs(api, who),
    await signInAs(api, demo),
  ];
  const copy = browserOf(api, new Map(here.jar));
  expect((await here.ask("/api/v1/auth/sessions/revoke", "POST")).status).toBe(200);
  expect(here.jar.has("__Host-overture")).toBe(false);
  for (const browser of [copy, elsewhere])
    expect((await browser.ask(ME)).body).toMatchObject({ status: 401, code: "SESSION_ENDED" });
  expect((await other.ask(ME)).status).toBe(200);
  expect((await (await signInAs(api, who)).ask(ME)).status).toBe(200);
});

test("where people sign in is told to everybody; without an identity provider they paste", async () => {
  const config = await api.request("/api/v2/auth/config");
  expect(await config.json()).toEqual({ login: true, paste: true, issuer: identity.issuer });
  const plain = await startApi();
  const response = await plain.request("/api/v1/auth/login", { redirect: "manual" });
  expect([response.status, await response.text()]).toEqual([
    503,
    expect.stringContaining("OIDC_CLIENT_ID"),
  ]);
  await plain.close();
});
