/** Two services over two databases behind the router: callers, mail of before a move, and news from outside. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  cellOfToken,
  createTrackTokens,
  numberOfCell,
} from "#src/domain/messages/tracking/track-token.ts";
import { recordHits } from "#src/domain/messages/tracking/record.ts";
import { newHit } from "#src/domain/messages/tracking/hit.ts";
import { createApp } from "#src/app.ts";
import { sign } from "../../../../scripts/stack/qstash/signature.ts";
import { beginLoginSession } from "#src/domain/access/sessions.ts";
import { signInbound } from "#src/domain/replies/inbound/signature.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { PUBLIC_BASE_URL, type Tenant } from "../../../support/api.ts";
import { Died, noWait, runMove } from "../../../support/cells.ts";
import { createEagerClock } from "../../../support/eager-clock.ts";
import { rawMail } from "../../../support/incoming.ts";
import { patience } from "../../../support/patience.ts";
import { runAdmin } from "../../../../scripts/admin/run.ts";
import { serve } from "../../../support/serve.ts";
import { queryOf } from "../../../support/query.ts";
import { type RoutedCells, startRoutedCells } from "../../../support/routed-cells.ts";
import { tickWith } from "../../../support/run-engine.ts";
import { sending, tenant, useSending } from "../../../support/sending.ts";

vi.setConfig({ testTimeout: patience(60_000) });

useSending();
const query = queryOf(() => sending.api.sql);
let cells: RoutedCells;
beforeAll(async () => {
  cells = await startRoutedCells(sending.api);
});
afterAll(() => cells.close());
beforeEach(async () => {
  await query`update campaigns set status = 'completed'`;
  await cells.other.rows("update campaigns set status = 'completed'");
  cells.asked.length = 0;
});
afterEach(() => cells.down.clear());

const now = () => sending.api.deps.clock.now();
const there = (): [string, string] => [sending.api.databaseUrl, cells.other.url];
const move = (who: Tenant, statements?: number) =>
  runMove(there(), who.workspaceId, { now, name: "big", ...(statements && { statements }) });

const isDead = (error: unknown): boolean =>
  error instanceof Died || (error instanceof Error && isDead(error.cause));

async function asked(path: string, credential: string, init: RequestInit = {}) {
  const reply = await cells.ask(path, {
    ...init,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(init.body !== undefined && { "content-type": "application/json" }),
      ...(init.headers as Record<string, string>),
    },
  });
  const text = await reply.text();
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it asked for
  return { status: reply.status, headers: reply.headers, body: JSON.parse(text) as any };
}
const post = (body: unknown, more: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: more,
});

/** What the workspaces of a cell count of such a row. */
const inBig = async (text: string, ...values: unknown[]) =>
  (await cells.other.rows(text, values)) as Record<string, never>[];

test("one address serves a caller before, during and after a move, through its deaths; a key made later is known", async () => {
  const get = () => asked("/api/v1/templates", tenant.key);
  expect((await get()).status).toBe(200);
  const order = post({ name: "T", subject: "S", body: "<p>B</p>" }, { "Idempotency-Key": "one" });
  const made = await asked("/api/v2/templates", tenant.key, order);
  const seen = new Set<unknown>();
  for (let statements = 4; ; statements += 90) {
    const end = await move(tenant, statements).catch((error: unknown) => error);
    if (typeof end === "number") break;
    if (!isDead(end)) throw end;
    const { status, body } = await get();
    seen.add(status === 200 ? "served" : body.detail);
  }
  expect([...seen].toSorted()).toEqual(["WORKSPACE_MOVING", "served"]);
  expect((await get()).body).toHaveLength(1);
  // What the router remembers was over: it was told so by the old cell.
  expect((await asked("/api/v2/templates", tenant.key, order)).body).toEqual(made.body);
  expect(
    await inBig("select 1 from templates where workspace_id = $1", tenant.workspaceId),
  ).toHaveLength(1);

  const fresh = await asked("/api/v1/api-keys", tenant.jwt, post({ name: "later" }));
  expect(fresh.status).toBe(201);
  expect((await asked("/api/v1/templates", fresh.body.key)).status).toBe(200);
  expect((await asked("/api/v2/auth/me", tenant.jwt)).body.workspace.id).toBe(tenant.workspaceId);
  expect(
    (
      await sending.api.request("/api/v1/templates", {
        headers: { authorization: `Bearer ${fresh.body.key}` },
      })
    ).status,
  ).toBe(401);
});

test("a session of the console goes on in the cell where its workspace is, and goes over to another one", async () => {
  const second = await sending.api.tenant();
  await move(second);
  const own = { "sec-fetch-site": "same-origin" };
  const begun = await cells.ask("/api/v1/auth/session", {
    ...post({ credential: second.key }, { ...own, "content-type": "application/json" }),
  });
  expect(begun.status).toBe(201);
  const cookie = begun.headers.get("set-cookie")!.split(";")[0]!;
  const get = (path: string, of = cookie) => cells.ask(path, { headers: { ...own, cookie: of } });
  expect(
    ((await (await get("/api/v1/auth/session")).json()) as { workspace_id: string }).workspace_id,
  ).toBe(second.workspaceId);

  // A login of one cell that is invited to a workspace of the other.
  const host = await sending.api.tenant();
  await move(host);
  const subject = `guest-${crypto.randomUUID()}`;
  const guest = await sending.api.token({ subject, email: `${subject}@example.com` });
  const home = (await asked("/api/v2/auth/me", guest)).body.workspace.id;
  const invited = await asked(
    "/api/v1/workspace/invitations",
    host.jwt,
    post({ email: `${subject}@example.com`, role: "member" }),
  );
  const token = invited.body.url.split("/").at(-1);
  expect(
    (await asked(`/api/v1/invitations/${token}/accept`, guest, { method: "POST" })).body
      .workspace_id,
  ).toBe(host.workspaceId);
  const named = { "overture-workspace": host.workspaceId };
  expect((await asked("/api/v2/auth/me", guest, { headers: named })).body.workspace.id).toBe(
    host.workspaceId,
  );
  expect((await asked("/api/v2/auth/me", guest)).body.workspace.id).toBe(home);
  const signed = await cells.ask("/api/v1/auth/session", {
    ...post({ credential: guest }, { ...own, "content-type": "application/json" }),
  });
  const ofGuest = signed.headers.get("set-cookie")!.split(";")[0]!;
  const chosen = await cells.ask("/api/v1/auth/session", {
    method: "PATCH",
    body: JSON.stringify({ workspace_id: host.workspaceId }),
    headers: { ...own, cookie: ofGuest, "content-type": "application/json" },
  });
  expect([chosen.status, ((await chosen.json()) as { workspace_id: string }).workspace_id]).toEqual(
    [200, host.workspaceId],
  );
});

test("signing out everywhere ends a login's sessions in each cell, or says that it could not, and ends none", async () => {
  const host = await sending.api.tenant();
  await move(host);
  const subject = `guest-${crypto.randomUUID()}`;
  const guest = await sending.api.token({ subject, email: `${subject}@example.com` });
  await asked("/api/v2/auth/me", guest);
  const wish = post({ email: `${subject}@example.com`, role: "member" });
  const invited = await asked("/api/v1/workspace/invitations", host.jwt, wish);
  const token = invited.body.url.split("/").at(-1);
  await asked(`/api/v1/invitations/${token}/accept`, guest, { method: "POST" });
  const own = { "sec-fetch-site": "same-origin" };
  const signed = await cells.ask("/api/v1/auth/session", {
    ...post({ credential: guest }, { ...own, "content-type": "application/json" }),
  });
  const cookie = signed.headers.get("set-cookie")!.split(";")[0]!;
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { ...own, cookie, ...(init.headers as Record<string, string>) };
    const reply = await cells.ask(path, { ...init, headers });
    const { code, detail } = (await reply.json()) as { code?: string; detail?: string };
    return [reply.status, ...(reply.status === 200 ? [] : [code ?? detail])];
  };
  const inEach = async () => [
    await ask("/api/v2/auth/me"),
    await ask("/api/v2/auth/me", { headers: { "overture-workspace": host.workspaceId } }),
  ];
  const revoke = () => ask("/api/v1/auth/sessions/revoke", { method: "POST" });
  expect(await inEach()).toEqual([[200], [200]]);
  cells.down.add("big");
  expect(await revoke()).toEqual([503, "CELL_UNAVAILABLE"]);
  cells.down.clear();
  expect(await inEach()).toEqual([[200], [200]]);
  sending.api.advance(1);
  expect(await revoke()).toEqual([200]);
  const ended = [401, "SESSION_ENDED"];
  expect(await inEach()).toEqual([ended, ended]);
  const at = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
  expect((await cells.ask("/cells/sessions", at)).status).toBe(404);
  expect((await sending.api.request("/cells/sessions", at)).status).toBe(404);
});

test("a session that was ended everywhere is none in a cell that learns of its login later", async () => {
  const host = await sending.api.tenant();
  await move(host);
  const subject = `guest-${crypto.randomUUID()}`;
  const login = { subject, email: `${subject}@example.com` };
  const guest = await sending.api.token(login);
  const own = { "sec-fetch-site": "same-origin" };
  const signIn = async () => {
    const headers = { ...own, "content-type": "application/json" };
    const signed = await cells.ask("/api/v1/auth/session", post({ credential: guest }, headers));
    return signed.headers.get("set-cookie")!.split(";")[0]!;
  };
  const there = async (cookie: string) => {
    const named = { ...own, cookie, "overture-workspace": host.workspaceId };
    return (await cells.ask("/api/v2/auth/me", { headers: named })).status;
  };
  const stolen = await signIn();
  sending.api.advance(1);
  const revoked = await cells.ask("/api/v1/auth/sessions/revoke", {
    method: "POST",
    headers: { ...own, cookie: stolen },
  });
  expect(revoked.status).toBe(200);
  sending.api.advance(1);

  const wish = post({ email: login.email, role: "member" });
  const invited = await asked("/api/v1/workspace/invitations", host.jwt, wish);
  const token = invited.body.url.split("/").at(-1);
  const accepted = await asked(`/api/v1/invitations/${token}/accept`, guest, { method: "POST" });
  expect(accepted.status).toBe(200);
  expect([await there(stolen), await there(await signIn())]).toEqual([401, 200]);
});

test("behind a router a sign-in makes nobody a workspace; their first request does, in one cell", async () => {
  const subject = `new-${crypto.randomUUID()}`;
  const claims = {
    issuer: "https://login.test",
    subject,
    email: null,
    emailVerified: false,
    name: null,
    expiresAt: new Date(now().getTime() + 1e6),
  };
  await beginLoginSession(cells.main, claims, null);
  const made = () => query`select 1 from identities where subject = ${subject}`;
  expect(await made()).toEqual([]);
  const jwt = await sending.api.token({ subject });
  const first = await asked("/api/v2/auth/me", jwt);
  expect(first.status).toBe(200);
  expect(await made()).toHaveLength(1);
  expect(await inBig("select 1 from identities where subject = $1", subject)).toEqual([]);
});

test("while a cell is away nobody's new login makes a second workspace, and the other cell's callers go on", async () => {
  const away = await sending.api.tenant();
  await move(away);
  expect((await asked("/api/v1/templates", away.key)).status).toBe(200);
  cells.down.add("big");
  const subject = `new-${crypto.randomUUID()}`;
  const jwt = await sending.api.token({ subject });
  const refused = await asked("/api/v2/templates", jwt);
  expect([refused.status, refused.body.code]).toEqual([503, "CELL_UNAVAILABLE"]);
  expect(await query`select 1 from identities where subject = ${subject}`).toEqual([]);
  expect((await asked("/api/v1/templates", away.key)).body.detail).toBe("CELL_UNAVAILABLE");
  const neighbour = await sending.api.tenant();
  expect((await asked("/api/v1/templates", neighbour.key)).status).toBe(200);
  expect((await asked("/api/v1/templates", neighbour.jwt)).status).toBe(200);
});

test("a cell's queue calls the cell itself, and signs that address", async () => {
  const cellBaseUrl = "http://big.overture.test";
  const deps = { ...cells.big, settings: { ...cells.big.settings, cellBaseUrl } };
  const app = createApp({ now, makeDeps: () => deps });
  const call = async (url: string) => {
    const body = JSON.stringify({ version: 1 });
    const reply = await app.fetch(
      new Request(`${cellBaseUrl}/functions/campaign-tick`, {
        method: "POST",
        body,
        headers: {
          "upstash-signature": sign({ url, body: Buffer.from(body) }, "sig_current", new Date()),
        },
      }),
    );
    return reply.status;
  };
  expect(await call(`${PUBLIC_BASE_URL}/functions/campaign-tick`)).toBe(401);
  expect(await call(`${cellBaseUrl}/functions/campaign-tick`)).toBe(200);
});

test("nobody but the router asks a cell what it knows, and a cell that stands alone says nothing", async () => {
  const get = (headers: Record<string, string>) => sending.api.request("/cells/where", { headers });
  expect((await get({ "overture-cells-secret": "a-guess-of-the-secret-x" })).status).toBe(404);
  expect((await cells.ask("/cells/where")).status).toBe(404);
  expect((await sending.api.request("/cells/hits", { method: "POST" })).status).toBe(404);
});

const LEADS = 6;
const received = () => Map.groupBy(sending.mailbox.wireLog(), (mail) => mail.message_id);

/** In each of them every sender sends one message, in whichever cell it lives. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    const clock = createEagerClock(now().getTime());
    await tickWith({ clock, deps: cells.main });
    await tickWith({ clock, deps: cells.big });
    sending.api.advance(Math.max(0, (clock.now().getTime() - now().getTime()) / 1000) + 140);
  }
}

test("a campaign runs on while its workspace moves, and links of before the move work: opens, clicks, opt-outs, replies", async () => {
  const { campaignId } = await sending.campaign(tenant, {
    leads: LEADS,
    aliases: 2,
    intervalSeconds: 100,
    steps: [{ delayDays: 0 }],
  });
  await rounds(1);
  const sent =
    await query`select id, email_key, message_id from sends where campaign_id = ${campaignId} order by email_key`;
  expect(sent).toHaveLength(2);
  for (let statements = 30; ; statements += 150) {
    const end = await move(tenant, statements).catch((error: unknown) => error);
    if (typeof end === "number") break;
    if (!isDead(end)) throw end;
    await rounds(1);
  }
  await rounds(4);
  expect([...received()].filter(([, all]) => all.length > 1)).toEqual([]);
  expect(received().size).toBe(LEADS);

  const secrets = sending.api.deps.settings.trackingSecrets;
  const [one, two] = sent as [
    { id: string; email_key: string; message_id: string },
    { id: string; email_key: string },
  ];
  // As mail of the old cell has it, and as mail of before there were cells.
  for (const cell of [numberOfCell("main"), undefined]) {
    const tokens = createTrackTokens(secrets, cell);
    const click = await tokens.sign({
      kind: "click",
      sendId: one.id,
      linkIndex: cell ?? 0,
      url: "https://example.com/1",
    });
    const led = await cells.ask(`/c/${click}`, {
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
    });
    expect([led.status, led.headers.get("location")]).toEqual([302, "https://example.com/1"]);
  }
  await sending.api.settled();
  const hits = () => inBig("select kind from email_events where send_id = $1", one.id);
  expect(await hits()).toHaveLength(2);
  expect(await query`select 1 from email_events where send_id = ${one.id}`).toEqual([]);
  // A hit that is brought again is the same one; while its cell is away it is to come again.
  const hit = newHit(sending.api.deps, {
    sendId: one.id,
    kind: "open",
    linkIndex: 0,
    url: null,
    userAgent: null,
    prefetch: false,
    asn: null,
  });
  await recordHits(cells.main, [hit]);
  await recordHits(cells.main, [hit]);
  expect(await hits()).toHaveLength(3);
  cells.down.add("big");
  await expect(recordHits(cells.main, [{ ...hit, id: crypto.randomUUID() }])).rejects.toThrow(
    "503",
  );
  cells.down.clear();

  const link = await createTrackTokens(secrets).sign({ kind: "unsubscribe", sendId: two.id });
  expect((await cells.ask(`/u/${link}`)).status).toBe(200);
  expect((await cells.ask(`/u/${link}`, { method: "POST" })).status).toBe(200);
  const suppressed = await inBig(
    "select reason from suppressions where workspace_id = $1 and value = $2",
    tenant.workspaceId,
    two.email_key,
  );
  expect(suppressed).toHaveLength(1);

  const to = "someone@overture.test";
  const raw = new TextEncoder().encode(
    rawMail({
      from: one.email_key,
      to,
      headers: [`In-Reply-To: ${one.message_id}`],
      body: "Gladly.",
    }),
  );
  const signature = await signInbound(sending.api.deps.settings.inboundSecret!, {
    at: now(),
    to,
    raw,
  });
  const bring = () =>
    cells.ask("/api/v1/mailer/inbound", {
      method: "POST",
      body: raw,
      headers: {
        "content-type": "message/rfc822",
        "x-envelope-to": to,
        "overture-signature": signature,
      },
    });
  expect(await (await bring()).json()).toMatchObject({
    matched_by: "message_id",
    duplicate: false,
  });
  expect(
    await inBig("select 1 from conversations where workspace_id = $1", tenant.workspaceId),
  ).toHaveLength(1);
  await bring();
  expect(
    await inBig(
      "select 1 from conversation_messages where direction = 'in' and workspace_id = $1",
      tenant.workspaceId,
    ),
  ).toHaveLength(1);
});

test("the operator's command moves a workspace that has sent mail where the router has its cell", async () => {
  await sending.campaign(tenant, { leads: 1, aliases: 1, steps: [{ delayDays: 0 }] });
  await rounds(1);
  const router = await serve({ request: cells.ask });
  const admin = (cell: string, baseUrl: string) =>
    runAdmin(
      ["move", tenant.workspaceId, cell],
      sending.api.databaseUrl,
      now(),
      {
        [`CELL_${cell.toUpperCase()}_DATABASE_URL`]: cells.other.url,
        PUBLIC_BASE_URL: baseUrl,
      },
      noWait,
    );
  try {
    await expect(admin("other", router.url)).rejects.toThrow("no router answers for other");
    cells.down.add("big");
    await expect(admin("big", router.url)).rejects.toThrow("no router answers for big");
    cells.down.clear();
    await expect(admin("big", "http://127.0.0.1:9")).rejects.toThrow("no router answers");
    expect(await admin("big", router.url)).toContain("is in use in big");
  } finally {
    await router.close();
  }
});

test("mail says in which cell its links were made", async () => {
  await sending.campaign(tenant, { leads: 1, aliases: 1, steps: [{ delayDays: 0 }] });
  await rounds(1);
  const [{ html }] = (await (await fetch(`${sending.mailbox.url}/api/messages`)).json()) as [
    { html: string },
  ];
  const token = /\/o\/([\w-]+)/.exec(html)![1]!;
  expect(cellOfToken(token)).toBe(numberOfCell("main"));
  expect((await cells.ask(`/o/${token}.gif`)).status).toBe(200);
  expect(cells.asked[0]).toBe(`main GET /o/${token}.gif`);
});

test("whoever comes back from a mailbox's provider ends in the cell that sent them there", async () => {
  const { aliasIds } = await sending.campaign(tenant, {
    leads: 1,
    aliases: 1,
    steps: [{ delayDays: 0 }],
  });
  const state = "a-state-of-the-other-cell";
  await query`insert into mail_consents (alias_id, state_hash, provider, verifier, return_url, expires_at)
    values (${aliasIds[0]}, ${await sha256Hex(state)}, 'google', ${await sending.api.deps.vault.seal("v", `mail_consents:${aliasIds[0]}:verifier`)}, null, ${new Date(now().getTime() + 600_000)})`;
  await move(tenant);
  const page = await cells.ask(`/oauth/mail/callback?state=${state}&error=access_denied`);
  expect([page.status, await page.text()]).toEqual([
    400,
    expect.not.stringContaining("not under way"),
  ]);
  expect(cells.asked).toEqual(["main GET /oauth/mail/callback", "big GET /oauth/mail/callback"]);
  expect(await inBig("select 1 from mail_consents where alias_id = $1", aliasIds[0])).toEqual([]);
  const unknown = await cells.ask("/oauth/mail/callback?state=nobodys&code=x");
  expect(unknown.status).toBe(400);
});
