// Memory of the Worker while it imports a sheet. Run: node test/bench/sheet-memory.ts [rows] (Node 24).
// The production bundle in workerd over the local stack; what is measured is workerd's own resident memory.
import * as fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { startTestService } from "../support/service.ts";

const rows = Number(process.argv[2] ?? 100_000);
const service = await startTestService();
try {
  for (const kind of ["rows", "public-rows"]) {
    // What a first import loads for good is no part of a later one's peak.
    await importOf(`local-${kind}-6000`);
    const idle = await settledRss();
    const startedAt = performance.now();
    const { peak, steps } = await importOf(`local-${kind}-${rows}`);
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(
      `${kind}: ${rows} rows in ${seconds.toFixed(1)} s, workerd ${idle} MiB idle, ${peak} MiB at most (+${peak - idle}), progress seen ${steps} times`,
    );
  }
} finally {
  await service.close();
}

/** Imports it into a new dataset, watching; how often the dataset showed another number of rows. */
async function importOf(sheet: string): Promise<{ peak: number; steps: number }> {
  const { id } = (await service.api("POST", "/api/v1/datasets", { name: sheet })) as { id: string };
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, rss());
  }, 5);
  const sheet_url = `https://docs.google.com/spreadsheets/d/${sheet}/edit`;
  await service.api("POST", `/api/v1/datasets/${id}/import`, { sheet_url });
  const seen = new Set<number>();
  for (;;) {
    const dataset = (await service.api("GET", `/api/v1/datasets/${id}`)) as {
      status: string;
      row_count: number;
      error: string | null;
      import_progress: { rows_read: number } | null;
    };
    if (dataset.import_progress !== null) seen.add(dataset.import_progress.rows_read);
    if (dataset.status === "failed") throw new Error(dataset.error ?? "failed");
    if (dataset.status === "ready" && dataset.row_count > 0) break;
    await delay(200);
  }
  clearInterval(timer);
  return { peak, steps: seen.size };
}

/** MiB of the Worker's process (Linux). */
function rss(): number {
  const status = fs.readFileSync(`/proc/${service.worker().pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

async function settledRss(): Promise<number> {
  await delay(3_000);
  return rss();
}
