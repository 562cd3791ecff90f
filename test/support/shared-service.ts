import pg from "pg";
import { inject } from "vitest";
import { setWarpOffsetMs, warpOffsetMs } from "../../scripts/stack/warp.ts";
import type { WorkerEnv } from "../../scripts/stack/service.ts";
import { AHEAD_MS } from "./ahead.ts";
import { cloneDatabase } from "./database.ts";
import { createKillPoints, type KillPoints } from "./kill-points.ts";
import { startTestService, type TestService, withCalls } from "./service.ts";

export interface SharedService extends TestService {
  sql: pg.Pool;
}

/** Of this process: test files run in it one after the other. */
let held: Promise<SharedService> | null = null;
let isRebound = false;
let points: KillPoints | null = null;

type Bindings = (env: WorkerEnv) => Promise<WorkerEnv>;

/**
 * The service for a test file, as new but for its clock, which only ever moves ahead: an empty database, new
 * workspaces, empty mailboxes, no fault ordered. `bindings` are the Worker's for this file, beside its own.
 */
export async function sharedService(bindings?: Bindings): Promise<SharedService> {
  await points?.close();
  points = null;
  const before = await held?.catch(() => null);
  held = before ? renew(before, bindings) : start(bindings);
  // What a file left behind that cannot be brought to rest is given up, with the whole stack.
  if (before)
    held = held.catch(async () => {
      await before.close().catch(() => {});
      return start(bindings);
    });
  return held;
}

/** The bindings by which the Worker reaches what it may be killed beside. */
const UPSTREAMS = {
  database: "NEON_LOCAL",
  redis: "UPSTASH_REDIS_REST_URL",
  queue: "QSTASH_URL",
  model: "MODEL_BASE_URL",
  network: "UNIPILE_API_URL",
  Stripe: "STRIPE_API_BASE",
  google: "GOOGLE_SHEETS_BASE",
  whatsapp: "WHATSAPP_API_BASE",
};

/** The same, with points between the Worker and these upstreams at which it can be killed. */
export async function killableService(
  upstreams: (keyof typeof UPSTREAMS)[],
  more: (env: WorkerEnv, points: KillPoints) => Promise<WorkerEnv> = async () => ({}),
): Promise<{ service: SharedService; points: KillPoints }> {
  const made = createKillPoints(async () => (await held!).worker().kill("SIGKILL"));
  const service = await sharedService(async (env) => {
    const bindings = await more(env, made);
    for (const name of upstreams) {
      const binding = UPSTREAMS[name];
      // The gateway of the database is a host and a port, all others have URLs.
      const isHost = !env[binding]!.includes("://");
      const url = await made.http(name, isHost ? `http://${env[binding]}` : env[binding]!);
      bindings[binding] = isHost ? new URL(url).host : url;
    }
    return bindings;
  });
  points = made;
  return { service, points: made };
}

async function start(bindings?: Bindings): Promise<SharedService> {
  const database = await cloneDatabase(inject("postgres"));
  setWarpOffsetMs(Math.max(warpOffsetMs(), AHEAD_MS));
  const service = await startTestService({ databaseUrl: database.url, mostRestarts: Infinity });
  const sql = new pg.Pool({ connectionString: database.url, max: 2 });
  const close = async () => {
    await sql.end();
    await service.close();
    await database.drop();
  };
  isRebound = bindings !== undefined;
  if (isRebound) await service.rebind(bindings);
  return { ...service, sql, close };
}

async function renew(service: SharedService, bindings?: Bindings): Promise<SharedService> {
  const { stack, sql } = service;
  for (const part of stack.parts) part.faults.clear();
  if (isRebound || bindings !== undefined) await service.rebind(bindings);
  else await service.untilUp();
  isRebound = bindings !== undefined;
  stack.qstash.pause();
  stack.qstash.clear();
  stack.queues.clear();
  await stack.clock.advance(0);
  await emptyTables(sql);
  stack.redis.flush();
  stack.mailbox.clear();
  stack.farm.traffic.clear();
  for (const { origin } of stack.dns.zones.list()) stack.dns.zones.remove(origin);
  for (const part of stack.parts) part.log.clear();
  stack.qstash.resume();
  const access = await service.begin();
  return { ...withCalls({ ...service, access }), sql };
}

/** The list of disposable domains comes with the migrations. */
async function emptyTables(sql: pg.Pool): Promise<void> {
  const { rows } = await sql.query<{ name: string }>(
    "select format('%I', tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'disposable_domains'",
  );
  await sql.query(`truncate ${rows.map(({ name }) => name).join(", ")}`);
}
