/** Version 1 answers as it did before there was a second one: `version-1.json` was recorded at the commit before it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { expect, test, vi } from "vitest";
import { api, tenant, useApi } from "../support/use-api.ts";
import { fill, type Operation, operations } from "./operations.ts";
import { servedBody } from "./served.ts";
import { oneOfEach } from "./setting.ts";
import { startWholeApi } from "./upstreams.ts";

vi.setConfig({ testTimeout: 300_000 });
useApi({ start: startWholeApi });

const FILE = path.resolve(import.meta.dirname, "version-1.json");
/** Written anew with it: at the commit to which answers are to be compared. */
const RECORD = process.env["RECORD_VERSION_1"] !== undefined;

interface Answer {
  status: number;
  type: string | null;
  body: string;
}
type Recorded = Record<string, { served: Answer; refused: Answer }>;

/** What is another each time, by what it is. */
const MASKS: [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/g, "<instant>"],
  [/\d{4}-\d\d-\d\d/g, "<date>"],
  [/127\.0\.0\.1:\d+/g, "<host>"],
  // What is random is known by a digit, or by its length: a key of 43 characters has no digit in 1 of 1,500.
  [/(?=[A-Za-z_+/=.-]*\d)[A-Za-z0-9_+/=.-]{24,}/g, "<random>"],
  [/(?<=["&? ])[A-Za-z0-9_+/=.-]{43,}/g, "<random>"],
  [/\boverture-[0-9a-f]{8}\._domainkey[\w.-]*/g, "<random>"],
  [/\b(sender|overture)-[0-9a-f]{8}\b/g, "$1-<random>"],
  [
    /("(?:\w+_ms|timestamp|database|uptime\w*|key_prefix|checkpoint_type|display_name|provider_account_id|message_id|chat_id|from_cache|research_cached_at)":)("[^"]*"|[\w.]+)/g,
    '$1"<any>"',
  ],
];
const masked = (text: string) =>
  MASKS.reduce((said, [each, mask]) => said.replaceAll(each, mask), text);

/** What the specification does not name may gain fields. */
const MAY_GAIN = [
  "GET /api/v1/api-keys",
  "GET /api/v1/conversations",
  "GET /api/v1/mailer/domains",
  "POST /api/v1/mailer/domains",
  "GET /api/v1/mailer/domains/{domain_id}",
  "PATCH /api/v1/mailer/domains/{domain_id}",
  "GET /api/v1/conversations/{conversation_id}",
];

const LEDGER = "GET /api/v1/payments/ledger";
/** Entries of one millisecond stand by their ids, which are another each time. */
const inAnyOrder = (body: string): string => {
  const { items, ...page } = JSON.parse(body) as { items: object[] };
  const sorted = items.map((each) => JSON.stringify(each)).toSorted();
  return JSON.stringify({ items: sorted, ...page });
};

async function ask(
  operation: Operation,
  ids: Record<string, string>,
  headers: object,
  body: unknown,
) {
  const at = fill(operation.address, (name) => ids[name] ?? "00000000-0000-7000-8000-000000000000");
  const reply = await api.request(at, {
    method: operation.method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const type = reply.headers.get("content-type");
  const said = masked(await reply.text());
  return { status: reply.status, type, body: said } satisfies Answer;
}

const ORDER = ["GET", "POST", "PATCH", "PUT", "DELETE"];
/** The workspace goes last; wallets' calls and signed ones have tests of their own. */
const asked = operations
  .filter(({ access, isSigned }) => access !== "wallet" && !isSigned)
  .filter(({ hasBody, isJsonBody }) => isJsonBody || !hasBody)
  .toSorted(
    (a, b) =>
      Number(a.path === "/api/v1/workspace") - Number(b.path === "/api/v1/workspace") ||
      ORDER.indexOf(a.method) - ORDER.indexOf(b.method) ||
      (a.name < b.name ? -1 : 1),
  );

async function answers(only: (name: string) => boolean, headers: Record<string, string>) {
  const owner = await api.tenant();
  const ids = await oneOfEach(api, owner);
  const recorded: Recorded = {};
  for (const operation of asked.filter(({ name }) => only(name))) {
    api.forgetQuotas();
    const as = {
      ...(operation.access === "public"
        ? {}
        : { authorization: `Bearer ${operation.access === "jwt" ? owner.jwt : owner.key}` }),
      ...headers,
    };
    const body = operation.hasBody ? (servedBody(operation, ids) ?? {}) : undefined;
    recorded[operation.name] = {
      refused: await ask(operation, {}, as, operation.hasBody ? [] : undefined),
      served: await ask(operation, ids, as, body),
    };
  }
  return recorded;
}

test.runIf(RECORD)("it is recorded", async () => {
  expect(tenant).toBeDefined();
  writeFileSync(FILE, `${JSON.stringify(await answers(() => true, {}), null, 2)}\n`);
});
test.each([
  ["without an Idempotency-Key", {}],
  ["with one, which version 1 does not know", { "idempotency-key": "k" }],
])("every answer of version 1 is as it was, %s", async (_, headers) => {
  expect(existsSync(FILE)).toBe(true);
  const before = JSON.parse(readFileSync(FILE, "utf8")) as Recorded;
  const now = await answers((name) => name in before, headers);
  for (const name of MAY_GAIN)
    for (const how of ["served", "refused"] as const) {
      expect(JSON.parse(now[name]![how].body)).toMatchObject(JSON.parse(before[name]![how].body));
      now[name]![how].body = before[name]![how].body;
    }
  for (const how of ["served", "refused"] as const)
    for (const each of [now[LEDGER]!, before[LEDGER]!]) each[how].body = inAnyOrder(each[how].body);
  expect(now).toEqual(before);
});
