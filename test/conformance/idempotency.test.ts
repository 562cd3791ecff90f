import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import type { Reply, Tenant } from "../support/api.ts";
import { forceStatus } from "../support/campaigns.ts";
import { USED } from "../support/keyed.ts";
import { killDuring } from "../support/kill-at.ts";
import { inFull } from "../support/full.ts";
import { patience } from "../support/patience.ts";
import { api, useApi } from "../support/use-api.ts";
import { fill, type Operation, operations } from "./operations.ts";
import { SERVED, servedBody } from "./served.ts";
import { make, oneOfEach, seedOf } from "./setting.ts";
import { startWholeApi } from "./upstreams.ts";

vi.setConfig({ testTimeout: patience(120_000) });
useApi({ start: startWholeApi });

/** Their effect is more than their first write: a provider, a server or a model is asked, or rows come piece by piece. */
const NOT_KNOWN = new Set([
  ...[
    "actOnCampaignLeads",
    "sendCampaignStepTest",
    "testMailAlias",
    "purchaseCredits",
    "sendNetworkMessage",
    "answerConversation",
    "testWebhook",
  ],
  ...["connectAccount", "answerCheckpoint", "reconnectAccount", "deleteConnectedAccount"],
  ...["findEmail", "findProfile", "searchProspects", "previewPersonalization"],
  ...["importLeads", "importSuppressions", "applyPlan"],
]);
const WRITES_NOTHING = new Set([
  ...["planCampaign", "renderCampaignStep", "renderTemplate", "verifySheetAccess", "exportLead"],
]);
/** What a repetition is not told. */
const SECRETS: Record<string, string[]> = {
  createApiKey: ["key"],
  createWebhook: ["secret"],
  invite: ["url"],
  rotateWebhookSecret: ["secret"],
  connectAccount: ["checkpoint_token"],
  answerCheckpoint: ["checkpoint_token"],
  reconnectAccount: ["checkpoint_token"],
  connectMailAlias: ["authorize_url"],
  connectDomainPostmaster: ["authorize_url"],
};

type Ids = Record<string, string>;
const campaignIs = (status: string) => (_: Tenant, ids: Ids) =>
  forceStatus(api.sql, ids["campaign_id"]!, status);
const another = (parameter: string, path: string) => async (tenant: Tenant, ids: Ids) => {
  ids[parameter] = await make(tenant, path);
};
/** Nobody has answered. */
const unanswered = (_: Tenant, ids: Ids) =>
  api.sql.query("update agent_confirmations set status = 'waiting' where id = $1", [
    ids["confirmation_id"],
  ]);
/** The first step of the campaign is tried out. */
const triedOut = (_: Tenant, ids: Ids) =>
  api.sql.query(
    "update campaigns set steps = jsonb_set(steps, '{0,experiment}', $2) where id = $1",
    [ids["campaign_id"], JSON.stringify({ metric: "reply", horizon_days: 5, floor: 0.05 })],
  );
/** What has to be so before an operation can do its work. */
const READY: Record<string, (tenant: Tenant, ids: Ids) => Promise<unknown>> = {
  approveConfirmation: unanswered,
  declineConfirmation: unanswered,
  deleteCampaign: campaignIs("paused"),
  launchCampaign: campaignIs("draft"),
  resetCampaign: campaignIs("failed"),
  resumeCampaign: campaignIs("paused"),
  unscheduleCampaign: campaignIs("scheduled"),
  freezeCampaignExperiment: triedOut,
  resetCampaignExperiment: triedOut,
  deleteDataset: another("dataset_id", "/api/v1/datasets"),
  deleteMailAlias: async (tenant, ids) => {
    const { body } = await tenant.call(
      "POST",
      "/api/v1/mailer/aliases",
      SERVED["createMailAlias"]!(ids),
    );
    ids["alias_id"] = body.id;
  },
  beginPlacementTest: async (tenant, ids) => {
    ids["seed_alias_id"] = await seedOf(tenant);
  },
  cancelDatasetVerification: (tenant, { dataset_id }) =>
    tenant.call("POST", `/api/v1/email-verification/dataset/${dataset_id}`),
};

/** A workspace in which the operation can do its work, and the request for it. */
async function setting(operation: Operation) {
  const tenant = await api.tenant();
  const isBare = operation.parameters.length === 0 && !(operation.id in SERVED);
  const ids = isBare ? {} : await oneOfEach(api, tenant);
  await READY[operation.id]?.(tenant, ids);
  const path = fill(operation.path, (name) => ids[name]!).replace("/api/v1/", "/api/v2/");
  const body = operation.hasBody ? servedBody(operation, ids) : undefined;
  const call = operation.access === "jwt" ? tenant.callAsUser : tenant.call;
  await api.settled();
  return {
    tenant,
    path,
    send: (headers: Record<string, string> = {}, to = path, sent = body): Promise<Reply> => {
      // So that none of them hides an answer.
      api.forgetQuotas();
      return call(operation.method, to, sent, headers);
    },
  };
}

const keysOf = async ({ workspaceId }: Tenant) =>
  (await api.sql.query("select * from idempotency_keys where workspace_id = $1", [workspaceId]))
    .rows;

let counts: string | undefined;
/** Not counted: the keys themselves, and what is kept for all workspaces, which the first to ask makes. */
const SHARED = "'idempotency_keys', 'web_lookups', 'recipient_domains'";
/** Rows of every other table. */
async function rowCounts(): Promise<Record<string, number>> {
  await api.settled();
  const { rows: tables } = await api.sql.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name not in (${SHARED})`,
  );
  counts ??= tables
    .map(({ name }) => `select '${name}' as name, count(*)::int as n from "${name}"`)
    .join(" union all ");
  const { rows } = await api.sql.query(counts);
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

/** By how many rows each table grew or shrank. */
async function growth(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await rowCounts();
  await work();
  const after = Object.entries(await rowCounts());
  return Object.fromEntries(
    after.flatMap(([name, n]) => (n === before[name] ? [] : [[name, n - before[name]!]])),
  );
}

const isReplayed = ({ headers }: Reply) => headers.get("idempotent-replayed") === "true";
const codeOf = ({ status, body }: Reply) => [status, body?.code];
/** One takes a form; the other is asked by a session alone, and said in its cookie. */
const LEFT_OUT = ["createSocialPost", "chooseWorkspace"];
const writing = operations.filter(
  ({ id, method, access }) =>
    method !== "GET" && ["workspace", "jwt"].includes(access) && !LEFT_OUT.includes(id),
);
const cases = writing
  .filter(({ id }) => !WRITES_NOTHING.has(id))
  .map((operation) => [operation.name, operation] as const);

/** The rows that the operation makes without a key, which leaves none either. */
async function effectWithoutKey(operation: Operation): Promise<Record<string, number>> {
  const { tenant, send } = await setting(operation);
  let reply!: Reply;
  const grown = await growth(async () => {
    reply = await send();
  });
  expect([reply.status < 300, isReplayed(reply), await keysOf(tenant)]).toEqual([true, false, []]);
  return grown;
}

const AT_ONCE = inFull(24, 4);
const COMPARED = inFull(1, 2);
/** Those whose effect is one write are alike: by default some of them stand for all. */
const EFFECTS = inFull(1, 5);
const raced = cases.filter(([, { id }], at) => NOT_KNOWN.has(id) || at % EFFECTS === 0);
test.each(raced.map(([name, operation], at) => [name, operation, at % COMPARED === 0] as const))(
  "%s: many at once under one key are one",
  async (_name, operation, isCompared) => {
    const once = isCompared ? await effectWithoutKey(operation) : undefined;
    const { tenant, path, send } = await setting(operation);
    const key = { "idempotency-key": randomUUID() };
    // What dies before its transaction has used nothing.
    await killDuring({ statement: USED, side: "before" }, () => send(key));
    let replies: Reply[] = [];
    const grown = await growth(async () => {
      replies = await Promise.all(Array.from({ length: AT_ONCE }, () => send(key)));
    });
    if (once !== undefined) expect(grown).toEqual(once);
    const first = replies.filter((reply) => reply.status < 300 && !isReplayed(reply));
    expect(first).toHaveLength(1);
    const withheld = Object.fromEntries((SECRETS[operation.id] ?? []).map((name) => [name, null]));
    const isGone = operation.id === "deleteWorkspace";
    for (const reply of [...replies, ...(isGone ? [] : [await send(key)])]) {
      if (reply === first[0] || reply.status === (isGone ? 401 : 429)) continue;
      if (reply.status === 409) expect(codeOf(reply)).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
      else {
        expect([reply.status, isReplayed(reply)]).toEqual([first[0]!.status, true]);
        expect(reply.body).toEqual({ ...first[0]!.body, ...withheld });
      }
    }
    const [used, ...more] = await keysOf(tenant);
    expect([used.status, used.is_effect, more]).toEqual([
      first[0]!.status,
      !NOT_KNOWN.has(operation.id),
      [],
    ]);
    if (first[0]!.status === 201) expect(used.resource_id).not.toBeNull();
    if (used.resource_id !== null) expect(first[0]!.text + path).toContain(used.resource_id);
    else expect(operation.parameters).toEqual([]);
    if (isGone) return;
    expect(codeOf(await send(key, `${path}?other=1`))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    if (operation.hasBody)
      expect(codeOf(await send(key, path, { other: 1 }))).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  },
);

/** How it claims is what the test before sees of each; what follows from that is the same for all that claim alike. */
const repeatable = cases.filter(([, { id }]) => id !== "deleteWorkspace");
const dying = repeatable.filter((_, at) => at % inFull(1, 9) === 0);
test.each(dying)("%s: is not run again when its worker died", async (_name, operation) => {
  const { path, send } = await setting(operation);
  const key = { "idempotency-key": randomUUID() };
  await killDuring({ statement: USED, side: "after" }, () => send(key));
  let replies: Reply[] = [];
  const grown = await growth(async () => {
    const soon = await send(key);
    api.advance(60);
    replies = [soon, await send(key)];
  });
  expect(grown).toEqual({});
  expect(replies.map(codeOf)).toEqual([
    [409, "IDEMPOTENCY_IN_PROGRESS"],
    [409, "IDEMPOTENCY_ANSWER_LOST"],
  ]);
  const { took_effect, resource_id } = replies[1]!.body;
  expect(took_effect).toBe(NOT_KNOWN.has(operation.id) ? null : true);
  if (operation.parameters.length > 0 && !operation.statuses.includes(201))
    expect(path).toContain(resource_id);
});

test.each(
  writing.filter(({ hasBody }) => hasBody).map((operation) => [operation.name, operation] as const),
)("%s: a body that is refused uses no key", async (_name, operation) => {
  const path = fill(operation.path, () => randomUUID()).replace("/api/v1/", "/api/v2/");
  // Of its own: the clock has moved by more than a login lives.
  const stranger = await api.tenant();
  const call = operation.access === "jwt" ? stranger.callAsUser : stranger.call;
  for (const [body, status] of [
    ["{", 400],
    ['["not", "an object"]', 422],
  ] as const) {
    api.forgetQuotas();
    const reply = await call(operation.method, path, body, { "idempotency-key": "one for all" });
    expect(reply.status).toBe(status);
  }
  expect(await keysOf(stranger)).toEqual([]);
});

test.each([...WRITES_NOTHING])("%s uses no key", async (id) => {
  const operation = operations.find((each) => each.id === id)!;
  const { tenant, send } = await setting(operation);
  const key = { "idempotency-key": randomUUID() };
  for (const _ of [1, 2]) {
    const reply = await send(key);
    expect([reply.status, isReplayed(reply)]).toEqual([200, false]);
  }
  expect(await keysOf(tenant)).toEqual([]);
});
