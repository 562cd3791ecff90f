import { setTimeout as delay } from "node:timers/promises";
import { migrate } from "../apply-migrations.ts";
import { ask } from "../doctor/context.ts";
import { examine } from "../doctor/examine.ts";
import { createRedaction } from "../doctor/redact.ts";
import { hasFailed, tableOf } from "../doctor/report.ts";
import { deployArguments, directUrl, shown } from "./commands.ts";
import { readWrangler } from "./settings.ts";
import { deployWorker, ensureQueues, isLoggedIn, secretsLeft } from "./wrangler.ts";

/** One step of a deployment; it throws what is wrong, with what to do about it. */
export interface Step {
  title: string;
  /** What a person would type for it. */
  command: string;
  run(): Promise<string>;
}

/** In order; each may count on those before it. */
export function stepsOf(env: Record<string, string>, settingsFile: string): Step[] {
  // Behind a router the public address may be answered by another cell.
  const ownAddress = env["CELL_BASE_URL"] ?? env["PUBLIC_BASE_URL"];
  return [
    {
      title: "Cloudflare knows you",
      command: "npx wrangler whoami",
      async run() {
        if (await isLoggedIn()) return "logged in";
        throw new Error("Log in to Cloudflare: npx wrangler login (or set CLOUDFLARE_API_TOKEN)");
      },
    },
    {
      title: "The Worker keeps no secret that the values lack",
      command: "npx wrangler secret list",
      async run() {
        const left = await secretsLeft(env);
        if (left.length === 0) return "none";
        throw new Error(
          `The Worker would still have ${left.join(", ")}: put it into ${settingsFile}, or take it from the Worker ` +
            `(at once, so deploy right after): ${left.map((name) => `npx wrangler secret delete ${name}`).join("; ")}`,
        );
      },
    },
    {
      title: "Values, and the services behind them",
      command: `npm run doctor -- --before --settings ${settingsFile}`,
      run: () => look(env, { isDeployed: false }),
    },
    {
      title: "Migrations, over the direct connection",
      command: "DATABASE_URL=<DATABASE_URL without -pooler> npm run db:migrate",
      async run() {
        const applied = await migrate(directUrl(env["DATABASE_URL"]!));
        return applied.length === 0 ? "up to date" : `applied ${applied.join(", ")}`;
      },
    },
    {
      title: "The queues of opens and clicks",
      command:
        queueNames()
          .map((name) => `npx wrangler queues create ${name}`)
          .join("; ") || "none",
      async run() {
        if (queueNames().length === 0)
          return "wrangler.toml binds none: they are written as they come";
        const made = await ensureQueues(queueNames());
        return made.length === 0 ? "are there" : `made ${made.join(", ")}`;
      },
    },
    {
      title: "The Worker, with its variables and secrets",
      command: shown([
        "npx",
        "wrangler",
        ...deployArguments(env, "<a file of the secrets>", readWrangler().vars),
      ]),
      async run() {
        const { code, output } = await deployWorker(env, { dryRun: false });
        const said = createRedaction(env)(output.trim());
        if (code !== 0) throw new Error(said);
        return said;
      },
    },
    {
      title: "It is ready",
      command: `curl ${ownAddress}/api/v1/ready`,
      run: () => untilReady(ownAddress!),
    },
    {
      title: "From outside and inside",
      command: `npm run doctor -- --settings ${settingsFile}`,
      run: () => look(env, { isDeployed: true }),
    },
  ];
}

function queueNames(): string[] {
  const { hitQueue } = readWrangler();
  if (hitQueue === null) return [];
  const { queue, deadLetterQueue } = hitQueue.consumer;
  return deadLetterQueue === null ? [queue] : [queue, deadLetterQueue];
}

/** A database without migrations gets them in the next step. */
async function look(
  env: Record<string, string>,
  { isDeployed }: { isDeployed: boolean },
): Promise<string> {
  const findings = await examine({ env, wrangler: readWrangler(), isDeployed });
  const left = isDeployed
    ? findings
    : findings.filter(({ part, says }) => !(part === "database" && says.includes("migrations")));
  if (hasFailed(left)) throw new Error(tableOf(left));
  return tableOf(left);
}

const TRIES = 30;
const PAUSE_MS = 2_000;

/** A new name and its certificate take a while the first time. */
export async function untilReady(baseUrl: string, pauseMs = PAUSE_MS): Promise<string> {
  let last = "";
  for (let tries = 0; tries < TRIES; tries++) {
    const reply = await ask(`${baseUrl}/api/v1/ready`);
    if (reply.status === 200) return reply.text;
    last = `${reply.status || "no answer"}: ${reply.text.slice(0, 500)}`;
    await delay(pauseMs);
  }
  throw new Error(
    `${baseUrl}/api/v1/ready is not ready (${last}). \`npx wrangler tail\` shows the Worker's log.`,
  );
}
