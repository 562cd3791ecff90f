import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { findRunning, localFolder } from "./stack/running.ts";
import { summary } from "./start-summary.ts";

/** Set in the process that stays: it does not end with the one that started it. */
export const BACKGROUND_VARIABLE = "OVERTURE_IN_BACKGROUND";

/** Starts a process that stays, and resolves when its service is up. Its output goes to `.local/start.log`. */
export async function startInBackground(args: string[]): Promise<void> {
  fs.mkdirSync(localFolder, { recursive: true });
  const logFile = path.join(localFolder, "start.log");
  const log = fs.openSync(logFile, "w", 0o600);
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "start.ts"), ...args], {
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
    env: { ...process.env, [BACKGROUND_VARIABLE]: "1" },
  });
  fs.closeSync(log);
  // Until it is up, a Ctrl-C here is meant for it.
  const cancel = () => child.kill("SIGTERM");
  process.once("SIGINT", cancel).once("SIGTERM", cancel);
  const isUp = await new Promise<boolean>((resolve) => {
    child.once("message", () => resolve(true));
    child.once("exit", () => resolve(false));
    child.once("error", () => resolve(false));
  });
  process.removeListener("SIGINT", cancel).removeListener("SIGTERM", cancel);
  const running = findRunning();
  if (!isUp || running === null) {
    throw new Error(
      `The service did not start. From ${logFile}:\n${fs.readFileSync(logFile, "utf8").trim()}`,
    );
  }
  child.disconnect();
  child.unref();
  console.log(summary(running));
  console.log(
    `Running in the background as process ${running.pid}; npm run stop ends it. Its log: ${logFile}`,
  );
}
