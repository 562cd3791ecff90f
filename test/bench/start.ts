import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import { createInterface } from "node:readline";
import { rootFolder } from "../../scripts/command.ts";
import { bundleWorker, WORKER_ENTRY } from "../../scripts/stack/bundle.ts";
import { readCompatibility } from "../../scripts/stack/workerd-config.ts";
import { workerdBinary } from "../../scripts/stack/workerd.ts";
import { openInspector } from "./inspector.ts";
import { processorMs } from "./meters.ts";
import { range } from "./report.ts";

/** What the inspector's profiler answers (https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile), as far as it is read. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  /** Microseconds. */
  timeDeltas: number[];
}

const SAMPLING_US = 50;
const EMPTY = `import { Hono } from "hono";
const app = new Hono();
app.get("/", (c) => c.text("ok"));
export default app;`;

/**
 * Processor time of a start: what the runtime does to load and evaluate the bundle, as the sum of the samples of its
 * profile that are not idle. In turns with an empty Hono Worker, and with another bundle where one is given.
 */
export async function benchStart(rounds: number, other: string | undefined): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "overture-start-"));
  const bundles = {
    "an empty Hono Worker": await emptyWorker(folder),
    ...(other === undefined ? {} : { [other]: other }),
    "the Worker": (await bundleWorker(WORKER_ENTRY)).file,
  };
  const taken = Object.entries(bundles).map(([name, file]) => ({
    name,
    file,
    sampled: [] as number[],
    used: [] as number[],
  }));
  try {
    for (let round = 0; round < rounds; round++)
      for (const { file, sampled, used } of taken) {
        const { profile, cpuMs } = await profileStart(file, folder);
        sampled.push(activeMs(profile));
        used.push(cpuMs);
      }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  console.log(
    `\nStart, ${rounds} rounds in turns, median (min-max): samples of the profile that are not idle, which count the time that other processes take from it; processor time of the runtime, profiler included`,
  );
  const [least] = taken;
  for (const { name, sampled, used } of taken) {
    const times = (sum(sampled) / sum(least!.sampled)).toFixed(0);
    console.log(
      `  ${name}: ${range(sampled, 1)} ms (${times} times the first), ${range(used, 1)} ms of processor`,
    );
  }
  if (other === undefined) return;
  const [before, now] = [taken[1]!.used, taken[2]!.used];
  const ratios = now.map((ms, round) => ms / before[round]!);
  console.log(`  the Worker beside ${other}, processor time pair by pair: ${range(ratios, 2)}`);
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

async function emptyWorker(folder: string): Promise<string> {
  const require = createRequire(createRequire(import.meta.url).resolve("wrangler"));
  const { build } = (await import(require.resolve("esbuild"))) as typeof import("esbuild");
  const outfile = path.join(folder, "empty.js");
  const stdin = { contents: EMPTY, resolveDir: rootFolder };
  await build({ stdin, outfile, bundle: true, minify: true, format: "esm" });
  return outfile;
}

function activeMs({ nodes, samples, timeDeltas }: Profile): number {
  const idle = nodes.find(({ callFrame }) => callFrame.functionName === "(idle)")?.id;
  return timeDeltas.reduce((sum, us, index) => sum + (samples[index] === idle ? 0 : us), 0) / 1000;
}

/** The bundle is no main module but imported by a request, so that the profiler runs before it is evaluated. */
async function profileStart(
  bundle: string,
  folder: string,
): Promise<{ profile: Profile; cpuMs: number }> {
  fs.copyFileSync(bundle, path.join(folder, "worker.js"));
  fs.writeFileSync(path.join(folder, "config.capnp"), configuration());
  const args = [
    "serve",
    path.join(folder, "config.capnp"),
    "--control-fd=3",
    "--inspector-addr=127.0.0.1:0",
  ];
  const child = spawn(workerdBinary(), args, { stdio: ["ignore", "ignore", "inherit", "pipe"] });
  try {
    const ports = await listening(child.stdio[3] as NodeJS.ReadableStream);
    const inspector = await openInspector(ports["inspector"]!);
    await inspector.ask("Profiler.enable");
    await inspector.ask("Profiler.setSamplingInterval", { interval: SAMPLING_US });
    await inspector.ask("Profiler.start");
    const before = processorMs(child.pid!);
    const answer = await (await fetch(`http://127.0.0.1:${ports["http"]}/`)).text();
    if (answer !== "started") throw new Error(answer);
    const cpuMs = processorMs(child.pid!) - before;
    const { profile } = (await inspector.ask("Profiler.stop")) as { profile: Profile };
    inspector.close();
    return { profile, cpuMs };
  } finally {
    child.kill("SIGKILL");
  }
}

function configuration(): string {
  const { date, flags } = readCompatibility();
  const starter = `export default { async fetch() { await import("./worker.js"); return new Response("started"); } }`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [
    (name = "starter.js", esModule = ${JSON.stringify(starter)}),
    (name = "worker.js", esModule = embed "worker.js")
  ],
  compatibilityDate = ${JSON.stringify(date)},
  compatibilityFlags = ${JSON.stringify(flags)}
);
`;
}

/** The ports of the server and of its inspector, as the runtime announces them. */
async function listening(control: NodeJS.ReadableStream): Promise<Record<string, number>> {
  const ports: Record<string, number> = {};
  for await (const line of createInterface({ input: control })) {
    const { event, socket, port } = JSON.parse(line) as Record<string, string | number>;
    if (event === "listen-inspector") ports["inspector"] = Number(port);
    if (event === "listen") ports[String(socket)] = Number(port);
    if (ports["http"] !== undefined && ports["inspector"] !== undefined) break;
  }
  return ports;
}
