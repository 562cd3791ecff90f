import { createHash, randomBytes, randomUUID } from "node:crypto";
import * as http from "node:http";
import pg from "pg";
import { insertAccount } from "../support/network-accounts.ts";
import type { TestService } from "../support/service.ts";
import { percentile, range } from "./report.ts";

const CONNECTIONS = 8;
const REQUESTS = 1_500;
/** Each has a quota of its own: the benchmark measures requests, not refusals. */
const WORKSPACES = 60;

interface Case {
  name: string;
  request(index: number): {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string;
  };
}

/** Requests per second and latency of some routes in alternating rounds, and what each costs in database round trips. */
export async function benchHttp(service: TestService, rounds: number): Promise<void> {
  const { keys, datasetIds, accountIds } = await makeWorkspaces(service);
  const bearer = (index: number) => ({ authorization: `Bearer ${keys[index % keys.length]}` });
  const create = (index: number) =>
    JSON.stringify({
      name: `Bench ${index}`,
      dataset_id: datasetIds[index % keys.length],
      alias_ids: [],
      type: "socialnet",
      connected_account_id: accountIds[index % keys.length],
      steps: [{ step: 1, action_type: "message", message_template: "Hello {{ first_name }}" }],
    });
  const cases: Case[] = [
    { name: "GET /health", request: () => ({ method: "GET", path: "/health", headers: {} }) },
    {
      name: "GET /api/v1/campaigns/",
      request: (index) => ({
        method: "GET",
        path: "/api/v1/campaigns/?limit=20",
        headers: bearer(index),
      }),
    },
    {
      name: "POST /api/v1/campaigns/",
      request: (index) => ({
        method: "POST",
        path: "/api/v1/campaigns/",
        headers: { ...bearer(index), "content-type": "application/json" },
        body: create(index),
      }),
    },
    {
      name: "the same with a key",
      request: (index) => ({
        method: "POST",
        path: "/api/v2/campaigns/",
        headers: {
          ...bearer(index),
          "content-type": "application/json",
          "idempotency-key": randomUUID(),
        },
        body: create(index),
      }),
    },
  ];

  const results = new Map(
    cases.map(({ name }) => [
      name,
      { perSecond: [] as number[], p50: [] as number[], p99: [] as number[] },
    ]),
  );
  for (let round = 0; round <= rounds; round++) {
    for (const each of cases) {
      const { perSecond, latencies } = await load(service.baseUrl, each);
      // The first round warms up.
      if (round === 0) continue;
      const result = results.get(each.name)!;
      result.perSecond.push(perSecond);
      result.p50.push(percentile(latencies, 0.5));
      result.p99.push(percentile(latencies, 0.99));
    }
  }
  console.log(
    `\nHTTP, bare workerd, ${CONNECTIONS} connections, ${rounds} alternating rounds of ${REQUESTS}: median (min-max)`,
  );
  for (const each of cases) {
    const { perSecond, p50, p99 } = results.get(each.name)!;
    const trips = await roundTrips(service, each);
    console.log(
      `  ${each.name.padEnd(26)} ${range(perSecond)} req/s, p50 ${range(p50, 1)} ms, p99 ${range(p99, 1)} ms, ${trips} database round trips`,
    );
  }
}

async function load(
  baseUrl: string,
  { name, request }: Case,
): Promise<{ perSecond: number; latencies: number[] }> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const latencies: number[] = [];
  let next = 0;
  const startedAt = performance.now();
  const worker = async () => {
    while (next < REQUESTS) {
      const index = next++;
      const sentAt = performance.now();
      const status = await send(agent, baseUrl, request(index));
      if (status >= 300) throw new Error(`${name} answered ${status}`);
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
  return { perSecond: REQUESTS / ((performance.now() - startedAt) / 1000), latencies };
}

export function send(
  agent: http.Agent,
  baseUrl: string,
  { path, body, ...options }: ReturnType<Case["request"]>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(baseUrl + path, { agent, ...options }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** Requests that reach the database for one call, without the key's time of last use, which is written every 5 minutes. */
async function roundTrips(service: TestService, { request }: Case): Promise<number> {
  const { log } = service.stack.neon;
  const agent = new http.Agent();
  await send(agent, service.baseUrl, request(0));
  log.clear();
  await send(agent, service.baseUrl, request(0));
  const count = log.entries().length;
  agent.destroy();
  return count;
}

export async function makeWorkspaces(
  service: TestService,
): Promise<{ keys: string[]; datasetIds: string[]; accountIds: string[] }> {
  const sql = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 1 });
  const keys: string[] = [];
  const datasetIds: string[] = [];
  const accountIds: string[] = [];
  const now = new Date();
  for (let index = 0; index < WORKSPACES; index++) {
    const [user, workspace, dataset] = [randomUUID(), randomUUID(), randomUUID()];
    const key = `svc_live_${randomBytes(32).toString("base64url")}`;
    await sql.query("insert into users (id, created_at, updated_at) values ($1, $2, $2)", [
      user,
      now,
    ]);
    await sql.query(
      "insert into workspaces (id, owner_user_id, name, plan, timezone, created_at, updated_at) values ($1, $2, 'Bench', 'paid', 'UTC', $3, $3)",
      [workspace, user, now],
    );
    await sql.query(
      "insert into api_keys (id, workspace_id, user_id, name, key_prefix, key_hash, created_at, updated_at) values ($1, $2, $3, 'bench', $4, $5, $6, $6)",
      [
        randomUUID(),
        workspace,
        user,
        key.slice(0, 13),
        createHash("sha256").update(key).digest("hex"),
        now,
      ],
    );
    await sql.query(
      `insert into datasets (id, workspace_id, user_id, created_at, updated_at, name, source, status, row_count, columns, mapping)
       values ($1, $2, $3, $4, $4, 'Bench', 'api', 'ready', 0, '[]', '{}')`,
      [dataset, workspace, user, now],
    );
    keys.push(key);
    datasetIds.push(dataset);
    accountIds.push(await insertAccount(sql, { workspaceId: workspace, userId: user }));
  }
  await sql.end();
  return { keys, datasetIds, accountIds };
}
