import { type ChildProcess, spawn } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { tieToThisProcess } from "../lifeline.ts";

export interface Anvil {
  rpcUrl: string;
  close(): Promise<void>;
}

const START_LIMIT_MS = 20_000;

/** ANVIL_PATH, or the package of this platform; null where there is none. */
export function findAnvil(): string | null {
  const given = process.env["ANVIL_PATH"];
  if (given !== undefined) return fs.existsSync(given) ? given : null;
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  try {
    const { resolve } = createRequire(import.meta.url);
    return resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`);
  } catch {
    return null;
  }
}

/** An empty chain with Base's id that mines each transaction at once. It ends soon after this process does. */
export async function startAnvil(binary: string, port: number): Promise<Anvil> {
  const args = ["--port", String(port), "--chain-id", "8453", "--host", "127.0.0.1"];
  const child = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const untie = child.pid === undefined ? () => {} : tieToThisProcess(child.pid, binary);
  void ended.then(untie);
  const close = async () => {
    child.kill("SIGTERM");
    const limit = setTimeout(() => child.kill("SIGKILL"), 3_000);
    await ended;
    clearTimeout(limit);
  };
  try {
    return { rpcUrl: `http://${await listeningAddress(child)}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** As it says itself: with port 0 the system has chosen. */
async function listeningAddress(child: ChildProcess): Promise<string> {
  const outcome = Promise.withResolvers<string>();
  const limit = setTimeout(() => outcome.reject(new Error("anvil did not start")), START_LIMIT_MS);
  const recent: string[] = [];
  child.once("error", (error) => outcome.reject(error));
  child.once("exit", () => outcome.reject(new Error(`anvil ended: ${recent.join(" ")}`)));
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream as NodeJS.ReadableStream }).on("line", (line) => {
      if (recent.push(line) > 10) recent.shift();
      const address = /Listening on (\S+)/.exec(line)?.[1];
      if (address !== undefined) outcome.resolve(address);
    });
  return outcome.promise.finally(() => clearTimeout(limit));
}
