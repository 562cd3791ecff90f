import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { binary, rootFolder, runCommand } from "../command.ts";

export interface Bundle {
  /** The one module that workerd loads. */
  file: string;
  /** False when an earlier build of the same source was taken. */
  built: boolean;
  seconds: number;
  bytes: number;
}

/** What a bundle is made of, apart from the entry's own folder. */
const SOURCES = [
  "src",
  "functions",
  "db",
  "package-lock.json",
  "wrangler.toml",
  "tsconfig.json",
  "tsconfig.base.json",
];
/** What is under it is no part of the Worker. */
const NOT_OF_THE_WORKER = path.join("src", "console") + path.sep;
const KEPT_BUILDS = 4;

/** The local entry: the Worker with a clock that can be moved. */
export const LOCAL_ENTRY = "scripts/stack/worker-entry.ts";
/** The Worker as it is deployed. */
export const WORKER_ENTRY = "src/worker.ts";

/** Bundles an entry as a deployment would, into `.local/worker/`; the same source is built once. */
export async function bundleWorker(entry: string): Promise<Bundle> {
  const startedAt = performance.now();
  const name = path.basename(entry, ".ts");
  const folder = path.join(rootFolder, ".local", "worker");
  const target = path.join(folder, `${name}-${hashSources(entry)}`);
  const file = path.join(target, `${name}.js`);
  const built = !fs.existsSync(file);
  if (built) {
    fs.mkdirSync(folder, { recursive: true });
    await build(entry, target);
    removeOldBuilds(folder, name);
  }
  fs.utimesSync(target, new Date(), new Date());
  const seconds = (performance.now() - startedAt) / 1000;
  return { file, built, seconds, bytes: fs.statSync(file).size };
}

async function build(entry: string, target: string): Promise<void> {
  const unfinished = `${target}.${process.pid}`;
  const meta = path.join(unfinished, "bundle-meta.json");
  const args = ["deploy", entry, "--dry-run", "--outdir", unfinished, "--metafile", meta];
  const result = await runCommand(binary("wrangler"), args, {
    env: {
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_SEND_ERROR_REPORTS: "false",
      WRANGLER_HIDE_BANNER: "true",
      WRANGLER_LOG_PATH: path.join(rootFolder, ".local", "wrangler.log"),
      // Nothing of the person's own account or home is read or written.
      XDG_CONFIG_HOME: path.join(rootFolder, ".local", "wrangler"),
      CI: "1",
      NO_COLOR: "1",
    },
  });
  if (result.code !== 0) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    throw new Error(
      `The Worker could not be bundled (wrangler deploy ${entry} --dry-run):\n${result.output.trim()}`,
    );
  }
  try {
    fs.renameSync(unfinished, target);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    // Another process finished the same build first.
    if (!fs.existsSync(target)) throw error;
  }
}

function hashSources(entry: string): string {
  const hash = createHash("sha256");
  const files = [...SOURCES, path.dirname(entry)]
    .flatMap((each) => listFiles(path.join(rootFolder, each)))
    .filter((file) => !path.relative(rootFolder, file).startsWith(NOT_OF_THE_WORKER));
  for (const file of [...new Set(files)].sort()) {
    hash
      .update(path.relative(rootFolder, file))
      .update("\0")
      .update(fs.readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

function listFiles(at: string): string[] {
  const stat = fs.statSync(at, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isFile()) return [at];
  return fs
    .readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function removeOldBuilds(folder: string, name: string): void {
  const builds = fs
    .readdirSync(folder)
    .filter(
      (each) => /^[0-9a-f]{16}$/.test(each.slice(name.length + 1)) && each.startsWith(`${name}-`),
    )
    .map((each) => ({
      path: path.join(folder, each),
      mtimeMs: fs.statSync(path.join(folder, each)).mtimeMs,
    }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  for (const old of builds.slice(KEPT_BUILDS))
    fs.rmSync(old.path, { recursive: true, force: true });
}
