/** `npm run stop`: ends the service of this checkout. */
import { setTimeout as delay } from "node:timers/promises";
import { findRunning, isRunning, removeDescription } from "./stack/running.ts";

const LIMIT_MS = 25_000;

const running = findRunning();
if (running === null) {
  removeDescription();
  console.log("Overture is not running.");
} else {
  process.kill(running.pid, "SIGTERM");
  const deadline = performance.now() + LIMIT_MS;
  while (isRunning(running) && performance.now() < deadline) await delay(50);
  if (isRunning(running)) {
    process.kill(running.pid, "SIGKILL");
    console.log(
      `Process ${running.pid} did not end in ${LIMIT_MS / 1000} s and was killed; its parts end with it.`,
    );
  } else {
    console.log("Stopped; the data stays for the next start.");
  }
  removeDescription();
}
