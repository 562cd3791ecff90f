/** `npm run deploy`: from values to a Worker that is ready, each step checked before the next. */
import { parseArgs } from "node:util";
import { writeFirstSettings } from "./deploy/first-settings.ts";
import { readSettings, SETTINGS_FILE } from "./deploy/settings.ts";
import { nextSteps } from "./deploy/next-steps.ts";
import { stepsOf } from "./deploy/steps.ts";
import { deployWorker } from "./deploy/wrangler.ts";

const HELP = `npm run deploy -- [options]

  --settings FILE  the deployment's values, NAME=value lines (${SETTINGS_FILE}); begun for you where it is not there
  --dry-run        says what each step would do, and bundles the Worker; needs no account and asks nobody

docs/deploying.md goes through it.
`;

const { values } = parseArgs({
  options: {
    settings: { type: "string", default: SETTINGS_FILE },
    "dry-run": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  const { env, hasFile } = readSettings(values.settings);
  if (values["dry-run"]) return rehearse(env);
  if (!hasFile) {
    writeFirstSettings(values.settings);
    throw new Error(
      `${values.settings} is begun: fill it in (each value says where it is found), and run this again.`,
    );
  }
  const steps = stepsOf(env, values.settings);
  for (const [index, { title, run }] of steps.entries()) {
    console.log(`\n${index + 1}/${steps.length} ${title}`);
    console.log(await run());
  }
  console.log(nextSteps(env));
}

/** Nothing is asked or written but the bundle. */
async function rehearse(env: Record<string, string>): Promise<void> {
  for (const [index, { title, command }] of stepsOf(env, values.settings).entries())
    console.log(`${index + 1}. ${title}\n   ${command}`);
  const { code, output } = await deployWorker(env, { dryRun: true });
  if (code !== 0) throw new Error(output);
  console.log(`\nThe Worker bundles: ${/Total Upload:.*/.exec(output)?.[0] ?? "yes"}`);
}

try {
  await main();
} catch (error) {
  console.error(`\n${(error as Error).message}`);
  process.exitCode = 1;
}
