import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rootFolder } from "../../../scripts/command.ts";
import { runProgram } from "../../support/run-script.ts";

let local: string;
beforeEach(() => {
  local = fs.mkdtempSync(path.join(os.tmpdir(), "overture-running-"));
});
afterEach(() => fs.rmSync(local, { recursive: true, force: true }));

test("a killed stack's number that another checkout's start has by now is not this one's to stop", async () => {
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "start.ts"]);
  try {
    await new Promise((resolve) => other.once("spawn", resolve));
    const left = { pid: other.pid, pid_started: "before that" };
    fs.writeFileSync(path.join(local, "stack.json"), JSON.stringify(left));
    const stop = path.join(rootFolder, "scripts/stop.ts");
    const env = { ...process.env, OVERTURE_LOCAL: local };
    const { output } = await runProgram(process.execPath, [stop], env);
    expect(output).toBe("Overture is not running.\n");
    expect([other.exitCode, other.signalCode]).toEqual([null, null]);
  } finally {
    other.kill("SIGKILL");
  }
});
