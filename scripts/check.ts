/** `npm run check`: format, lint, types and drift, side by side; one line each, and the words of what failed. */
import { createHash } from "node:crypto";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { binary, rootFolder, runCommand, type CommandResult } from "./command.ts";

interface Check {
  name: string;
  run(): Promise<CommandResult>;
  /** What to do about a failure. */
  advice: string;
  /** All that its outcome depends on, where that is little: it is not made again while these files are as they were when it passed. */
  inputs?: string[];
}

/** Digests of what passed last, by the name of the check. */
const passedFile = join(rootFolder, ".local", "checked.json");

function digestOf(inputs: string[]): string {
  const digest = createHash("sha256").update(process.version);
  const files = globSync(["package-lock.json", "scripts/check.ts", ...inputs], {
    cwd: rootFolder,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.toSorted()) digest.update(file).update("\0").update(readFileSync(file));
  return digest.digest("hex");
}

function readPassed(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(passedFile, "utf8")) as Record<string, string>;
  } catch {
    return {};
  }
}

/** Lets drizzle-kit generate into a copy of the migrations: it says "No schema changes" when they are in step. */
async function checkMigrations(): Promise<CommandResult> {
  mkdirSync(join(rootFolder, ".local"), { recursive: true });
  // Inside the checkout, because drizzle-kit takes `out` as relative to it.
  const folder = mkdtempSync(join(rootFolder, ".local", "migrations-"));
  try {
    cpSync(join(rootFolder, "db/migrations"), folder, { recursive: true });
    const out = `./${folder.slice(rootFolder.length + 1)}`;
    const schema = "./db/schema/index.ts";
    const args = ["generate", "--dialect", "postgresql", "--schema", schema, "--out", out];
    const result = await runCommand(binary("drizzle-kit"), args);
    return { ...result, code: result.output.includes("No schema changes") ? result.code : 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What did not change since the last check is not looked at again: a third of the time, half after a change that many import. */
function checkTypes(project: string): Promise<CommandResult> {
  const seen = join(".local", `${project.replaceAll("/", "-")}.tsbuildinfo`);
  return runCommand(binary("tsc"), ["-p", project, "--incremental", "--tsBuildInfoFile", seen]);
}

const script = (...args: string[]) => runCommand(process.execPath, args);

const checks: Check[] = [
  { name: "format", run: () => runCommand(binary("oxfmt"), ["--check"]), advice: "npm run format" },
  {
    name: "lint",
    run: () => runCommand(binary("oxlint"), ["--deny-warnings"]),
    advice: "scripts/lint/ holds layers, districts and writers",
  },
  {
    name: "paths in words",
    run: () => script("scripts/lint/doc-paths.ts"),
    advice: "a file was moved or is gone",
  },
  {
    name: "conformance page",
    run: () => script("scripts/conformance-page.ts", "--check"),
    advice: "npm run docs:conformance",
  },
  { name: "types (workers)", run: () => checkTypes("tsconfig.json"), advice: "" },
  { name: "types (node)", run: () => checkTypes("tsconfig.node.json"), advice: "" },
  { name: "types (console)", run: () => checkTypes("src/console/tsconfig.json"), advice: "" },
  {
    name: "console",
    run: () => script("scripts/console.ts", "--check"),
    advice: "npm run console -- --sizes says what is large",
  },
  { name: "types (sdk)", run: () => checkTypes("src/sdk/tsconfig.json"), advice: "" },
  {
    name: "sdk",
    run: () => script("scripts/build-sdk.ts", "--check"),
    advice: "npm run build:sdk says how large it is",
    inputs: ["src/sdk/**", "src/cli/**", "src/console/api/schema.ts", "scripts/build-sdk.ts"],
  },
  {
    name: "migrations",
    run: checkMigrations,
    advice: "npm run db:generate",
    inputs: ["db/schema/**", "db/migrations/**"],
  },
  {
    name: "openapi",
    run: () => script("scripts/openapi.ts", "--check"),
    advice: "npm run openapi",
    inputs: ["src/**", "db/**/*.ts", "functions/**", "public/**", "scripts/openapi.ts"],
  },
];

const startedAt = performance.now();
mkdirSync(join(rootFolder, ".local"), { recursive: true });
const failures: { check: Check; result: CommandResult }[] = [];
const before = readPassed();
const passed: Record<string, string> = {};
await Promise.all(
  checks.map(async (check) => {
    const digest = check.inputs ? digestOf(check.inputs) : undefined;
    const isSame = digest !== undefined && before[check.name] === digest;
    const result = isSame ? { code: 0, output: "", seconds: 0 } : await check.run();
    if (result.code !== 0) failures.push({ check, result });
    else if (digest !== undefined) passed[check.name] = digest;
    console.log(
      `${result.code === 0 ? "ok    " : "failed"} ${check.name.padEnd(16)} ${isSame ? "unchanged" : `${result.seconds.toFixed(1)} s`}`,
    );
  }),
);
writeFileSync(passedFile, JSON.stringify(passed));
for (const { check, result } of failures) {
  console.log(
    `\n--- ${check.name}${check.advice ? ` (${check.advice})` : ""}\n${result.output.trim()}`,
  );
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(
  `\n${checks.length - failures.length} of ${checks.length} checks passed in ${seconds} s`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
