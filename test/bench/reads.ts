import * as http from "node:http";
import pg from "pg";
import type { TestService } from "../support/service.ts";
import { makeWorkspaces, send } from "./http.ts";
import { processorMs } from "./meters.ts";
import { range } from "./report.ts";

const REQUESTS = 300;
const CAMPAIGNS = 50;

interface Read {
  name: string;
  /** Of the n-th workspace. */
  path(index: number): string;
  usedMs: number[];
}

/** What a read costs the Worker in processor time, in turns, and how often it asks database and Redis. */
export async function benchReads(service: TestService, rounds: number): Promise<void> {
  const { keys, campaignIds } = await prepare(service);
  const reads: Read[] = [
    { name: "GET /health", path: () => "/health", usedMs: [] },
    {
      name: "a campaign",
      path: (index) => `/api/v1/campaigns/${campaignIds[index % keys.length]}`,
      usedMs: [],
    },
    { name: `a list of ${CAMPAIGNS}`, path: () => "/api/v1/campaigns/?limit=50", usedMs: [] },
  ];
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const ask = async (read: Read, index: number) => {
    const headers = { authorization: `Bearer ${keys[index % keys.length]}` };
    const status = await send(agent, service.baseUrl, {
      method: "GET",
      path: read.path(index),
      headers,
    });
    if (status !== 200) throw new Error(`${read.name} answered ${status}`);
  };
  for (let round = 0; round <= rounds; round++) {
    for (const read of reads) {
      const before = processorMs(service.worker().pid);
      let next = 0;
      const connection = async () => {
        while (next < REQUESTS) await ask(read, next++);
      };
      await Promise.all([connection(), connection(), connection(), connection()]);
      // The first round warms up.
      if (round > 0) read.usedMs.push((processorMs(service.worker().pid) - before) / REQUESTS);
    }
  }
  console.log(
    `\nReads, bare workerd, ${rounds} rounds of ${REQUESTS} in turns: processor time of the Worker's process, median (min-max)`,
  );
  for (const read of reads) {
    const { database, redis } = await countTrips(service, () => ask(read, 0));
    const [least] = reads;
    const times = read.usedMs.map((ms, round) => ms / least!.usedMs[round]!);
    console.log(
      `  ${read.name.padEnd(14)} ${range(read.usedMs, 2)} ms, ${range(times, 1)} times /health; database ${database}, Redis ${redis}`,
    );
  }
  agent.destroy();
}

/** Requests that reach the two, exactly: the stack's own logs. */
async function countTrips({ stack }: TestService, ask: () => Promise<void>) {
  await ask();
  stack.neon.log.clear();
  stack.redis.log.clear();
  await ask();
  // Redis notes commands: a count is two of them, in one request.
  const counts = stack.redis.log.entries().filter((entry) => /INCR/i.test(JSON.stringify(entry)));
  return { database: stack.neon.log.entries().length, redis: counts.length };
}

/** Each workspace has a campaign made through the API, and as many copies as make the list. */
export async function prepare(
  service: TestService,
): Promise<{ keys: string[]; campaignIds: string[] }> {
  const { keys, datasetIds, accountIds } = await makeWorkspaces(service);
  const campaignIds: string[] = [];
  for (const [index, key] of keys.entries()) {
    const response = await fetch(`${service.baseUrl}/api/v1/campaigns/`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        name: "Bench",
        dataset_id: datasetIds[index],
        alias_ids: [],
        type: "socialnet",
        connected_account_id: accountIds[index],
        steps: [{ step: 1, action_type: "message", message_template: "Hello {{ first_name }}" }],
      }),
    });
    campaignIds.push(((await response.json()) as { campaign_id: string }).campaign_id);
  }
  const sql = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 1 });
  const { rows } = await sql.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_schema = 'public' and table_name = 'campaigns' and is_generated = 'NEVER' and column_name <> 'id'`,
  );
  const { names } = rows[0]!;
  await sql.query(
    `insert into campaigns (id, ${names})
     select gen_random_uuid(), ${names} from campaigns, generate_series(2, $1) where id = any($2)`,
    [CAMPAIGNS, campaignIds],
  );
  await sql.query("analyze");
  await sql.end();
  return { keys, campaignIds };
}
