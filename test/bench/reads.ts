import * as http from "node:http";
import pg from "pg";
import { bundleWorker, WORKER_ENTRY } from "../../scripts/stack/bundle.ts";
import { startWorkerd, type Workerd } from "../../scripts/stack/workerd.ts";
import type { TestService } from "../support/service.ts";
import { send } from "./http.ts";
import { openMeter, processorMs } from "./meters.ts";
import { prepareReads, type ReadsData } from "./reads-data.ts";
import { type Read, readsOf } from "./reads-list.ts";
import { median, percentile } from "./report.ts";

const CONNECTIONS = [1, 16, 64];
/** Not more connections than a round has requests. */
const connectionsOf = ({ requests }: Read) => CONNECTIONS.filter((count) => count <= requests);

/** What answers: the Worker as it is, and another bundle that it is compared with. */
interface Answerer {
  name: string;
  worker: Workerd;
}

interface Figures {
  perSecond: number[];
  p50: number[];
  p99: number[];
  workerMs: number[];
  postgresMs: number[];
}

/**
 * Requests a second, latency, and processor time a request of the Worker and of Postgres, by the number of connections:
 * the Worker as it is deployed, whose clock is the machine's, in rounds by turns; where another bundle is given, in turns
 * with that.
 */
export async function benchReads(
  service: TestService,
  rounds: number,
  other: string | undefined,
): Promise<void> {
  const data = await prepareReads(service);
  // The engine would send the campaigns' messages meanwhile, at the cost of who is measured.
  process.kill(service.worker().pid, "SIGSTOP");
  const start = async (name: string, bundle: string): Promise<Answerer> => ({
    name,
    worker: await startWorkerd({
      bundle,
      env: service.stack.workerEnv(service.baseUrl),
      caCertificates: service.stack.caCertificates,
      hasEvents: false,
    }),
  });
  const answerers = [
    await start("", (await bundleWorker(WORKER_ENTRY)).file),
    ...(other === undefined ? [] : [await start("other", other)]),
  ];
  const [{ worker }] = answerers as [Answerer];
  const watcher = new pg.Pool({ connectionString: service.stack.databaseUrl, max: 1 });
  try {
    const meter = await openMeter(service, watcher);
    const reads = readsOf(data);
    const figures = new Map<string, Figures>();
    for (let round = 0; round <= rounds; round++)
      for (const read of reads)
        for (const connections of connectionsOf(read))
          for (const { name, worker: asked } of round % 2 === 0
            ? answerers
            : answerers.toReversed()) {
            const found = await measure({ read, connections, data, worker: asked, meter });
            // The first round warms up.
            if (round > 0) note(figures, `${name} ${read.name} ${connections}`, found);
          }
    print(reads, figures, rounds);
    if (other !== undefined) printRatios(reads, figures);
    for (const read of reads) {
      const { database, redis } = await countTrips(service, worker, read, data);
      console.log(`  ${read.name}: round trips to the database ${database}, to Redis ${redis}`);
    }
  } finally {
    for (const one of answerers) await one.worker.close();
    await watcher.end();
    process.kill(service.worker().pid, "SIGCONT");
  }
}

interface Run {
  read: Read;
  connections: number;
  data: ReadsData;
  worker: Workerd;
  meter: Awaited<ReturnType<typeof openMeter>>;
}

async function measure({ read, connections, data, worker, meter }: Run) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  let next = 0;
  const connection = async () => {
    while (next < read.requests) {
      const index = next++;
      const sentAt = performance.now();
      await ask(agent, worker, read, data, index);
      latencies.push(performance.now() - sentAt);
    }
  };
  const before = processorMs(worker.pid);
  const cost = await meter.measure(() =>
    Promise.all(Array.from({ length: Math.min(connections, read.requests) }, connection)),
  );
  const workerMs = processorMs(worker.pid) - before;
  agent.destroy();
  return {
    perSecond: (read.requests * 1000) / cost.wallMs,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    workerMs: workerMs / read.requests,
    postgresMs: cost.postgresMs / read.requests,
  };
}

/** As from a client behind Cloudflare, each from an address of its own. */
async function ask(
  agent: http.Agent,
  { url }: Pick<Workerd, "url">,
  { name, path, workspaces }: Read,
  { keys }: ReadsData,
  index: number,
): Promise<void> {
  const key = workspaces === undefined ? index : workspaces[index % workspaces.length]!;
  const headers = {
    authorization: `Bearer ${keys[key % keys.length]}`,
    "cf-connecting-ip": `192.0.2.${index % 250}`,
  };
  const status = await send(agent, url, { method: "GET", path: path(index), headers });
  if (status !== 200) throw new Error(`${name} answered ${status}`);
}

function note(
  figures: Map<string, Figures>,
  name: string,
  found: Record<keyof Figures, number>,
): void {
  const known = figures.get(name) ?? {
    perSecond: [],
    p50: [],
    p99: [],
    workerMs: [],
    postgresMs: [],
  };
  figures.set(name, known);
  for (const key of Object.keys(known) as (keyof Figures)[]) known[key].push(found[key]);
}

function print(reads: Read[], figures: Map<string, Figures>, rounds: number): void {
  console.log(
    `\nReads, the Worker as it is deployed in bare workerd, medians of ${rounds} rounds in turns; CPU in ms a request\n`,
  );
  console.log("| read | connections | r/s | p50 / p99 ms | Worker | Postgres |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const read of reads)
    for (const connections of connectionsOf(read)) {
      const { name } = read;
      const { perSecond, p50, p99, workerMs, postgresMs } = figures.get(` ${name} ${connections}`)!;
      const times = `${median(p50).toFixed(1)} / ${median(p99).toFixed(1)}`;
      console.log(
        `| ${name} | ${connections} | ${median(perSecond).toFixed(0)} | ${times} | ${median(workerMs).toFixed(2)} | ${median(postgresMs).toFixed(2)} |`,
      );
    }
  console.log("");
}

/** The medians of the ratios of rounds to those of the other bundle. */
function printRatios(reads: Read[], figures: Map<string, Figures>): void {
  console.log("| read, in turns | connections | p50 | Worker | Postgres |");
  console.log("| --- | --- | --- | --- | --- |");
  for (const read of reads)
    for (const connections of connectionsOf(read)) {
      const { name } = read;
      const own = figures.get(` ${name} ${connections}`)!;
      const others = figures.get(`other ${name} ${connections}`)!;
      const ratio = (of: keyof Figures) =>
        median(own[of].map((value, round) => value / others[of][round]!)).toFixed(2);
      console.log(
        `| ${name} | ${connections} | ${ratio("p50")} | ${ratio("workerMs")} | ${ratio("postgresMs")} |`,
      );
    }
  console.log("");
}

/** Requests that reach the two, exactly: the stack's own logs. */
async function countTrips(
  { stack }: TestService,
  worker: Workerd,
  read: Read,
  data: ReadsData,
): Promise<{ database: number; redis: number }> {
  const agent = new http.Agent();
  await ask(agent, worker, read, data, 0);
  stack.neon.log.clear();
  stack.redis.log.clear();
  await ask(agent, worker, read, data, 0);
  agent.destroy();
  // Redis notes commands: a count is two of them, in one request.
  const counts = stack.redis.log.entries().filter((entry) => /INCR/i.test(JSON.stringify(entry)));
  return { database: stack.neon.log.entries().length, redis: counts.length };
}
