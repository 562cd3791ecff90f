import { type Config, ConfigError, readConfig, VARIABLES } from "#src/config.ts";
import type { WranglerSettings } from "../deploy/settings.ts";
import { addressForm, cron, hits, localOnly, tracking, worker } from "./address.ts";
import { ask, type Check, type Context, wordsOf } from "./context.ts";
import { fail, type Finding, ok, type Said, warn } from "./finding.ts";
import { login } from "./login.ts";
import { inbound, inboundPost, notices, reports, verifier } from "./mail.ts";
import { stripe, wallet } from "./payments.ts";
import { queue, schedule } from "./queue.ts";
import { createRedaction } from "./redact.ts";
import { status } from "./status.ts";
import { database, redis, vault } from "./stores.ts";
import { model, network, search, sheets } from "./vendors.ts";
import { whatsapp } from "./whatsapp.ts";
import { whereToFind } from "./where.ts";

const CHECKS: Check[] = [
  addressForm,
  localOnly,
  cron,
  hits,
  database,
  vault,
  redis,
  queue,
  login,
  worker,
  schedule,
  tracking,
  status,
  inbound,
  inboundPost,
  reports,
  notices,
  verifier,
  stripe,
  wallet,
  network,
  whatsapp,
  model,
  search,
  sheets,
];

export interface Examined {
  env: Record<string, string>;
  wrangler: WranglerSettings;
  isDeployed: boolean;
  /** PEM of authorities that the relay's certificate may be of, besides the public ones. */
  authorities?: string;
}

/** Every check, each on its own: what one finds or breaks on keeps no other from looking. Says no secret. */
export async function examine(examined: Examined): Promise<Finding[]> {
  const redact = createRedaction(examined.env);
  const { config, said } = configuration(examined.env);
  const findings = said.map((each) => ({ part: "configuration", ...each }));
  if (config !== null) {
    const context: Context = { ...examined, config, ask };
    const checks = CHECKS.filter(({ needsWorker }) => !needsWorker || examined.isDeployed);
    const found = await Promise.all(checks.map((check) => look(check, context)));
    findings.push(...found.flat());
  }
  return findings.map(({ says, fix, ...rest }) => ({
    ...rest,
    says: redact(says),
    ...(fix === undefined ? {} : { fix: redact(fix) }),
  }));
}

async function look({ part, run }: Check, context: Context): Promise<Finding[]> {
  try {
    return (await run(context)).map((said) => ({ part, ...said }));
  } catch (error) {
    const says = `could not be looked at: ${wordsOf(error)}`;
    return [{ part, ...fail(says, "This is a defect of the doctor.") }];
  }
}

/** The Worker's own reading: what it refuses is named here before it is deployed. */
function configuration(env: Record<string, string>): { config: Config | null; said: Said[] } {
  const unknown = Object.keys(env)
    .filter((name) => !VARIABLES.includes(name))
    .map((name) => warn(`${name} is no variable of this service`, "Is it spelt right?"));
  try {
    const config = readConfig(env);
    return {
      config,
      said: [ok("every value that is needed is there, and of its form"), ...unknown],
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const faults = error.faults.map((fault) => fail(fault, whereToFind(fault.split(/[:.]/)[0]!)));
    return { config: null, said: [...faults, ...unknown] };
  }
}
