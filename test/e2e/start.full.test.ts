import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PAYMENT_ASSET } from "#src/domain/billing/wallet/prices.ts";
import { MERCHANT } from "../../scripts/stack/chain/accounts.ts";
import { findAnvil } from "../../scripts/stack/chain/anvil.ts";
import { patience } from "../support/patience.ts";
import { eventually } from "../support/service.ts";
import { type StartedStack, startedStack, workspaceOf } from "../support/started-stack.ts";

/** What happens to a stack between its first start and its end. */
let stack: StartedStack;
beforeAll(async () => {
  stack = await startedStack();
  await stack.start();
});
afterAll(() => stack?.close());

const workspaceId = async () => (await workspaceOf(stack.description())).id;

test("an idle week passes in under five seconds, and a restart keeps the workspace and does not turn the clock back", async () => {
  const { control_url: control } = stack.description();
  const workspace = await workspaceId();
  const startedAt = performance.now();
  const body = JSON.stringify({ advance_seconds: 7 * 86_400 });
  const moved = (await (await fetch(`${control}/clock`, { method: "POST", body })).json()) as {
    now: string;
  };
  expect(performance.now() - startedAt).toBeLessThan(patience(5_000));

  await stack.run("stop.ts");
  expect((await stack.start()).code).toBe(0);
  expect(await workspaceId()).toBe(workspace);
  const clock = (await (await fetch(`${stack.description().control_url}/clock`)).json()) as {
    now: string;
  };
  expect(clock.now > moved.now).toBe(true);
  const health = (await (await fetch(`${stack.description().base_url}/health`)).json()) as {
    timestamp: string;
  };
  expect(health.timestamp > moved.now).toBe(true);
});

test("the Worker's process may die: it is back at the same address", async () => {
  const { base_url: base } = stack.description();
  const worker = stack
    .processes()
    .find((line) => line.includes("workerd") && line.includes(" serve "));
  process.kill(Number(worker?.trim().split(" ")[0]), "SIGKILL");
  await eventually("it answers", async () => (await fetch(`${base}/health`).catch(() => null))?.ok);
});

test("killing the start process leaves nothing running, and the next start works", async () => {
  process.kill(stack.description().pid, "SIGKILL");
  expect(await stack.untilNoProcess()).toEqual([]);
  expect((await stack.start()).code).toBe(0);
  await workspaceId();
});

test("a fresh start has another workspace, and real time again", async () => {
  const before = await workspaceId();
  const refused = await stack.start("--fresh");
  expect(refused.code).toBe(1);
  await stack.run("stop.ts");
  expect((await stack.start("--fresh")).code).toBe(0);
  expect(await workspaceId()).not.toBe(before);
  const clock = (await (await fetch(`${stack.description().control_url}/clock`)).json()) as {
    offset_seconds: number;
  };
  expect(clock.offset_seconds).toBe(0);
});

test("without anvil the service is there and sells no calls", async () => {
  await stack.run("stop.ts");
  const started = await stack.runWith(
    { ANVIL_PATH: "/nowhere/anvil" },
    "start.ts",
    "--no-demo",
    "--background",
    `--port=${stack.port}`,
  );
  expect(started.code).toBe(0);
  expect(stack.startLog()).toContain("no anvil for this machine");
  expect(stack.description().chain).toBeNull();
  expect((await askForVerification()).status).toBe(503);
});

if (findAnvil() === null) console.log("the demo's paid call: not run (no anvil)");
test.runIf(findAnvil() !== null)(
  "the demo ends with one paid call: who paid what to whom",
  async () => {
    await stack.run("stop.ts");
    expect(
      (await stack.run("start.ts", "--background", "--fresh", `--port=${stack.port}`)).code,
    ).toBe(0);
    const { chain } = stack.description();
    expect(chain).toMatchObject({ chain_id: 8453, token: PAYMENT_ASSET, merchant: MERCHANT });
    expect((await askForVerification()).status).toBe(402);

    const isOver = () => /Read the messages|demo stopped/.test(stack.startLog());
    while (!isOver()) await delay(100);
    expect(stack.startLog()).toContain("1 answered (read in the sender's inbox)");
    expect(stack.startLog()).toContain("step 3: 10 sent");
    for (const place of ["spams.zz: spam", "tabs.zz: inbox, promotions", "defers.zz: waiting (451"])
      expect(stack.startLog()).toContain(`seed@${place}`);
    expect(stack.startLog()).toMatch(
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
  patience(150_000),
);

const askForVerification = () =>
  fetch(`${stack.description().base_url}/api/x402/v1/email/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "anna@corp.zz" }),
  });
