import * as fs from "node:fs";
import * as path from "node:path";
import { buildConsole } from "../console/build.ts";
import { binary, type CommandResult, rootFolder, runCommand } from "../command.ts";
import { VARIABLES } from "#src/config.ts";
import { deployArguments, secretsOf } from "./commands.ts";
import { readWrangler } from "./settings.ts";

const ENVIRONMENT = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  CI: "1",
  NO_COLOR: "1",
};
const DEPLOY_MS = 300_000;

const wrangler = (args: string[]): Promise<CommandResult> =>
  runCommand(binary("wrangler"), args, { env: ENVIRONMENT, timeoutMs: DEPLOY_MS });

export async function isLoggedIn(): Promise<boolean> {
  return (await wrangler(["whoami", "--json"])).code === 0;
}

type Run = (args: string[]) => Promise<Pick<CommandResult, "code" | "output">>;

/** The secrets of the Worker that the values lack. A deployment leaves them as they are, and the Worker would read them still. */
export async function secretsLeft(
  env: Record<string, string>,
  run: Run = wrangler,
): Promise<string[]> {
  const { code, output } = await run(["secret", "list", "--format", "json"]);
  if (code !== 0) {
    if (/Worker "[^"]*" not found/.test(output)) return [];
    throw new Error(output.trim());
  }
  const names = [...output.matchAll(/"name":\s*"([^"]+)"/g)].map(([, name]) => name!);
  return names.filter((name) => VARIABLES.includes(name) && env[name] === undefined);
}

/** Makes those of these queues that are not there yet, and says which that were. */
export async function ensureQueues(
  names: readonly string[],
  run: Run = wrangler,
): Promise<string[]> {
  const made: string[] = [];
  for (const name of names) {
    if ((await run(["queues", "info", name])).code === 0) continue;
    const { code, output } = await run(["queues", "create", name]);
    if (code !== 0) throw new Error(output.trim());
    made.push(name);
  }
  return made;
}

/** Deploys code, variables and secrets as one version; with `dryRun` nothing leaves this machine. */
export async function deployWorker(
  env: Record<string, string>,
  { dryRun }: { dryRun: boolean },
): Promise<CommandResult> {
  // It lies among the static files that go with the Worker.
  await buildConsole();
  const folder = path.join(rootFolder, ".local");
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `secrets-${process.pid}.json`);
  const rehearsal = dryRun ? ["--dry-run", "--outdir", path.join(folder, "dry-run")] : [];
  try {
    fs.writeFileSync(file, JSON.stringify(secretsOf(env)), { mode: 0o600, flag: "wx" });
    return await wrangler([...deployArguments(env, file, readWrangler().vars), ...rehearsal]);
  } finally {
    fs.rmSync(file, { force: true });
  }
}
