import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Binaries } from "./postgres-binaries.ts";
import type { Account } from "./postgres-folders.ts";

export const SUPERUSER = "overture";

export interface ServerFolder {
  /** Holds `data`, the log and the password. */
  path: string;
  account: Account | null;
}

export const dataFolder = (folder: ServerFolder) => path.join(folder.path, "data");

export function spawnAs(folder: ServerFolder) {
  return {
    // The checkout may be closed to the account.
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    ...folder.account,
  };
}

export function cannotRun(binary: string, error: Error): Error {
  return new Error(
    `The local Postgres cannot be run (${binary}: ${error.message}). ` +
      `Set DATABASE_URL to a Postgres 15 or newer whose user may create databases.`,
    { cause: error },
  );
}

/** Makes the data folder and writes a random password beside it; an interrupted run leaves no half-made folder. */
export async function initialise(
  folder: ServerFolder,
  binaries: Binaries,
  durable: boolean,
): Promise<void> {
  const unfinished = path.join(folder.path, "data.unfinished");
  const secret = path.join(folder.path, "password.initdb");
  const password = randomBytes(18).toString("base64url");
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  fs.writeFileSync(secret, password, { mode: 0o600 });
  if (folder.account) {
    for (const file of [unfinished, secret]) {
      fs.chownSync(file, folder.account.uid, folder.account.gid);
    }
  }
  try {
    await run(folder, binaries.initdb, [
      ...["-D", unfinished, "-U", SUPERUSER, `--pwfile=${secret}`, "-A", "password"],
      ...["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
      // The stored form of the password: one round suffices for a random secret on loopback, and a cleartext login
      // then costs the server microseconds.
      ...["-c", "scram_iterations=1", "--no-instructions"],
      ...(durable ? [] : ["--no-sync"]),
    ]);
    // Cleartext, because SCRAM in workerd costs some 40 ms of CPU per connection.
    const rules = "host all all 127.0.0.1/32 password\n";
    fs.writeFileSync(path.join(unfinished, "pg_hba.conf"), rules);
    fs.writeFileSync(passwordFile(folder), password, { mode: 0o600 });
    fs.renameSync(unfinished, dataFolder(folder));
  } finally {
    fs.rmSync(secret, { force: true });
  }
}

const passwordFile = (folder: ServerFolder) => path.join(folder.path, "password");

export function readPassword(folder: ServerFolder): string {
  return fs.readFileSync(passwordFile(folder), "utf8");
}

function run(folder: ServerFolder, binary: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, args, {
      ...spawnAs(folder),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    }
    child.on("error", (error) => reject(cannotRun(binary, error)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve();
      reject(cannotRun(binary, new Error(`it ended with ${signal ?? code}:\n${output.trim()}`)));
    });
  });
}
