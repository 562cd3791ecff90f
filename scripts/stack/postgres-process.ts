import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { createServer } from "node:net";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Binaries } from "./postgres-binaries.ts";
import { readText } from "./postgres-folders.ts";
import { cannotRun, dataFolder, type ServerFolder, spawnAs } from "./postgres-initdb.ts";
import { EPHEMERAL_SETTINGS, SETTINGS } from "./postgres-settings.ts";

const START_LIMIT_MS = 120_000;
const POLL_MS = 10;
/** How long each way of stopping is given: fast shutdown, immediate shutdown, kill. */
const STOP_STEPS: readonly [NodeJS.Signals, number][] = [
  ["SIGINT", 15_000],
  ["SIGQUIT", 5_000],
  ["SIGKILL", 5_000],
];

export interface Server {
  port: number;
  stop(): Promise<void>;
}

const MOST_ATTEMPTS = 20;
/** A server that was killed as often within so long is not started again: something is wrong with it. */
const MOST_REVIVALS = 5;
const REVIVALS_MS = 60_000;

/**
 * Starts the server on a free port of loopback. It ends by itself soon after this process does, however that ends, and
 * is started again at its port where it ends before: whatever holds its address goes on after a pause.
 */
export async function startServer(
  folder: ServerFolder,
  binaries: Binaries,
  durable: boolean,
): Promise<Server> {
  let isStopped = false;
  let deaths: number[] = [];
  let running = await launchPatiently(folder, binaries, durable);
  let reviving: Promise<void> | null = null;

  function watch({ ended }: Launched): void {
    void ended.then(() => {
      if (!isStopped) reviving = revive().catch(() => {});
    });
  }

  async function revive(): Promise<void> {
    const now = performance.now();
    deaths = [...deaths.filter((at) => now - at < REVIVALS_MS), now];
    if (deaths.length > MOST_REVIVALS) return;
    await clearStaleServer(folder);
    if (isStopped) return;
    running = await launchPatiently(folder, binaries, durable, running.port);
    watch(running);
  }

  watch(running);
  return {
    port: running.port,
    async stop() {
      isStopped = true;
      await reviving;
      await running.stop();
    },
  };
}

async function launchPatiently(
  folder: ServerFolder,
  binaries: Binaries,
  durable: boolean,
  port?: number,
): Promise<Launched> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(folder, binaries, durable, port ?? (await findFreePort()));
    } catch (error) {
      // Another program took the port between our look and the server's, or backends of a killed server are still leaving.
      const passing = /could not bind|pre-existing shared memory/.test((error as Error).message);
      if (!passing || attempt === MOST_ATTEMPTS) throw error;
      await delay(200);
    }
  }
}

interface Launched extends Server {
  /** Resolves with how it ended. */
  ended: Promise<string>;
}

async function launch(
  folder: ServerFolder,
  binaries: Binaries,
  durable: boolean,
  port: number,
): Promise<Launched> {
  const data = dataFolder(folder);
  const settings = { ...SETTINGS, ...(durable ? {} : EPHEMERAL_SETTINGS), port: String(port) };
  const logFile = path.join(folder.path, "postgres.log");
  const log = fs.openSync(logFile, "w");
  // Detached, or a Ctrl-C in the terminal would stop it before its clients.
  const child = spawn(
    binaries.postgres,
    [
      "-D",
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { ...spawnAs(folder), stdio: ["ignore", log, log], detached: true },
  );
  fs.closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(cannotRun(binaries.postgres, error).message));
    child.on("exit", (code, signal) => resolve(`it ended with ${signal ?? code}`));
  });
  let why: string | null = null;
  void ended.then((reason) => (why = reason));
  const deadline = performance.now() + START_LIMIT_MS;
  while (readStatus(data, child.pid) !== "ready") {
    if (why !== null || performance.now() > deadline) {
      child.kill("SIGKILL");
      const tail = (readText(logFile) ?? "").trim().split("\n").slice(-15).join("\n");
      throw new Error(
        `Postgres did not start: ${why ?? "no answer in time"}. ${logFile}:\n${tail}`,
      );
    }
    await delay(POLL_MS);
  }
  const watcher = watchOverParent(folder, child.pid ?? 0);
  // Neither keeps this process alive: if it ends without stop(), the watcher stops the server.
  child.unref();
  return {
    port,
    ended,
    async stop() {
      child.ref();
      await stopInSteps((signal) => child.kill(signal), ended);
      watcher.stdin?.destroy();
    },
  };
}

/** The eighth line of postmaster.pid is the server's own word on its state. */
function readStatus(data: string, pid: number | undefined): string | null {
  const lines = readText(path.join(data, "postmaster.pid"))?.split("\n");
  return lines !== undefined && Number(lines[0]) === pid ? (lines[7]?.trim() ?? null) : null;
}

/**
 * A shell that waits for its standard input to end, which the system sees to when this process ends, even by
 * kill -9, and then asks the server for a fast shutdown, if the server is still the one it was started for.
 */
function watchOverParent(folder: ServerFolder, pid: number): ChildProcess {
  const script =
    'read -r _; read -r pid < "$1/postmaster.pid" && [ "$pid" = "$2" ] && kill -INT "$pid"';
  const watcher = spawn("/bin/sh", ["-c", script, "sh", dataFolder(folder), String(pid)], {
    ...spawnAs(folder),
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.on("error", () => {});
  watcher.unref();
  (watcher.stdin as unknown as { unref?(): void } | null)?.unref?.();
  return watcher;
}

async function stopInSteps(
  kill: (signal: NodeJS.Signals) => void,
  ended: Promise<unknown>,
): Promise<void> {
  for (const [signal, limitMs] of STOP_STEPS) {
    kill(signal);
    const limit = new AbortController();
    const outcome = await Promise.race([
      ended.then(() => "ended"),
      delay(limitMs, "late", { signal: limit.signal, ref: true }),
    ]);
    limit.abort();
    if (outcome === "ended") return;
  }
}

/**
 * Makes way for a new server in a folder that we hold the claim on: a server of a process that was killed is
 * stopped, and a postmaster.pid whose process is gone, or is by now some other program, is removed. Whether the
 * process is ours is told by its command line, which names the data folder.
 */
export async function clearStaleServer(folder: ServerFolder): Promise<void> {
  const data = dataFolder(folder);
  const pidFile = path.join(data, "postmaster.pid");
  const pid = Number.parseInt(readText(pidFile) ?? "", 10);
  if (Number.isNaN(pid)) return;
  if (isServerOf(pid, data)) {
    await stopInSteps((signal) => signalQuietly(pid, signal), untilGone(pid, data));
  }
  fs.rmSync(pidFile, { force: true });
}

async function untilGone(pid: number, data: string): Promise<void> {
  const deadline = performance.now() + STOP_STEPS.reduce((sum, [, limitMs]) => sum + limitMs, 0);
  while (isServerOf(pid, data) && performance.now() < deadline) await delay(POLL_MS);
}

function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function isServerOf(pid: number, data: string): boolean {
  if (!signalQuietly(pid, 0)) return false;
  const listed = readText(`/proc/${pid}/cmdline`);
  if (listed !== null) return listed.split("\0").includes(data);
  try {
    return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).includes(
      data,
    );
  } catch {
    return false;
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
