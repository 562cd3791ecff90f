import { afterAll, beforeAll, expect, test } from "vitest";
import { type StartedStack, startedStack, workspaceOf } from "../support/started-stack.ts";

let stack: StartedStack;
beforeAll(async () => {
  stack = await startedStack();
});
afterAll(() => stack?.close());

test("start brings the service up, a second start says where it is, and stop leaves nothing running", async () => {
  const first = await stack.start();
  expect(first.output).toContain("API key   svc_live_");
  expect(first.code).toBe(0);
  const { base_url: base, payments_url: payments, pid } = stack.description();
  expect(base).toBe(`http://127.0.0.1:${stack.port}`);
  expect((await fetch(`${base}/health`)).status).toBe(200);
  expect((await fetch(`${payments}/api/payments`)).status).toBe(200);
  expect(await workspaceOf(stack.description())).toMatchObject({ plan: "paid", credits: 1000 });

  const second = await stack.start();
  expect(second.code).toBe(0);
  expect(second.output).toContain(`running already (process ${pid}): API ${base}`);

  expect((await stack.run("stop.ts")).code).toBe(0);
  expect(await stack.untilNoProcess()).toEqual([]);
  expect((await stack.run("stop.ts")).output).toContain("not running");
});
