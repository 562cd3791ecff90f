import { execFile, execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PAYMENT_ASSET } from "#src/domain/wallet/prices.ts";
import { MERCHANT } from "../../scripts/stack/chain/accounts.ts";
import { findAnvil } from "../../scripts/stack/chain/anvil.ts";
import type { StackDescription } from "../../scripts/stack/running.ts";
import { reservePort } from "../../scripts/stack/ports.ts";

/** `npm start` and `npm run stop` as processes, with state of their own. */
const home = fs.mkdtempSync(path.join(os.tmpdir(), "overture-start-"));
const env = {
  ...process.env,
  DATABASE_URL: "",
  OVERTURE_LOCAL: path.join(home, "local"),
  OVERTURE_STATE_HOME: path.join(home, "state"),
};
let port: number;

beforeAll(async () => {
  // The database's own account has to pass through.
  fs.chmodSync(home, 0o755);
  port = await quietPort();
});

afterAll(async () => {
  await run("stop.ts");
  fs.rmSync(home, { recursive: true, force: true });
});

/** Below those that the system gives out by itself: nobody's connection is there a moment later. */
async function quietPort(): Promise<number> {
  for (;;) {
    const reserved = await reservePort(20_000 + Math.floor(Math.random() * 10_000));
    if (reserved === null) continue;
    await reserved.release();
    return reserved.port;
  }
}

function run(script: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  return runWith({}, script, ...args);
}

function runWith(
  more: Record<string, string>,
  script: string,
  ...args: string[]
): Promise<{ code: number | null; output: string }> {
  const file = path.resolve(import.meta.dirname, "../../scripts", script);
  const options = { env: { ...env, ...more } };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

const start = (...args: string[]) =>
  run("start.ts", "--no-demo", "--background", `--port=${port}`, ...args);

function description(): StackDescription {
  return JSON.parse(fs.readFileSync(path.join(env.OVERTURE_LOCAL, "stack.json"), "utf8"));
}

/** Processes of this test's stack, known by its folder or its address in their command line or environment. */
function processes(): string[] {
  const marks = [home, `PUBLIC_BASE_URL=http://127.0.0.1:${port}`];
  const lines = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => {
    const pid = line.trim().split(" ")[0] ?? "";
    const all = line + readQuietly(`/proc/${pid}/environ`);
    return !isOwn(Number(pid)) && marks.some((mark) => all.includes(mark));
  });
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

async function untilNoProcess(): Promise<string[]> {
  for (let round = 0; round < 100 && processes().length > 0; round++) await delay(50);
  return processes();
}

async function workspaceId(): Promise<string> {
  const { base_url: base, api_key: key } = description();
  const response = await fetch(`${base}/api/v1/auth/me`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  const me = (await response.json()) as {
    workspace: { id: string; plan: string; credits: number };
  };
  expect(me.workspace).toMatchObject({ plan: "paid", credits: 1000 });
  return me.workspace.id;
}

test("start brings the service up, a second start says where it is, and stop leaves nothing running", async () => {
  const first = await start();
  expect(first.output).toContain("API key   svc_live_");
  expect(first.code).toBe(0);
  const { base_url: base } = description();
  expect(base).toBe(`http://127.0.0.1:${port}`);
  expect((await fetch(`${base}/health`)).status).toBe(200);
  expect((await fetch(`${description().payments_url}/api/payments`)).status).toBe(200);
  const workspace = await workspaceId();

  const second = await start();
  expect(second.code).toBe(0);
  expect(second.output).toContain(`running already (process ${description().pid}): API ${base}`);

  expect((await run("stop.ts")).code).toBe(0);
  expect(await untilNoProcess()).toEqual([]);
  expect((await run("stop.ts")).output).toContain("not running");

  expect((await start()).code).toBe(0);
  expect(await workspaceId()).toBe(workspace);
});

test("an idle week passes in under five seconds, and a restart does not turn the clock back", async () => {
  const { control_url: control } = description();
  const startedAt = performance.now();
  const body = JSON.stringify({ advance_seconds: 7 * 86_400 });
  const moved = (await (await fetch(`${control}/clock`, { method: "POST", body })).json()) as {
    now: string;
  };
  expect(performance.now() - startedAt).toBeLessThan(5000);

  await run("stop.ts");
  expect((await start()).code).toBe(0);
  const clock = (await (await fetch(`${description().control_url}/clock`)).json()) as {
    now: string;
  };
  expect(clock.now > moved.now).toBe(true);
  const health = (await (await fetch(`${description().base_url}/health`)).json()) as {
    timestamp: string;
  };
  expect(health.timestamp > moved.now).toBe(true);
});

test("the Worker's process may die: it is back at the same address", async () => {
  const { base_url: base } = description();
  const worker = processes().find((line) => line.includes("workerd") && line.includes(" serve "));
  process.kill(Number(worker?.trim().split(" ")[0]), "SIGKILL");
  let status = 0;
  for (let round = 0; round < 100 && status !== 200; round++) {
    await delay(30);
    status = await fetch(`${base}/health`).then(
      (response) => response.status,
      () => 0,
    );
  }
  expect(status).toBe(200);
});

test("killing the start process leaves nothing running, and the next start works", async () => {
  process.kill(description().pid, "SIGKILL");
  expect(await untilNoProcess()).toEqual([]);
  expect((await start()).code).toBe(0);
  await workspaceId();
});

test("a fresh start has another workspace, and real time again", async () => {
  const before = await workspaceId();
  const refused = await start("--fresh");
  expect(refused.code).toBe(1);
  await run("stop.ts");
  expect((await start("--fresh")).code).toBe(0);
  expect(await workspaceId()).not.toBe(before);
  const clock = (await (await fetch(`${description().control_url}/clock`)).json()) as {
    offset_seconds: number;
  };
  expect(clock.offset_seconds).toBe(0);
});

test("without anvil the service is there and sells no calls", async () => {
  await run("stop.ts");
  const started = await runWith(
    { ANVIL_PATH: path.join(home, "none") },
    "start.ts",
    "--no-demo",
    "--background",
    `--port=${port}`,
  );
  expect(started.code).toBe(0);
  expect(startLog()).toContain("no anvil for this machine");
  expect(description().chain).toBeNull();
  expect((await askForVerification()).status).toBe(503);
});

if (findAnvil() === null) console.log("the demo's paid call: not run (no anvil)");
test.runIf(findAnvil() !== null)(
  "the demo ends with one paid call: who paid what to whom",
  async () => {
    await run("stop.ts");
    expect((await run("start.ts", "--background", "--fresh", `--port=${port}`)).code).toBe(0);
    const { chain } = description();
    expect(chain).toMatchObject({ chain_id: 8453, token: PAYMENT_ASSET, merchant: MERCHANT });
    expect((await askForVerification()).status).toBe(402);

    for (
      let round = 0;
      round < 1_000 && !/Read the messages|demo stopped/.test(startLog());
      round++
    )
      await delay(100);
    expect(startLog()).toContain("1 answered (read in the sender's inbox)");
    expect(startLog()).toContain("step 3: 10 sent");
    expect(startLog()).toMatch(
      new RegExp(
        [
          String.raw`POST /api/x402/v1/email/verify {"email":"anna@corp.zz"}`,
          String.raw`200 {"result":"valid","backend":"smtp"}`,
          `${chain?.buyer.address} paid 0.005000 USDC to ${MERCHANT}`,
          "on eip155:8453, transaction 0x[0-9a-f]{64}",
          "buyer     100.000000 USDC -> 99.995000 USDC",
          "merchant  0.000000 USDC -> 0.005000 USDC",
        ].join(String.raw`\n\s+`),
      ),
    );
  },
  150_000,
);

const startLog = () => fs.readFileSync(path.join(env.OVERTURE_LOCAL, "start.log"), "utf8");

const askForVerification = () =>
  fetch(`${description().base_url}/api/x402/v1/email/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "anna@corp.zz" }),
  });
