import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { LocalService } from "../stack/service.ts";
import type { Disturbance } from "./disturbances.ts";
import type { Load } from "./load.ts";

export interface Chaos {
  service: LocalService;
  /** The database by itself, past every fault of the gateway. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The API by the workspace's key; throws where no answer comes. */
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answered>;
  /** Moves the stack's clock; false where it could not, since a part does not answer. */
  advance(seconds: number): Promise<boolean>;
  killDatabase(): Promise<void>;
  untilDatabaseUp(): Promise<void>;
  close(): Promise<void>;
}

export interface Answered {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** How long a caller waits for an answer, in real ms. */
const PATIENCE_MS = 20_000;
/** How long a disturbance lasts, in real ms, and how far the clock goes in it, in pieces of seconds. */
const LASTS_MS = 2_500;
const PIECE_SECONDS = 45;
/** Afterwards what is asked again is answered; then the queue's own retries have their time. */
const CALM_MS = 25_000;
const AFTERWARDS_SECONDS = 600;

export async function openChaos(service: LocalService): Promise<Chaos> {
  const pool = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 2 });
  // A connection that a killed server cuts is no news.
  pool.on("error", () => {});
  const query: Chaos["query"] = async (text, values) => (await pool.query(text, values)).rows;
  return {
    service,
    query,
    async call(method, path, body, key) {
      const response = await fetch(service.baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${service.access.api_key}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await response.text();
      return { status: response.status, body: text === "" ? null : JSON.parse(text) };
    },
    advance: (seconds) =>
      service.stack.clock.advance(seconds * 1000).then(
        () => true,
        () => false,
      ),
    async killDatabase() {
      // A process of the server that dies so takes all others with it, and the server recovers (Postgres, 19.4.3).
      const [{ pid }] = (await query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1",
      )) as [{ pid: number }];
      process.kill(pid, "SIGKILL");
    },
    untilDatabaseUp: () =>
      until(async () => (await query("select 1").catch(() => [])).length === 1),
    close: () => pool.end(),
  };
}

export interface Outcome {
  disturbance: Disturbance;
  /** A line of progress. */
  line: string;
}

/** One disturbance: the clock goes on in it, and afterwards waiting clients have time to get their answers. */
export async function disturb(chaos: Chaos, load: Load, each: Disturbance): Promise<Outcome> {
  const before = load.counts();
  await each.begin();
  const endsAt = performance.now() + LASTS_MS;
  const moving = (async () => {
    while (performance.now() < endsAt) {
      await chaos.advance(PIECE_SECONDS);
      await delay(200);
    }
  })();
  await Promise.race([moving, delay(LASTS_MS)]);
  await each.end();
  await moving;
  await chaos.service.untilUp();
  await chaos.untilDatabaseUp();
  const isCalm = await load.calm(CALM_MS);
  await chaos.advance(AFTERWARDS_SECONDS);
  const asked = Object.entries(load.counts())
    .map(([name, { done }]) => `${name} ${done - before[name]!.done}`)
    .join(", ");
  const late = isCalm ? "" : " (some still wait)";
  return { disturbance: each, line: `${each.of} ${each.kind}: ${each.what}: ${asked}${late}` };
}

const LONGEST_DAYS = 40;

/** Leases end, retries come, what is unknown is settled, and campaigns go on until no client waits. */
export async function letEverythingEnd(chaos: Chaos): Promise<void> {
  for (const part of chaos.service.stack.parts) part.faults.clear();
  await chaos.service.untilUp();
  for (let day = 0; day < LONGEST_DAYS; day++) {
    await chaos.advance(86_400);
    // Two workers died over it by chance: a person has looked, and it is innocent.
    const suspects = await chaos.query<{ id: string; campaign_id: string }>(
      "select id, campaign_id from campaign_leads where hold_reason = 'suspect' and status in ('pending', 'active')",
    );
    for (const { id, campaign_id: campaign } of suspects)
      await chaos.call("POST", `/api/v1/campaigns/${campaign}/leads/${id}/release`);
    const paused = await chaos.query<{ id: string }>(
      "select id from campaigns where status = 'paused'",
    );
    for (const { id } of paused) await chaos.call("POST", `/api/v1/campaigns/${id}/resume`);
    const [open] = await chaos.query<{ count: number }>(
      "select count(*)::int as count from campaigns where status not in ('completed', 'draft')",
    );
    if (open!.count === 0) return;
  }
}

async function until(look: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + 60_000;
  while (!(await look())) {
    if (performance.now() > endsAt) throw new Error("The database did not come back in a minute.");
    await delay(100);
  }
}
