import * as http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readWrangler } from "../../scripts/deploy/settings.ts";
import { isSecret } from "../../scripts/deploy/secrets.ts";
import { stepsOf } from "../../scripts/deploy/steps.ts";
import { examine } from "../../scripts/doctor/examine.ts";
import type { Finding } from "../../scripts/doctor/finding.ts";
import { hasFailed, tableOf } from "../../scripts/doctor/report.ts";
import { type TestService } from "../support/service.ts";
import { sharedService } from "../support/shared-service.ts";

type Env = Record<string, string>;

/** The doctor over the real Worker and every part of the stack: well, and with each value broken once. */
let service: TestService;
let env: Env;
let provider: { url: string; close(): Promise<unknown> };
/** Where nobody listens. */
let nowhere: string;
const wrangler = readWrangler();

beforeAll(async () => {
  service = await sharedService();
  provider = await identityProvider();
  const gone = await identityProvider();
  await gone.close();
  nowhere = gone.url;
  const {
    DIAL_PORTS: _,
    SITE_PORTS: __,
    // Its name leads to this machine for the Worker alone.
    OIDC_CLIENT_ID: ___,
    OIDC_CLIENT_SECRET: ____,
    JWT_JWKS_URL: _____,
    ...own
  } = service.stack.workerEnv(service.baseUrl);
  env = { ...own, JWT_SECRET: "a secret of forty characters and of no other" };
  await fetch(`${service.stack.dns.url}/zones/overture.zz`, {
    method: "PUT",
    body: [
      "mx.overture.zz. A 127.0.0.1",
      "reports.overture.zz. MX 10 mx.overture.zz.",
      'any-domain.example._report._dmarc.reports.overture.zz. TXT "v=DMARC1"',
    ].join("\n"),
  });
  // Something for MASTER_KEY to open.
  await service.api("POST", "/api/v1/mailer/aliases", {
    email: "doctor@sender.zz",
    display_name: "Doctor",
    transport: { kind: "smtp", ...service.stack.mailbox.smtp },
  });
  await service.stack.heartbeat.runNow();
  await service.advance(120);
});
afterAll(() => provider?.close());
beforeEach(() => {
  for (const part of service.stack.parts) part.faults.clear();
});

/** Of an issuer that calls itself otherwise than its address: keys, discovery, and a path with no keys. */
async function identityProvider() {
  const server = http.createServer((request, response) => {
    const answers: Record<string, unknown> = {
      "/jwks": { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y" }] },
      "/empty": { keys: [] },
      "/.well-known/openid-configuration": {
        issuer: `${url}/`,
        jwks_uri: `${url}/jwks`,
      },
    };
    const answer = answers[request.url ?? ""];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => new Promise((resolve) => server.close(resolve)) };
}

const look = (broken: Env, more: { isDeployed?: boolean } = {}) =>
  examine({
    env: broken,
    wrangler,
    isDeployed: true,
    authorities: service.stack.caCertificates.join("\n"),
    ...more,
  });

/** An empty value is none, as in the file. */
const withoutEmpty = (given: Env): Env =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));

const wrong = (findings: readonly Finding[]) =>
  findings
    .filter(({ verdict }) => verdict === "fail" || verdict === "warn")
    .map(({ part, verdict, says }) => `${verdict} ${part}: ${says}`);

function expectNoSecret(findings: readonly Finding[], broken: Env): void {
  const said = JSON.stringify(findings) + tableOf(findings);
  const leaked = Object.entries(broken).filter(
    ([name, value]) => isSecret(name) && value.length >= 6 && said.includes(value),
  );
  expect(leaked).toEqual([]);
}

test("of a deployment that is well nothing is wrong, and what is not configured says so", async () => {
  const findings = await look(env);
  expect(wrong(findings)).toEqual([
    "warn local settings: for a local stack alone: ALLOW_LOOPBACK, NEON_LOCAL",
    expect.stringContaining("warn login: JWT_AUDIENCE is not set"),
  ]);
  expect(hasFailed(findings)).toBe(false);
  const parts = new Set(findings.map(({ part }) => part));
  expect([...parts]).toHaveLength(26);
  expectNoSecret(findings, env);
});

test("without its optional parts a deployment is well too", async () => {
  const required = Object.fromEntries(
    Object.entries(env).filter(
      ([name]) =>
        !/^(STRIPE|UNIPILE|WHATSAPP|X402|GOOGLE|SYSTEM|MODEL|SEARCH|SEARXNG|BRAVE|SERPER|VERIFIER|INBOUND|REPORTS)/.test(
          name,
        ),
    ),
  );
  const findings = await look(required);
  expect(hasFailed(findings)).toBe(false);
  const off = findings.filter(({ verdict }) => verdict === "off").map(({ part }) => part);
  expect(off).toEqual([
    "inbound mail",
    "inbound relay",
    "reports",
    "notices",
    "verifier",
    "stripe",
    "paid calls",
    "network",
    "whatsapp",
    "model",
    "search",
    "sheets",
  ]);
});

const REQUIRED = [
  "PUBLIC_BASE_URL",
  "DATABASE_URL",
  "UPSTASH_REDIS_REST_URL",
  "UPSTASH_REDIS_REST_TOKEN",
  "QSTASH_TOKEN",
  "QSTASH_CURRENT_SIGNING_KEY",
  "QSTASH_NEXT_SIGNING_KEY",
  "MASTER_KEY",
  "TRACKING_SECRET",
  "JWT_ISSUER",
];

test.each(REQUIRED)("%s missing is named, with where it is found", async (name) => {
  const findings = await look(withoutEmpty({ ...env, [name]: "" }));
  expect(wrong(findings)).toEqual([`fail configuration: ${name}: is missing`]);
  expect(findings.find(({ verdict }) => verdict === "fail")?.fix).not.toContain("configuration.md");
});

test("everything missing is named at once", async () => {
  expect(wrong(await look({}))).toEqual([
    ...REQUIRED.map((name) => `fail configuration: ${name}: is missing`),
    "fail configuration: JWT_SECRET: set exactly one of JWT_SECRET and JWT_JWKS_URL",
  ]);
});

/** A value of the wrong form: what the configuration says of it, without asking anybody. */
const FORMS: [name: string, value: string, says: RegExp][] = [
  ["PUBLIC_BASE_URL", "overture", /^fail configuration: PUBLIC_BASE_URL: Invalid URL/],
  ["TRACKING_BASE_URL", "ftp://x.zz", /^fail configuration: TRACKING_BASE_URL: /],
  ["DATABASE_URL", "mysql://x/y", /^fail configuration: DATABASE_URL: must be postgres:/],
  ["UPSTASH_REDIS_REST_URL", "redis://x", /^fail configuration: UPSTASH_REDIS_REST_URL: /],
  ["QSTASH_URL", "qstash", /^fail configuration: QSTASH_URL: /],
  ["MASTER_KEY", "c2hvcnQ=", /^fail configuration: MASTER_KEY: must be 32 bytes in base64/],
  ["TRACKING_SECRET", "short", /^fail configuration: TRACKING_SECRET: must be at least 16/],
  ["INBOUND_SECRET", "short", /^fail configuration: INBOUND_SECRET: must be at least 16/],
  ["JWT_SECRET", "short", /^fail configuration: JWT_SECRET: must be at least 32/],
  ["JWT_JWKS_URL", "https://x.zz/jwks", /^fail configuration: JWT_SECRET: set exactly one/],
  ["TICK_PERIOD_SECONDS", "5", /^fail configuration: TICK_PERIOD_SECONDS: /],
  ["TICK_PERIOD_SECONDS", "90", /^fail configuration: TICK_PERIOD_SECONDS: must be 60 or 120/],
  ["TICK_CPU_MS", "many", /^fail configuration: TICK_CPU_MS: /],
  ["INBOX_CONNECTIONS", "0", /^fail configuration: INBOX_CONNECTIONS: Too small.*>=1/],
  ["INBOX_CONNECTIONS", "501", /^fail configuration: INBOX_CONNECTIONS: Too big.*<=500/],
  ["INBOUND_MX", "not a host", /^fail configuration: INBOUND_MX: must be a domain name/],
  ["VERIFIER_EGRESS", "prober", /^fail configuration: PROBER_URL: is missing: VERIFIER_EGRESS/],
  ["STRIPE_WEBHOOK_SECRET", "", /^fail configuration: STRIPE_WEBHOOK_SECRET: set it together/],
  ["SYSTEM_MAIL_URL", "relay", /^fail configuration: SYSTEM_MAIL_URL: must be smtp:/],
  ["WHATSAPP_PHONE_NUMBER_ID", "+49", /^fail configuration: WHATSAPP_PHONE_NUMBER_ID: must be/],
  ["GOOGLE_SERVICE_ACCOUNT_KEY", "pem", /^fail configuration: GOOGLE_SERVICE_ACCOUNT_KEY: must/],
  ["X402_MERCHANT_ADDRESS", "0x1", /^fail configuration: X402_MERCHANT_ADDRESS: must be/],
  ["SEARCH_ENGINES", "bing", /^fail configuration: SEARCH_ENGINES\.0: Invalid option/],
  ["MODEL_NAME", "", /^fail configuration: MODEL_NAME: set it together with MODEL_BASE_URL/],
  ["UNIPILE_WEBHOOK_SECRET", "two words and more", /^fail configuration: UNIPILE_WEBHOOK_SECRET/],
  ["QSTASH_TOKN", "a slip of the pen", /^warn configuration: QSTASH_TOKN is no variable/],
];

test.each(FORMS)("%s as %j is of the wrong form", async (name, value, says) => {
  const broken = withoutEmpty({ ...env, [name]: value });
  const findings = await look(broken);
  expect(wrong(findings)).toContainEqual(expect.stringMatching(says));
  expectNoSecret(findings, broken);
});

type Other = [title: string, change: () => Env, says: RegExp, arrange?: () => unknown];

/**
 * Values of the right form that are another's: whoever is asked says so. Those of one round are wrong at the same time,
 * and hide nothing from each other.
 */
const ROUNDS: Other[][] = [
  [
    [
      "the example's base URL",
      () => ({ PUBLIC_BASE_URL: "https://overture.example.com" }),
      /^fail address: PUBLIC_BASE_URL is still the example/,
    ],
    [
      "a database that is not there",
      () => ({ DATABASE_URL: `${env["DATABASE_URL"]!}_other` }),
      /^fail database: the database of DATABASE_URL has no database of that name/,
    ],
    [
      "another token of Redis",
      () => ({ UPSTASH_REDIS_REST_TOKEN: "somebody-elses" }),
      /^fail redis: UPSTASH_REDIS_REST_TOKEN is refused/,
    ],
    [
      "another token of the queue",
      () => ({ QSTASH_TOKEN: "somebody-elses" }),
      /^fail queue: QSTASH_TOKEN is refused/,
    ],
    [
      "the example's issuer",
      () => ({ JWT_ISSUER: "https://login.example.com/" }),
      /^fail login: JWT_ISSUER is still the example/,
    ],
    [
      "a domain for reports that takes none",
      () => ({ REPORTS_DOMAIN: "nowhere.zz" }),
      /^fail reports: \*\._report\._dmarc\.nowhere\.zz is no TXT record/,
    ],
    [
      "a mail host that DNS does not know",
      () => ({ INBOUND_MX: "mx.nowhere.zz" }),
      /^fail inbound mail: INBOUND_MX mx\.nowhere\.zz: DNS knows no address of it/,
    ],
    [
      "another password of the relay",
      () => ({
        SYSTEM_MAIL_URL: env["SYSTEM_MAIL_URL"]!.replace(/:[^:@]+@/, ":another-password@"),
      }),
      /^fail notices: the relay of SYSTEM_MAIL_URL: /,
    ],
    [
      "another key of Stripe",
      () => ({ STRIPE_SECRET_KEY: "sk_test_other" }),
      /^fail stripe: STRIPE_SECRET_KEY is refused/,
    ],
    [
      "a facilitator that is not there",
      () => ({ X402_FACILITATOR_URL: nowhere, ...merchant() }),
      /^fail paid calls: the facilitator of X402_FACILITATOR_URL does not answer as one/,
    ],
    [
      "another key of Unipile",
      () => ({ UNIPILE_API_KEY: "somebody-elses" }),
      /^fail network: UNIPILE_API_KEY is refused/,
    ],
    [
      "another token of WhatsApp",
      () => ({ WHATSAPP_ACCESS_TOKEN: "somebody-elses" }),
      /^fail whatsapp: WHATSAPP_ACCESS_TOKEN is refused/,
    ],
    [
      "a model that is not there",
      () => ({ MODEL_BASE_URL: nowhere }),
      /^fail model: the model of MODEL_BASE_URL fails: unavailable/,
    ],
    [
      "another key of Google's",
      () => ({ GOOGLE_SERVICE_ACCOUNT_EMAIL: "other@local-stack.iam.gserviceaccount.com" }),
      /^fail sheets: Google refuses the service account/,
    ],
  ],
  [
    [
      "a base URL in the clear",
      () => ({ PUBLIC_BASE_URL: "http://overture.zz" }),
      /^fail address: PUBLIC_BASE_URL is not https/,
    ],
    [
      "another database, without our tables",
      () => ({ DATABASE_URL: service.stack.postgres.urlFor("postgres") }),
      /^fail database: has no migrations yet/,
    ],
    [
      "the read-only token of Redis",
      () => ({ UPSTASH_REDIS_REST_TOKEN: service.stack.redis.readOnlyToken }),
      /^fail redis: UPSTASH_REDIS_REST_TOKEN is the read-only one/,
    ],
    [
      "another URL of the queue",
      () => ({ QSTASH_URL: service.stack.mailbox.url }),
      /^fail queue: QSTASH_URL answered 404: it is not QStash/,
    ],
    [
      "an issuer without its slash",
      () => ({ ...keyedBy("/jwks"), JWT_ISSUER: provider.url }),
      /^fail login: JWT_ISSUER is http:\/\/127\.0\.0\.1:\d+, and its tokens say http:\/\/127\.0\.0\.1:\d+\/$/,
    ],
    [
      "an app for signing in at a provider that is none",
      () => ({ OIDC_ISSUER: `${provider.url}/none`, OIDC_CLIENT_ID: "console" }),
      /^fail login: http:\/\/127\.0\.0\.1:\d+\/none answered 404.*: nobody can sign in to the console$/,
    ],
    [
      "a prober that is not there",
      () => ({
        VERIFIER_EGRESS: "prober",
        PROBER_URL: nowhere,
        PROBER_SECRET: "a secret of sixteen",
      }),
      /^fail verifier: PROBER_URL does not answer/,
    ],
    [
      "a node that is none",
      () => ({
        X402_FACILITATOR_URL: nowhere,
        X402_RPC_URL: service.stack.mailbox.url,
        ...merchant(),
      }),
      /^fail paid calls: X402_RPC_URL answered 405: it is no node/,
    ],
    [
      "another URL of Unipile",
      () => ({ UNIPILE_API_URL: service.stack.mailbox.url }),
      /^fail network: UNIPILE_API_URL answered 404: it is not Unipile/,
    ],
    [
      "another number of WhatsApp",
      () => ({ WHATSAPP_PHONE_NUMBER_ID: "7" }),
      /^fail whatsapp: WhatsApp answered 400 about WHATSAPP_PHONE_NUMBER_ID/,
    ],
  ],
  [
    [
      "a base URL at which something else answers",
      () => ({ PUBLIC_BASE_URL: service.stack.mailbox.url }),
      /^fail worker: .*\/health answered 404: it is not this service/,
    ],
    [
      "a database behind a gateway that is down",
      () => ({ NEON_LOCAL: new URL(nowhere).host }),
      /^fail database: the database of DATABASE_URL does not answer/,
    ],
    [
      "a Redis that is not there",
      () => ({ UPSTASH_REDIS_REST_URL: nowhere }),
      /^fail redis: UPSTASH_REDIS_REST_URL does not answer/,
    ],
    [
      "another current signing key",
      () => ({ QSTASH_CURRENT_SIGNING_KEY: "sig_other" }),
      /^fail queue: QSTASH_CURRENT_SIGNING_KEY is not the account's/,
    ],
    [
      "keys that are not there",
      () => keyedBy("/nowhere"),
      /^fail login: JWT_JWKS_URL answered 404: nobody can log in/,
    ],
    [
      "a template that nobody submitted",
      () => ({ WHATSAPP_TEMPLATE_DIGEST: "another_digest" }),
      /^fail whatsapp: not approved in en: another_digest/,
    ],
  ],
  [
    [
      "a base URL at which nobody answers",
      () => ({ PUBLIC_BASE_URL: nowhere }),
      /^fail worker: .*\/health does not answer \(.*ECONNREFUSED/,
    ],
    [
      "Neon's direct URL",
      () => ({
        DATABASE_URL: "postgresql://user:password@ep-cool-1.eu-central-1.aws.neon.tech/neondb",
      }),
      /^warn database: DATABASE_URL is Neon's direct one/,
    ],
    [
      "another next signing key",
      () => ({ QSTASH_NEXT_SIGNING_KEY: "sig_other" }),
      /^fail queue: QSTASH_NEXT_SIGNING_KEY is not the account's/,
    ],
    [
      "keys without one",
      () => keyedBy("/empty"),
      /^fail login: JWT_JWKS_URL answered 200, without keys/,
    ],
    [
      "another language of the templates",
      () => ({ WHATSAPP_TEMPLATE_LANGUAGE: "de" }),
      /^fail whatsapp: not approved in de: overture_lead_event, overture_digest, /,
    ],
  ],
  [
    [
      "a base URL that is not the one the queue calls",
      () => ({ PUBLIC_BASE_URL: env["PUBLIC_BASE_URL"]!.replace("127.0.0.1", "localhost") }),
      /^fail schedule: calls http:\/\/127\.0\.0\.1:\d+\/functions\/campaign-tick, which is not/,
    ],
  ],
  [
    [
      "another period than the schedule's",
      () => ({ TICK_PERIOD_SECONDS: "120" }),
      /^warn schedule: runs the engine at \* \* \* \* \*, and TICK_PERIOD_SECONDS asks for \*\/2 \* \* \* \*/,
    ],
    [
      "a tracking host at which nobody answers",
      () => ({ TRACKING_BASE_URL: nowhere }),
      /^fail tracking: TRACKING_BASE_URL .* links in mail would lead nowhere/,
    ],
    [
      "another MASTER_KEY",
      () => ({ MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }),
      /^fail vault: MASTER_KEY does not open what is stored/,
    ],
    [
      "a webhook endpoint of the version before",
      () => ({}),
      /^fail stripe: its webhook endpoint speaks 2025-09-30\.clover, not /,
      () => service.stack.payments.faults.order("endpoint_outdated", 1),
    ],
    [
      "another secret of Unipile's webhooks",
      () => ({ UNIPILE_WEBHOOK_SECRET: "another secret".replaceAll(" ", "-").repeat(2) }),
      /^warn network: 0 of its 3 webhooks call us with this secret/,
    ],
    [
      "a template that was rejected",
      () => ({}),
      /^fail whatsapp: not approved in en: overture_lead_event/,
      () => service.stack.messaging.faults.order("template_rejected", 1),
    ],
  ],
  [
    [
      "a webhook endpoint that is disabled",
      () => ({}),
      /^fail stripe: its webhook endpoint is disabled/,
      () => service.stack.payments.faults.order("endpoint_disabled", 1),
    ],
  ],
];

/** Instead of JWT_SECRET: an empty value is none. */
const keyedBy = (path: string): Env => ({
  JWT_SECRET: "",
  JWT_ISSUER: `${provider.url}/`,
  JWT_JWKS_URL: provider.url + path,
});
const merchant = (): Env => ({ X402_MERCHANT_ADDRESS: `0x${"1".repeat(40)}` });

test.each(ROUNDS.map((round) => [round.map(([title]) => title).join(", "), round] as const))(
  "another's values are named: %s",
  async (_titles, round) => {
    const changes = round.map(([, change]) => change());
    for (const [, , , arrange] of round) arrange?.();
    const given = withoutEmpty(Object.assign({}, env, ...changes));
    const findings = await look(given);
    for (const [, , says] of round)
      expect(wrong(findings)).toContainEqual(expect.stringMatching(says));
    expect(findings.filter(({ verdict, fix }) => verdict === "fail" && !fix)).toEqual([]);
    expectNoSecret(findings, given);
  },
);

test("the right keys of an issuer are well", async () => {
  const login = (await look(withoutEmpty({ ...env, ...keyedBy("/jwks") }))).filter(
    ({ part }) => part === "login",
  );
  expect(login[0]).toMatchObject({ verdict: "ok" });
});

test("a webhook endpoint that is not there", async () => {
  service.stack.payments.sendEventsTo(null);
  const said = wrong(await look(env));
  service.stack.payments.sendEventsTo({ url: `${service.baseUrl}/api/v1/payments/webhook` });
  expect(said).toContainEqual(expect.stringMatching(/^fail stripe: no webhook endpoint calls /));
});

test("a schedule that is paused, and one that is not there yet", async () => {
  const schedule = (method: string, action = "") =>
    fetch(`${service.stack.qstash.url}/v2/schedules/campaign-tick${action}`, {
      method,
      headers: { authorization: `Bearer ${env["QSTASH_TOKEN"]}` },
    });
  await schedule("PATCH", "/pause");
  expect(wrong(await look(env))).toContainEqual("fail schedule: is paused");
  await schedule("PATCH", "/resume");
  const { QSTASH_TOKEN: token, QSTASH_URL: url } = env;
  await schedule("DELETE");
  expect(wrong(await look(env))).toContainEqual("warn schedule: is not there yet");
  await fetch(`${url}/v2/schedules/${service.baseUrl}/functions/campaign-tick`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "upstash-cron": "* * * * *",
      "upstash-schedule-id": "campaign-tick",
    },
  });
  expect(wrong(await look(env)).filter((each) => each.includes("schedule"))).toEqual([]);
});

test("a secret that somebody quotes back is left out", async () => {
  const broken = { ...env, MODEL_BASE_URL: nowhere, MODEL_API_KEY: "unavailable" };
  const findings = await look(broken);
  expect(wrong(findings)).toContainEqual(
    expect.stringMatching(/^fail model: the model of MODEL_BASE_URL fails: \[secret\],/),
  );
  expectNoSecret(findings, broken);
});

test("of a second cell the cell itself is asked, and not the router's first", async () => {
  const cell = { PUBLIC_BASE_URL: nowhere, CELL_BASE_URL: env["PUBLIC_BASE_URL"]! };
  const given: Env = { ...env, TRACKING_BASE_URL: env["PUBLIC_BASE_URL"]!, ...cell };
  const asked = (await look(given)).filter(({ part }) => ["worker", "status"].includes(part));
  expect(asked[0]).toMatchObject({ part: "worker", verdict: "ok" });
  expect(asked[1]).toMatchObject({ part: "status", verdict: "ok" });
  const ready = stepsOf(given, "-").find(({ title }) => title === "It is ready")!;
  expect(ready.command).toContain(cell.CELL_BASE_URL);
  expect(JSON.parse(await ready.run())).toMatchObject({ status: "ready" });
});

test("before the first deployment the Worker is not asked", async () => {
  const findings = await look(
    { ...env, PUBLIC_BASE_URL: "https://overture.somebody.workers.dev" },
    { isDeployed: false },
  );
  const parts = findings.map(({ part }) => part);
  for (const part of ["worker", "schedule", "tracking", "status", "inbound relay"])
    expect(parts).not.toContain(part);
});

test("without a cron trigger nothing would start the engine", async () => {
  const findings = await examine({ env, wrangler: { ...wrangler, crons: [] }, isDeployed: true });
  expect(wrong(findings)).toContainEqual(expect.stringMatching(/^fail cron: wrangler.toml has no/));
});

test("what the Worker itself says is told: its store of keys and its engine", async () => {
  service.stack.redis.faults.order("unavailable", 1_000);
  const said = wrong(await look(env));
  expect(said).toContainEqual(expect.stringMatching(/^warn status: cache is degraded/));
});
