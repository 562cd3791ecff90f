import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The account that runs Postgres when we are root, because Postgres refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

const CHECKOUT = fs.realpathSync(path.resolve(import.meta.dirname, "../.."));
const CHECKOUT_DIGEST = createHash("sha256").update(CHECKOUT).digest("hex").slice(0, 12);
const MOST_INSTANCES = 16;
const SHARED_MEMORY = "/dev/shm";
/** A run of all tests holds 0.5 GiB at most; containers often have 64 MiB. */
const MEMORY_NEEDED_BYTES = 2 * 1024 ** 3;

/** Null for an ordinary user, who runs Postgres as himself. */
export function databaseAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  return { uid: lookUpNobody("-u"), gid: lookUpNobody("-g") };
}

function lookUpNobody(kind: "-u" | "-g"): number {
  try {
    return Number.parseInt(execFileSync("id", [kind, "nobody"], { encoding: "utf8" }), 10);
  } catch {
    return 65534;
  }
}

/**
 * Where this checkout keeps its databases: `OVERTURE_STATE_HOME` if set, else `/var/lib/overture` as root and the
 * XDG state folder otherwise, and in it one folder per checkout path. As root it lies outside of any home, since
 * the database account could not enter a 0700 one.
 */
export function stateFolder(): string {
  const home = path.resolve(process.env["OVERTURE_STATE_HOME"] ?? defaultStateHome());
  const folder = path.join(home, CHECKOUT_DIGEST);
  try {
    makeEnterable(folder);
  } catch (error) {
    throw new Error(
      `Cannot create ${folder} for the database: ${(error as Error).message}. ` +
        `Set OVERTURE_STATE_HOME to a folder that can be written, or DATABASE_URL to a running Postgres.`,
      { cause: error },
    );
  }
  return folder;
}

/** The same in memory, where the machine has room for it: a database's thousand small files are copied and dropped there in an eighth of the time. */
export function memoryFolder(): string | null {
  if (process.env["OVERTURE_STATE_HOME"] !== undefined) return null;
  try {
    const { bavail, bsize } = fs.statfsSync(SHARED_MEMORY);
    if (bavail * bsize < MEMORY_NEEDED_BYTES) return null;
    const folder = path.join(SHARED_MEMORY, `overture-${process.getuid?.()}`, CHECKOUT_DIGEST);
    makeEnterable(folder);
    return folder;
  } catch {
    return null;
  }
}

function defaultStateHome(): string {
  if (process.getuid?.() === 0) return "/var/lib/overture";
  const xdg = process.env["XDG_STATE_HOME"];
  return path.join(xdg ? xdg : path.join(os.homedir(), ".local", "state"), "overture");
}

/** Creates the missing folders so that others may pass through them, whatever the umask. */
export function makeEnterable(folder: string): void {
  const first = fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (first === undefined) return;
  for (let at = folder; at.length >= first.length; at = path.dirname(at)) fs.chmodSync(at, 0o755);
}

export interface ClaimedFolder {
  path: string;
  release(): void;
}

/**
 * Takes `<state>/<instance>` for this process. The claim is the lock of a SQLite file, which the operating system
 * drops when the process ends in whatever way, so no stale claim can exist. With `orNext` a taken folder makes way
 * for `<instance>-2` and so on; otherwise it is an error that names the holder.
 */
export function claimFolder(state: string, instance: string, orNext: boolean): ClaimedFolder {
  for (let number = 1; number <= (orNext ? MOST_INSTANCES : 1); number++) {
    const folder = path.join(state, number === 1 ? instance : `${instance}-${number}`);
    makeEnterable(folder);
    const lock = tryLock(path.join(folder, "claim"));
    if (lock === null) continue;
    fs.writeFileSync(path.join(folder, "holder"), `${process.pid}\n`);
    return { path: folder, release: () => lock.close() };
  }
  const holder = readText(path.join(state, instance, "holder"))?.trim() ?? "unknown";
  throw new Error(
    `The "${instance}" database of this checkout is in use by process ${holder}; stop that one first.`,
  );
}

function tryLock(file: string): DatabaseSync | null {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec("begin exclusive");
    return lock;
  } catch (error) {
    lock?.close();
    const busy = (error as { errcode?: number }).errcode === 5;
    if (busy) return null;
    throw error;
  }
}

export function readText(file: string): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
