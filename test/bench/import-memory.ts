// Memory and time of a CSV import. Run: node test/bench/import-memory.ts [rows...] (Node 24).
// The database gateway is a process of its own, so that what is measured is the importing one.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createDb } from "#db/base/client.ts";
import { insertDataset } from "#db/people/datasets.ts";
import type { Deps } from "#src/deps.ts";
import { exportLeads } from "#src/domain/people/leads/export-leads.ts";
import { importLeads } from "#src/domain/people/leads/import-leads.ts";
import { importCsv } from "#src/domain/people/leads/import-csv.ts";
import { createIds } from "#src/platform/ids.ts";
import { systemClock, systemRandomBytes } from "#src/platform/system.ts";
import { migrate, MIGRATIONS_FOLDER } from "../../scripts/apply-migrations.ts";
import { startNeonGateway } from "../../scripts/stack/neon.ts";
import { startPostgres } from "../../scripts/stack/postgres.ts";
import { migratedDatabase } from "../../scripts/stack/template-database.ts";

if (process.argv[2] === "gateway") {
  const postgres = JSON.parse(process.argv[3]!) as { host: string; port: number };
  process.send!((await startNeonGateway({ postgres })).url);
  process.on("disconnect", () => process.exit());
} else {
  await measure(process.argv.slice(2).map(Number));
}

async function measure(asked: number[]): Promise<void> {
  const sizes = asked.length > 0 ? asked : [1_000, 10_000, 100_000];
  const server = await startPostgres({ instance: "bench-import", durable: false });
  const url = await migratedDatabase(server, {
    name: "bench_import",
    migrationsFolder: MIGRATIONS_FOLDER,
    migrate,
  });
  const { host, port } = server;
  const gateway = fork(import.meta.filename, ["gateway", JSON.stringify({ host, port })]);
  const [gatewayUrl] = (await once(gateway, "message")) as [string];
  const ids = createIds(systemClock, systemRandomBytes);
  const deps = {
    db: createDb({ url, localGateway: new URL(gatewayUrl).host }),
    clock: systemClock,
    ids,
    background: (work: Promise<unknown>) => void work,
  } as unknown as Deps;
  const principal = {
    workspaceId: ids.uuid(),
    userId: ids.uuid(),
    plan: "paid",
    role: "owner",
    via: "key",
    actor: "key:of a test",
    scopes: null,
    confirm: "human",
  } as const;
  const newDataset = async () => {
    const owner = { id: ids.uuid(), ...principal, now: systemClock.now() };
    const { id, workspaceId, userId, now } = owner;
    return (await insertDataset(deps.db, { id, workspaceId, userId, now }, "Bench")).id;
  };
  await importCsv(importLeads, deps, principal, await newDataset(), csvOf(1_000), {});
  for (const rows of sizes) {
    const datasetId = await newDataset();
    for (const kind of ["create", "update"]) {
      const peak = watchMemory();
      const startedAt = performance.now();
      const { created, updated } = await importCsv(
        importLeads,
        deps,
        principal,
        datasetId,
        csvOf(rows),
        {},
      );
      const seconds = (performance.now() - startedAt) / 1000;
      report(kind, rows, created + updated, seconds, peak.stop());
    }
    const peak = watchMemory();
    const startedAt = performance.now();
    let characters = 0;
    for await (const piece of await exportLeads(deps, principal, datasetId))
      characters += piece.length;
    report("export", rows, characters, (performance.now() - startedAt) / 1000, peak.stop());
  }
  gateway.disconnect();
  await server.close();
}

function report(kind: string, rows: number, done: number, seconds: number, peak: string): void {
  console.log(`${kind} ${rows} rows: ${done} in ${seconds.toFixed(1)} s, ${peak}`);
}

/** About 160 bytes a row, 64 KiB a piece. */
async function* csvOf(rows: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "email,first_name,last_name,company,title,profile_url,country,deal size,note\n";
  for (let n = 0; n < rows; n++) {
    text += `person${n}@company${n % 5000}.example.com,First${n},Last${n},Company ${n % 5000},Head of Things,https://profiles.example.com/in/person-${n},Germany,${n},"A note, with a comma"\n`;
    if (text.length < 65_536) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text);
}

function watchMemory(): { stop(): string } {
  globalThis.gc?.();
  const start = process.memoryUsage();
  let rss = start.rss;
  let heap = start.heapUsed;
  const timer = setInterval(() => {
    const now = process.memoryUsage();
    rss = Math.max(rss, now.rss);
    heap = Math.max(heap, now.heapUsed);
  }, 10);
  const inMib = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return {
    stop() {
      clearInterval(timer);
      return `RSS ${inMib(start.rss)} -> ${inMib(rss)} MiB, heap at most ${inMib(heap)} MiB`;
    },
  };
}
