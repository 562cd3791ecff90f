import "../../scripts/stack/warp.ts";
import { randomBytes, randomUUID } from "node:crypto";
import * as path from "node:path";
import { neonConfig } from "@neondatabase/serverless";
import { SignJWT } from "jose";
import pg from "pg";
import { inject } from "vitest";
import { commit } from "#db/base/client.ts";
import { grantStatement } from "#db/billing/credits.ts";
import { createApp } from "#src/app.ts";
import { readConfig } from "#src/config.ts";
import type { Deps } from "#src/deps.ts";
import { authenticateLogin } from "#src/domain/access/authenticate.ts";
import { createRecentCounts } from "#src/platform/recent-counts.ts";
import { systemClock, systemRandomBytes } from "#src/platform/system.ts";
import { createDepsFactory } from "#src/wiring.ts";
import { startAssets } from "../../scripts/stack/assets.ts";
import { dialAtPorts } from "../../scripts/stack/dial-ports.ts";
import { type DnsPart, startDns } from "../../scripts/stack/dns.ts";
import type { Farm } from "../../scripts/stack/farm.ts";
import { startNeonGateway } from "../../scripts/stack/neon.ts";
import { createNodeDial } from "../../scripts/stack/node-dial.ts";
import type { Part } from "../../scripts/stack/part.ts";
import { type Payments, startPayments } from "../../scripts/stack/payments/payments.ts";
import { startQstash } from "../../scripts/stack/qstash.ts";
import { startUpstash, type Upstash } from "../../scripts/stack/upstash.ts";
import { setWarpOffsetMs, sleepUntilWarped, warpOffsetMs } from "../../scripts/stack/warp.ts";
import { fetchAtSites, type SitePorts } from "../../scripts/stack/web/site-fetch.ts";
import { joinNames, type WebPart } from "../../scripts/stack/web/web.ts";
import { watchConformance } from "./conformance.ts";
import { cloneDatabase } from "./database.ts";
import { answerHere } from "./fetch-here.ts";
import { wrongLeadSums } from "./sums.ts";

export const PUBLIC_BASE_URL = "http://overture.test:8787";
const JWT_SECRET = "test-secret-of-at-least-thirty-two-characters";
const JWT_ISSUER = "https://login.test";

export const STRIPE = {
  secretKey: "sk_test_of_these_tests",
  webhookSecret: "whsec_of_these_tests",
};

/** A workspace with a key and a login, as a client of the API. */
export interface Tenant {
  workspaceId: string;
  userId: string;
  key: string;
  jwt: string;
  /** JSON in, JSON out, with this tenant's API key. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** The same with the login token. */
  callAsUser: Tenant["call"];
}

export interface Reply {
  status: number;
  headers: Headers;
  // A reply can be any JSON; each test knows what it asked for.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  text: string;
}

export interface TestApi {
  deps: Deps;
  sql: pg.Pool;
  databaseUrl: string;
  neon: Part;
  redis: Upstash;
  qstash: Awaited<ReturnType<typeof startQstash>>;
  dns: DnsPart;
  /** Stripe; its events wait until a test sends them somewhere. */
  payments: Payments;
  /** One raw request to the app, from a client address of its own. */
  request(path: string, init?: RequestInit): Promise<Response>;
  tenant(options?: {
    plan?: "free" | "paid";
    credits?: number;
    timezone?: string;
  }): Promise<Tenant>;
  token(claims?: {
    subject?: string;
    email?: string;
    /** True, if there is an address. */
    emailVerified?: boolean;
    name?: string;
    expiresIn?: string;
    /** Seconds since 1970, whatever they are. */
    expiresAt?: number;
    /** Claims besides. */
    more?: Record<string, unknown>;
    issuer?: string;
    secret?: string;
  }): Promise<string>;
  /** Every line that is logged from now on. */
  onLog(hear: (line: string) => void): void;
  /** Makes every quota whole again, in the store and in this isolate. */
  forgetQuotas(): void;
  /** Moves the clock of this test file. */
  advance(seconds: number): void;
  /** Resolves when everything handed to `waitUntil` so far is done. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
const NINE_MS = 9 * 3_600_000;

/** Every file's clock begins at the next nine o'clock UTC: no date ends in a test that does not say so. */
function beginAtNine(): void {
  if (warpOffsetMs() > 0) return;
  const now = Date.now();
  setWarpOffsetMs(warpOffsetMs() + ((NINE_MS - (now % DAY_MS) + DAY_MS) % DAY_MS));
}

/** The whole app in this process over a database of its own, real gateways and real drivers; with a farm, mail hosts too, and with a web, websites. */
export async function startApi(
  overrides: Record<string, string> = {},
  { farm, web, sites = {} }: { farm?: Farm; web?: WebPart; sites?: SitePorts } = {},
): Promise<TestApi> {
  beginAtNine();
  const postgres = inject("postgres");
  const database = await cloneDatabase(postgres);
  const neon = await startNeonGateway({ postgres });
  // Half of what a statement or a count costs here is the HTTP between; the wires have tests of their own.
  neonConfig.fetchFunction = (url: string, init: RequestInit) =>
    url === neon.httpEndpoint ? neon.fetchHere(init) : fetch(url, init);
  const redis = await startUpstash({ token: "redis-token" });
  const redisLeaves = answerHere(redis.url, redis.fetchHere);
  const qstash = await startQstash({
    token: "qstash-token",
    currentSigningKey: "sig_current",
    nextSigningKey: "sig_next",
  });
  qstash.pause();
  const dns = await startDns({
    names: joinNames(...[farm, web].flatMap((part) => part?.names ?? [])),
  });
  const payments = await startPayments(STRIPE);
  const assets = await startAssets(path.resolve(import.meta.dirname, "../../public"));
  const ASSETS = {
    fetch: ({ pathname }: URL) => fetch(new URL(pathname, `http://${assets.address}`)),
  };
  const config = readConfig({
    PUBLIC_BASE_URL,
    DATABASE_URL: database.url,
    NEON_LOCAL: new URL(neon.url).host,
    UPSTASH_REDIS_REST_URL: redis.url,
    UPSTASH_REDIS_REST_TOKEN: redis.token,
    QSTASH_URL: qstash.url,
    QSTASH_TOKEN: qstash.token,
    QSTASH_CURRENT_SIGNING_KEY: qstash.currentSigningKey,
    QSTASH_NEXT_SIGNING_KEY: qstash.nextSigningKey,
    DNS_RESOLVER_URLS: dns.resolverUrls.join(","),
    MASTER_KEY: randomBytes(32).toString("base64"),
    TRACKING_SECRET: "tracking-secret-for-tests",
    INBOUND_SECRET: "inbound-secret-for-tests",
    INBOUND_MX: "mx.overture.test",
    STRIPE_SECRET_KEY: STRIPE.secretKey,
    STRIPE_WEBHOOK_SECRET: STRIPE.webhookSecret,
    STRIPE_API_BASE: payments.url,
    WHATSAPP_APP_SECRET: "whatsapp-app-secret-for-tests",
    WHATSAPP_VERIFY_TOKEN: "whatsapp-verify-token-for-tests",
    TRACKING_ON_DOMAINS: "true",
    ALLOW_LOOPBACK: "true",
    VERIFIER_EGRESS: "direct",
    // Nobody is there: a test that reads sheets says where Google is.
    GOOGLE_EXPORT_BASE: "http://127.0.0.1:9",
    JWT_ISSUER,
    JWT_SECRET,
    ...overrides,
  });
  const clock = { now: systemClock.now, sleepUntil: sleepUntilWarped };
  const background = new Set<Promise<unknown>>();
  /** What the service says before anybody can ask it concerns no request. */
  const listeners: ((line: string) => void)[] = [];
  const makeDeps = createDepsFactory(config, {
    fetch: fetchAtSites(fetch, { ...web?.ports, ...sites }),
    dial:
      farm === undefined
        ? createNodeDial({})
        : dialAtPorts(createNodeDial({ ca: farm.ca }), farm.ports),
    clock,
    randomBytes: systemRandomBytes,
    writeLog(line) {
      for (const hear of listeners) hear(line);
      if (process.env["TEST_LOG"]) console.log(line);
    },
  });
  const waitUntil = (work: Promise<unknown>) => {
    background.add(work);
    void work.finally(() => background.delete(work));
  };
  const deps = makeDeps(waitUntil);
  const app = createApp({ now: () => new Date(), makeDeps: () => deps });
  const conformance = await watchConformance();
  listeners.push((line) => conformance.heard(line));
  const sql = new pg.Pool({ connectionString: database.url, max: 4 });
  // Dropping the database may cut a connection that the pool has let go but not yet closed.
  sql.on("connect", (client) => client.on("error", () => {}));

  const request = async (target: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has("cf-connecting-ip"))
      headers.set(
        "cf-connecting-ip",
        `198.51.100.${Math.floor(Math.random() * 250)}-${randomUUID()}`,
      );
    const response = await app.fetch(
      new Request(new URL(target, "http://localhost"), { ...init, headers }),
      {
        ASSETS,
      },
    );
    await conformance.check(init.method ?? "GET", target, response);
    return response;
  };
  const token: TestApi["token"] = async (claims = {}) =>
    new SignJWT({
      ...claims.more,
      ...(claims.email === undefined
        ? {}
        : { email: claims.email, email_verified: claims.emailVerified ?? true }),
      ...(claims.name === undefined ? {} : { name: claims.name }),
    })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(claims.issuer ?? JWT_ISSUER)
      .setSubject(claims.subject ?? randomUUID())
      .setIssuedAt()
      .setExpirationTime(claims.expiresAt ?? claims.expiresIn ?? "1h")
      .sign(new TextEncoder().encode(claims.secret ?? JWT_SECRET));

  return {
    deps,
    sql,
    databaseUrl: database.url,
    neon,
    redis,
    qstash,
    dns,
    payments,
    request,
    token,
    async tenant({ plan = "paid", credits = 1000, timezone = "UTC" } = {}) {
      return createTenant({ deps, sql, request, token, plan, credits, timezone });
    },
    onLog(hear) {
      listeners.push(hear);
    },
    forgetQuotas() {
      redis.flush();
      deps.quotaCounts = createRecentCounts(1_000);
    },
    advance(seconds) {
      setWarpOffsetMs(warpOffsetMs() + seconds * 1000);
    },
    async settled() {
      while (background.size > 0) await Promise.allSettled(background);
    },
    async close() {
      while (background.size > 0) await Promise.allSettled(background);
      // Of whatever a file did.
      const wrong = await wrongLeadSums(sql);
      await sql.end();
      redisLeaves();
      await Promise.all([
        neon.close(),
        redis.close(),
        qstash.close(),
        dns.close(),
        payments.close(),
        assets.close(),
      ]);
      await database.drop();
      if (wrong.length > 0)
        throw new Error(`sums of leads are not exact: ${JSON.stringify(wrong)}`);
    },
  };
}

interface TenantOptions {
  deps: Deps;
  sql: pg.Pool;
  request: TestApi["request"];
  token: TestApi["token"];
  plan: "free" | "paid";
  credits: number;
  timezone: string;
}

async function createTenant({
  deps,
  sql,
  request,
  token,
  plan,
  credits,
  timezone,
}: TenantOptions): Promise<Tenant> {
  const subject = `user-${randomUUID()}`;
  const jwt = await token({ subject, email: `${subject}@example.com` });
  const { principal } = await authenticateLogin(deps, jwt);
  const { workspaceId, userId } = principal;
  await sql.query("update workspaces set plan = $2, timezone = $3 where id = $1", [
    workspaceId,
    plan,
    timezone,
  ]);
  const grant = {
    id: randomUUID(),
    workspaceId,
    amount: credits,
    ref: { type: "test", id: "tenant" },
    now: deps.clock.now(),
  };
  if (credits > 0) await commit(deps.db, [grantStatement(deps.db, grant)]);
  const key = `svc_live_${randomBytes(32).toString("base64url")}`;
  await sql.query(
    `insert into api_keys (id, workspace_id, user_id, name, key_prefix, key_hash, created_at, updated_at)
     values ($1, $2, $3, 'test', $4, encode(sha256($5::bytea), 'hex'), now(), now())`,
    [randomUUID(), workspaceId, userId, key.slice(0, 13), Buffer.from(key)],
  );
  const caller =
    (credential: string) =>
    async (
      method: string,
      path: string,
      body?: unknown,
      more: Record<string, string> = {},
    ): Promise<Reply> => {
      const headers: Record<string, string> = { authorization: `Bearer ${credential}`, ...more };
      if (body !== undefined && !(body instanceof FormData))
        headers["content-type"] ??= "application/json";
      const raw =
        body instanceof FormData || typeof body === "string" || body instanceof Uint8Array
          ? body
          : JSON.stringify(body);
      const response = await request(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: raw as BodyInit }),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.includes("json") ?? false;
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      };
    };
  return { workspaceId, userId, key, jwt, call: caller(key), callAsUser: caller(jwt) };
}
