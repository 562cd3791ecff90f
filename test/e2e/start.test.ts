import * as fs from "node:fs";
import * as path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { claimFolder, stateFolder } from "../../scripts/stack/postgres-folders.ts";
import { type StartedStack, startedStack, workspaceOf } from "../support/started-stack.ts";

let stack: StartedStack;
beforeAll(async () => {
  stack = await startedStack();
});
afterAll(() => stack?.close());

/** What a start kept, with the clock a day ahead. */
function keptState(): { files(): Record<string, string> } {
  const folder = path.join(stack.env["OVERTURE_LOCAL"]!, "state");
  fs.mkdirSync(path.join(folder, "zones"), { recursive: true });
  fs.writeFileSync(path.join(folder, "clock.json"), JSON.stringify({ offset_ms: 86_400_000 }));
  fs.writeFileSync(path.join(folder, "zones/kept.zone"), "kept");
  const names = () => fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  const read = (name: string) => {
    const file = path.join(folder, name);
    return fs.statSync(file).isFile() ? fs.readFileSync(file, "utf8") : "";
  };
  return { files: () => Object.fromEntries(names().map((name) => [name, read(name)])) };
}

test("a fresh start takes nothing from a start that is under way", async () => {
  const kept = keptState();
  const before = kept.files();
  vi.stubEnv("OVERTURE_STATE_HOME", stack.env["OVERTURE_STATE_HOME"]);
  const other = claimFolder(stateFolder(), "dev", false);
  try {
    const { code, output } = await stack.run("start.ts", "--no-demo", "--fresh");
    expect(output).toContain(`in use by process ${process.pid}`);
    expect(code).toBe(1);
    expect(kept.files()).toEqual(before);
  } finally {
    other.release();
    vi.unstubAllEnvs();
  }
});

test("start brings the service up, a second start says where it is, and stop leaves nothing running", async () => {
  keptState();
  const first = await stack.start("--fresh");
  expect(fs.existsSync(path.join(stack.env["OVERTURE_LOCAL"]!, "state/zones/kept.zone"))).toBe(
    false,
  );
  expect(first.output).toContain("API key   svc_live_");
  expect(first.code).toBe(0);
  const { base_url: base, payments_url: payments, control_url: control, pid } = stack.description();
  expect(await (await fetch(`${control}/clock`)).json()).toMatchObject({ offset_seconds: 0 });
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
