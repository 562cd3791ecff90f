import { spawn, type ChildProcess } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { createInterface } from "node:readline";
import { tieToThisProcess } from "./lifeline.ts";
import { warpOffsetMs } from "./warp.ts";
import { workerdConfig } from "./workerd-config.ts";

export interface WorkerdOptions {
  /** The file of a bundle. */
  bundle: string;
  /** The Worker's bindings, all of them text. */
  env: Record<string, string>;
  /** 0, the default, lets the system choose. */
  port?: number;
  eventsPort?: number;
  /** Where the static files are, and which paths they have. */
  assets?: { address: string; paths: string[] };
  /** A queue's binding, and host:port of who takes its messages. */
  queue?: { binding: string; address: string } | undefined;
  /** Bindings of other Workers, and host:port of each. */
  services?: Record<string, string>;
  /** PEM of authorities to trust besides the usual ones. */
  caCertificates?: string[];
  /** How far the Worker's clock runs ahead at its start; by default as far as this process's own. */
  clockOffsetMs?: number;
  /** False for the bundle of `src/worker.ts` itself, which has no socket for events. */
  hasEvents?: boolean;
  /** Lets benchmarks look into the isolate (Chrome DevTools Protocol). */
  inspector?: boolean;
  /** Called with each line that the Worker logs or the runtime says. */
  onOutput?(line: string): void;
}

export interface Workerd {
  url: string;
  /** Where the stack reaches the Worker's events; null without `hasEvents`. */
  eventsUrl: string | null;
  /** Where the inspector listens; null without one. */
  inspectorPort: number | null;
  pid: number;
  /** Resolves when the process has ended, however that came. */
  ended: Promise<void>;
  /** Ends the process as a crash would. */
  kill(signal: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

const START_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 2_000;

/** workerd's own binary; its npm wrapper would be one more process. */
export function workerdBinary(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("wrangler"));
  const wrapper = require.resolve("workerd");
  const cpu = process.arch === "x64" ? "64" : process.arch;
  return createRequire(wrapper).resolve(
    `@cloudflare/workerd-${process.platform}-${cpu}/bin/workerd`,
  );
}

/** Serves a bundle with bare workerd on loopback. The process ends with this one. */
export async function startWorkerd(options: WorkerdOptions): Promise<Workerd> {
  const hasEvents = options.hasEvents ?? true;
  const env = {
    ...options.env,
    CLOCK_OFFSET_MS: String(options.clockOffsetMs ?? warpOffsetMs()),
    ASSET_PATHS: JSON.stringify(options.assets?.paths ?? []),
  };
  const configFile = writeConfig(options, hasEvents, Object.keys(env));
  const sockets = ["-s", `http=127.0.0.1:${options.port ?? 0}`];
  if (hasEvents) sockets.push("-s", `events=127.0.0.1:${options.eventsPort ?? 0}`);
  if (options.inspector) sockets.push("--inspector-addr=127.0.0.1:0");
  const binary = workerdBinary();
  const child = spawn(binary, ["serve", configFile, ...sockets, "--control-fd=3"], {
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    // Its own group: on Ctrl-C the stack ends it, after the parts that still call it.
    detached: true,
  });
  const recent: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream as NodeJS.ReadableStream }).on("line", (line) => {
      recent.push(line);
      if (recent.length > 30) recent.shift();
      options.onOutput?.(line);
    });
  }
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const untie = child.pid === undefined ? () => {} : tieToThisProcess(child.pid, configFile);
  void ended.then(untie);
  try {
    const wanted = [
      "http",
      ...(hasEvents ? ["events"] : []),
      ...(options.inspector ? ["inspector"] : []),
    ];
    const ports = await listeningPorts(child, wanted);
    return {
      url: `http://127.0.0.1:${ports["http"]}`,
      eventsUrl: hasEvents ? `http://127.0.0.1:${ports["events"]}` : null,
      inspectorPort: ports["inspector"] ?? null,
      pid: child.pid ?? 0,
      ended,
      async kill(signal) {
        child.kill(signal);
        await ended;
      },
      async close() {
        child.kill("SIGTERM");
        const limit = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
        await ended;
        clearTimeout(limit);
      },
    };
  } catch (error) {
    child.kill("SIGKILL");
    await ended;
    throw new Error(`workerd did not start: ${(error as Error).message}\n${recent.join("\n")}`, {
      cause: error,
    });
  } finally {
    fs.rmSync(configFile, { force: true });
  }
}

/** Beside the bundle, which it embeds by a relative path. */
function writeConfig(options: WorkerdOptions, hasEvents: boolean, bindings: string[]): string {
  const unique = `${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const file = path.join(path.dirname(options.bundle), `serve-${unique}.capnp`);
  const config = workerdConfig({
    bundle: options.bundle,
    bindings,
    assetsAddress: options.assets?.address,
    queue: options.queue,
    services: options.services,
    caCertificates: options.caCertificates ?? [],
    hasEvents,
  });
  fs.writeFileSync(file, config);
  return file;
}

/** Reads the runtime's own announcements, which name the port that each socket got. */
async function listeningPorts(
  child: ChildProcess,
  wanted: string[],
): Promise<Record<string, number>> {
  const ports: Record<string, number> = {};
  const control = child.stdio[3] as NodeJS.ReadableStream;
  const outcome = Promise.withResolvers<void>();
  const limit = setTimeout(
    () => outcome.reject(new Error(`no answer within ${START_LIMIT_MS / 1000} s`)),
    START_LIMIT_MS,
  );
  child.once("error", (error) => outcome.reject(error));
  child.once("exit", (code, signal) =>
    outcome.reject(new Error(`it ended with ${signal ?? `exit code ${code}`}`)),
  );
  createInterface({ input: control }).on("line", (line) => {
    const message = JSON.parse(line) as { event: string; socket: string; port: number };
    if (message.event === "listen") ports[message.socket] = message.port;
    if (message.event === "listen-inspector") ports["inspector"] = message.port;
    if (wanted.every((socket) => ports[socket] !== undefined)) outcome.resolve();
  });
  try {
    await outcome.promise;
    return ports;
  } finally {
    clearTimeout(limit);
  }
}
