import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { bundleWorker, LOCAL_ENTRY } from "../../scripts/stack/bundle.ts";
import { startWorkerd } from "../../scripts/stack/workerd.ts";
import { eventually, type TestService } from "../support/service.ts";
import { openMeter } from "./meters.ts";
import { range } from "./report.ts";

const HITS = 400;
/** Far enough apart that a hit is mostly alone where hits are written as they come. */
const APART_MS = 15;

export interface HitMakers {
  /** New messages that were sent. */
  insertSends(count: number): Promise<string[]>;
  clickPath(sendId: string): Promise<string>;
  noted(sendIds: string[]): Promise<number>;
  agent: Record<string, string>;
}

/** What a hit costs Postgres from the click on: with the queue, and as a deployment without one writes it, in turns. */
export async function benchHits(
  service: TestService,
  watcher: pg.Pool,
  rounds: number,
  { insertSends, clickPath, noted, agent }: HitMakers,
): Promise<void> {
  const { file } = await bundleWorker(LOCAL_ENTRY);
  const direct = await startWorkerd({
    bundle: file,
    env: service.stack.workerEnv(service.baseUrl),
    caCertificates: service.stack.caCertificates,
  });
  const meter = await openMeter(service, watcher);
  const postgres = { direct: [] as number[], queue: [] as number[] };
  const statements = { direct: [] as number[], queue: [] as number[] };
  async function round(way: "direct" | "queue", isWarm: boolean): Promise<void> {
    const sendIds = await insertSends(HITS);
    const paths = await Promise.all(sendIds.map(clickPath));
    const baseUrl = way === "direct" ? direct.url : service.baseUrl;
    const { postgresMs, roundTrips } = await meter.measure(async () => {
      const clicks: Promise<unknown>[] = [];
      for (const path of paths) {
        clicks.push(fetch(baseUrl + path, { headers: agent, redirect: "manual" }));
        await delay(APART_MS);
      }
      await Promise.all(clicks);
      await eventually("every click is written", async () => {
        await delay(250);
        return (await noted(sendIds)) === HITS;
      });
    });
    if (!isWarm) return;
    postgres[way].push(postgresMs / HITS);
    statements[way].push(roundTrips / HITS);
  }
  try {
    for (let index = 0; index <= rounds; index++) {
      const order = ["direct", "queue"] as const;
      for (const way of index % 2 === 0 ? order : order.toReversed()) await round(way, index > 0);
    }
  } finally {
    await direct.close();
  }
  const ratios = postgres.direct.map((ms, index) => ms / postgres.queue[index]!);
  console.log(`\n${HITS} clicks, ${APART_MS} ms apart, in turns, ${rounds} rounds: median (min-max) a hit
  as they come  ${range(postgres.direct, 2)} ms of Postgres, ${range(statements.direct, 2)} statements
  by the queue  ${range(postgres.queue, 2)} ms of Postgres, ${range(statements.queue, 2)} statements
  ratio         ${range(ratios, 1)}`);
}
