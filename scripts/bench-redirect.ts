/**
 * `node scripts/bootstrap.js scripts/bench-redirect.ts [--rounds N]`: what a tracked link costs beside
 * `/health`, and what recording its hits costs the database, with and without their queue. Not a test: nothing fails by being slow.
 */
import "./stack/warp.ts";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { createApp } from "#src/app.ts";
import { readConfig } from "#src/config.ts";
import type { Deps } from "#src/deps.ts";
import type { Hit } from "#src/domain/messages/tracking/hit.ts";
import { recordHits } from "#src/domain/messages/tracking/record.ts";
import { createTrackTokens } from "#src/domain/messages/tracking/track-token.ts";
import { systemClock, systemRandomBytes } from "#src/platform/system.ts";
import { createDepsFactory } from "#src/wiring.ts";
import { benchHits } from "../test/bench/hits.ts";
import { machine, median, percentile, range } from "../test/bench/report.ts";
import { eventually, startTestService, type TestService } from "../test/support/service.ts";
import { createNodeDial } from "./stack/node-dial.ts";

const PAIRS = 200;
/** By then a click is recorded on any machine that is not overloaded. */
const RECORDING_MS = 8;
const BURST = 1_000;
const CONNECTIONS = 50;
const TARGET_RATIO = 2;
const AGENT = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
};

const { values } = parseArgs({ options: { rounds: { type: "string", default: "7" } } });
const rounds = Math.max(1, Math.trunc(Number(values.rounds)) || 7);

/** The app in this process over the stack's gateways, and the built Worker over HTTP. */
async function redirectBesideHealth({ stack, baseUrl }: TestService): Promise<void> {
  const background = new Set<Promise<unknown>>();
  const deps = makeDeps(stack.workerEnv(baseUrl), background);
  const app = createApp({ now: () => new Date(), makeDeps: () => deps });
  const init = { headers: AGENT, redirect: "manual" } as const;
  await compare(
    "In process",
    async (path) => app.fetch(new Request(`http://localhost${path}`, init)),
    () => Promise.all(background),
  );
  await compare(
    "Bare workerd over HTTP",
    (path) => fetch(baseUrl + path, init),
    () => delay(RECORDING_MS),
  );
}

/**
 * The two in turns, as single requests of different people: before each, what the one before left to
 * be done behind its answer is done.
 */
async function compare(
  where: string,
  request: (path: string) => Promise<Response>,
  rest: () => Promise<unknown>,
): Promise<void> {
  const timed = async (path: string, status: number): Promise<number> => {
    const startedAt = performance.now();
    const reply = await request(path);
    const ms = performance.now() - startedAt;
    if (reply.status !== status) throw new Error(`${path} answered ${reply.status}`);
    await reply.body?.cancel();
    await rest();
    return ms;
  };
  const health = { all: [] as number[], p50: [] as number[] };
  const click = { all: [] as number[], p50: [] as number[] };
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    health.all = [];
    click.all = [];
    for (const [index, sendId] of (await insertSends(PAIRS)).entries()) {
      const link = await clickPath(sendId);
      if (index % 2 === 0) health.all.push(await timed("/health", 200));
      click.all.push(await timed(link, 302));
      if (index % 2 === 1) health.all.push(await timed("/health", 200));
    }
    // The first round warms up.
    if (round === 0) continue;
    health.p50.push(percentile(health.all, 0.5));
    click.p50.push(percentile(click.all, 0.5));
    ratios.push(click.p50.at(-1)! / health.p50.at(-1)!);
  }
  const met = median(ratios) <= TARGET_RATIO ? "met" : "MISSED";
  console.log(`\n${where}, in turns, ${rounds} rounds of ${PAIRS} pairs: p50, median (min-max)
  GET /health     ${range(health.p50, 3)} ms
  GET /c/<token>  ${range(click.p50, 3)} ms
  ratio           ${range(ratios, 2)}, target at most ${TARGET_RATIO}: ${met}`);
}

/** A thousand clicks on the built Worker in bare workerd, many at once: statements, and how soon they are in the database. */
async function burst({ stack, baseUrl }: TestService): Promise<void> {
  const statements: number[] = [];
  const behindMs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const sendIds = await insertSends(BURST / 4);
    const paths = await Promise.all(
      Array.from({ length: BURST }, (_, index) => clickPath(sendIds[index % sendIds.length]!)),
    );
    stack.neon.log.clear();
    let next = 0;
    const click = async () => {
      while (next < BURST)
        await fetch(baseUrl + paths[next++]!, { headers: AGENT, redirect: "manual" });
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, click));
    const answeredAt = performance.now();
    await eventually(
      "every click is in the database",
      async () => (await noted(sendIds)) === BURST,
    );
    if (round === 0) continue;
    behindMs.push(performance.now() - answeredAt);
    statements.push(
      stack.neon.log.entries().filter(({ summary }) => !summary.includes("engine")).length,
    );
  }
  console.log(`\nBare workerd, bursts of ${BURST} clicks on ${BURST / 4} messages over ${CONNECTIONS} connections: median (min-max)
  ${range(statements)} statements, all recorded ${range(behindMs)} ms after the last answer`);
}

/** What one batch costs by its size. */
async function recording({ stack, baseUrl }: TestService): Promise<void> {
  const deps = makeDeps(stack.workerEnv(baseUrl), new Set());
  console.log("\nrecordHits, two statements a batch, one hit a message: median (min-max)");
  for (const size of [1, 10, 100, 1_000]) {
    const milliseconds: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const hits = (await insertSends(size)).map(newHit);
      const startedAt = performance.now();
      await recordHits(deps, hits);
      if (round > 0) milliseconds.push(performance.now() - startedAt);
    }
    const perSecond = milliseconds.map((ms) => (size * 1000) / ms);
    console.log(
      `  ${String(size).padStart(5)} hits: ${range(milliseconds, 1)} ms, ${range(perSecond)} rows/s`,
    );
  }
}

function makeDeps(env: Record<string, string>, background: Set<Promise<unknown>>): Deps {
  const factory = createDepsFactory(readConfig(env), {
    fetch,
    dial: createNodeDial({}),
    clock: systemClock,
    randomBytes: systemRandomBytes,
    writeLog() {},
  });
  return factory((work) => {
    background.add(work);
    void work.finally(() => background.delete(work));
  });
}

const newHit = (sendId: string): Hit => ({
  id: randomUUID(),
  sendId,
  kind: "click",
  at: new Date(),
  linkIndex: 0,
  url: "https://example.com/pricing",
  userAgent: AGENT["user-agent"],
  prefetch: false,
  asn: null,
});

async function clickPath(sendId: string): Promise<string> {
  const secret = service.stack.workerEnv(service.baseUrl)["TRACKING_SECRET"]!;
  const url = "https://example.com/pricing";
  const token = { kind: "click", sendId, linkIndex: 0, url } as const;
  return `/c/${await createTrackTokens([secret]).sign(token)}`;
}

/** Messages that were accepted an hour ago. */
async function insertSends(count: number): Promise<string[]> {
  const { rows } = await sql.query(
    `insert into sends (id, workspace_id, campaign_id, campaign_lead_id, step, lane_id, state, config_version, slot_at, campaign_day,
       lane_day_until, is_new, claimed_at, claims, attempts, opens, clicks, machine_opens, machine_clicks, updated_at, transmitting_at, accepted_at)
     select gen_random_uuid(), $1, $1, gen_random_uuid(), 1, $1, 'accepted', 1, t, t::date, t, true, t, 1, 1, 0, 0, 0, 0, t, t, t
     from generate_series(1, $2::int), (select now() - interval '1 hour' as t) x returning id`,
    [randomUUID(), count],
  );
  return rows.map((row) => row.id as string);
}

const noted = async (sendIds: string[]): Promise<number> =>
  (
    await sql.query("select count(*)::int as count from email_events where send_id = any($1)", [
      sendIds,
    ])
  ).rows[0].count;

console.log(machine());
const service = await startTestService();
const sql = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 2 });
try {
  await redirectBesideHealth(service);
  await burst(service);
  await benchHits(service, sql, rounds, { insertSends, clickPath, noted, agent: AGENT });
  await recording(service);
} finally {
  await sql.end();
  await service.close();
}
console.log(`\n${machine()}`);
