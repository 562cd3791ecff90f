import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { RunEvent } from "./event-reporter.ts";

export interface Run {
  events: RunEvent[];
  /** Ended by us: `file` was under way. */
  cutShort?: { file: string | undefined; why: "stuck" | "bound" };
  /** What vitest said, for a run that says nothing else. */
  output: string;
  ms: number;
}

export interface RunOptions {
  folder: string;
  /** In the order in which they are to run, within each kind. */
  files: readonly string[];
  env?: Record<string, string>;
  /** Stop at the first test that fails. */
  bail: boolean;
  boundMs: number;
  /** No file may take longer than this. */
  fileBoundMs(file: string): number;
  /** Test files run side by side. */
  workers?: number;
}

let runs = 0;

/** One run of vitest in a scratch tree. */
export async function runTests(options: RunOptions): Promise<Run> {
  const { folder, files, bail, boundMs } = options;
  const name = path.join(folder, ".local", `mutate-${process.pid}-${(runs += 1)}`);
  fs.mkdirSync(path.dirname(name), { recursive: true });
  const [eventsFile, orderFile] = [`${name}.events`, `${name}.order`];
  fs.writeFileSync(eventsFile, "");
  fs.writeFileSync(orderFile, JSON.stringify(files));
  const startedAt = performance.now();
  const child = spawn(
    path.join(folder, "node_modules/.bin/vitest"),
    [
      "run",
      "--config=scripts/mutate/vitest.config.ts",
      "--reporter=default",
      `--reporter=${folder}/scripts/mutate/event-reporter.ts`,
      ...(bail ? ["--bail=1"] : []),
      ...(options.workers ? [`--maxWorkers=${options.workers}`] : []),
      ...files,
    ],
    {
      cwd: folder,
      // A group of its own, so that all it started ends with it.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        ...options.env,
        OVERTURE_MUTATE_EVENTS: eventsFile,
        OVERTURE_MUTATE_ORDER: orderFile,
      },
    },
  );
  const end = () => endGroup(child.pid!);
  process.once("exit", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (output = `${output}${chunk}`.slice(-20_000)));
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    child.once("error", (error) => ((output += error.message), (isOver = true), resolve()));
    child.once("close", () => ((isOver = true), resolve()));
  });
  const events = () =>
    fs
      .readFileSync(eventsFile, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as RunEvent);
  let cutShort: Run["cutShort"];
  let seen = 0;
  let movedAt = performance.now();
  while (!isOver) {
    await Promise.race([over, delay(500)]);
    const now = performance.now();
    const soFar = events();
    if (soFar.length > seen) [seen, movedAt] = [soFar.length, now];
    const file = underWay(soFar);
    const isStuck = now - movedAt > (file === undefined ? 120_000 : options.fileBoundMs(file));
    if (isOver || (!isStuck && now - startedAt < boundMs)) continue;
    cutShort = { file, why: isStuck && file !== undefined ? "stuck" : "bound" };
    end();
    await over;
  }
  process.removeListener("exit", end);
  end();
  const run: Run = { events: events(), output, ms: performance.now() - startedAt };
  for (const file of [eventsFile, orderFile]) fs.rmSync(file, { force: true });
  return cutShort ? { ...run, cutShort } : run;
}

function underWay(events: RunEvent[]): string | undefined {
  const ended = new Set(events.flatMap((event) => (event.kind === "ended" ? [event.file] : [])));
  return events.flatMap((event) =>
    event.kind === "began" && !ended.has(event.file) ? [event.file] : [],
  )[0];
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
