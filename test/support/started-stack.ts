import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { reservePort } from "../../scripts/stack/ports.ts";
import type { StackDescription } from "../../scripts/stack/running.ts";
import { rootFolder } from "../../scripts/command.ts";
import { type Ended, runProgram } from "./run-script.ts";

/** `npm start` and `npm run stop` as processes, with state of their own. */
export interface StartedStack {
  /** Without the demo, in the background, always at the same port. */
  start(...args: string[]): Promise<Ended>;
  run(script: string, ...args: string[]): Promise<Ended>;
  runWith(env: Record<string, string>, script: string, ...args: string[]): Promise<Ended>;
  port: number;
  env: Record<string, string | undefined>;
  description(): StackDescription;
  startLog(): string;
  /** Processes of this stack, known by its folder or its address in their command line or environment. */
  processes(): string[];
  untilNoProcess(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startedStack(): Promise<StartedStack> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "overture-start-"));
  // The database's own account has to pass through.
  fs.chmodSync(home, 0o755);
  const local = path.join(home, "local");
  const env = {
    ...process.env,
    DATABASE_URL: "",
    OVERTURE_LOCAL: local,
    OVERTURE_STATE_HOME: path.join(home, "state"),
  };
  const port = await quietPort();

  const runWith: StartedStack["runWith"] = (more, script, ...args) =>
    runProgram(process.execPath, [path.join(rootFolder, "scripts", script), ...args], {
      ...env,
      ...more,
    });
  const run: StartedStack["run"] = (script, ...args) => runWith({}, script, ...args);

  function processes(): string[] {
    const marks = [home, `PUBLIC_BASE_URL=http://127.0.0.1:${port}`];
    const lines = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
    return lines.filter((line) => {
      const pid = line.trim().split(" ")[0] ?? "";
      const all = line + readQuietly(`/proc/${pid}/environ`);
      return !isOwn(Number(pid)) && marks.some((mark) => all.includes(mark));
    });
  }

  return {
    start: (...args) => run("start.ts", "--no-demo", "--background", `--port=${port}`, ...args),
    run,
    runWith,
    port,
    env,
    description: () => JSON.parse(fs.readFileSync(path.join(local, "stack.json"), "utf8")),
    startLog: () => fs.readFileSync(path.join(local, "start.log"), "utf8"),
    processes,
    async untilNoProcess() {
      for (let round = 0; round < 100 && processes().length > 0; round++) await delay(50);
      return processes();
    },
    async close() {
      await run("stop.ts");
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Below those that the system gives out by itself: nobody's connection is there a moment later. */
async function quietPort(): Promise<number> {
  for (;;) {
    const reserved = await reservePort(20_000 + Math.floor(Math.random() * 10_000));
    if (reserved === null) continue;
    await reserved.release();
    return reserved.port;
  }
}

function isOwn(pid: number): boolean {
  return pid === process.pid || pid === process.ppid;
}

function readQuietly(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Of the workspace that begins with credits. */
export async function workspaceOf({ base_url: base, api_key: key }: StackDescription) {
  const response = await fetch(`${base}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { workspace } = (await response.json()) as {
    workspace: { id: string; plan: string; credits: number };
  };
  return workspace;
}
