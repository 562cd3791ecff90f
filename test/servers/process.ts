import { type ChildProcess, execFile, spawn } from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { reservePort } from "../../scripts/stack/ports.ts";

export const run = promisify(execFile);

/** What a test of real servers needs and this machine lacks; empty where it can run. */
export function lacking(...programs: string[]): string[] {
  const found = (name: string) =>
    ["/usr/sbin", "/usr/bin", "/usr/local/bin"].some((folder) =>
      fs.existsSync(path.join(folder, name)),
    );
  return [
    ...programs.filter((name) => !found(name)),
    // Both keep mail under users of their own, which only root may become.
    ...(process.getuid?.() === 0 ? [] : ["the rights of root"]),
  ];
}

/** A folder that servers running as somebody else may go through. */
export function makeFolder(name: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `overture-${name}-`));
  fs.chmodSync(folder, 0o755);
  return folder;
}

export async function freePort(): Promise<number> {
  const reserved = await reservePort(0);
  if (reserved === null) throw new Error("no port is free");
  await reserved.release();
  return reserved.port;
}

export interface Running {
  close(): Promise<void>;
}

/** Starts a server in the foreground and waits until it answers; its log stands in the error where it does not. */
export async function startProcess(
  command: string,
  args: string[],
  { isUp, log }: { isUp(): Promise<boolean>; log: string },
): Promise<Running> {
  const child = spawn(command, args, { stdio: "ignore" });
  const close = () => ended(child);
  for (let tries = 0; tries < 300; tries += 1) {
    if (await isUp()) return { close };
    if (child.exitCode !== null) break;
    await delay(50);
  }
  await close();
  const words = fs.existsSync(log) ? fs.readFileSync(log, "utf8").slice(-4000) : "";
  throw new Error(`${command} does not answer: ${words}`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
}
