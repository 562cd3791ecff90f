import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { whereToFind } from "../doctor/where.ts";

const secretOf = (bytes: number) => randomBytes(bytes).toString("base64");

/** What a deployment cannot do without, in the order in which it is found; what is ours to make is made. */
const FIRST: Record<string, (() => string) | null> = {
  PUBLIC_BASE_URL: null,
  DATABASE_URL: null,
  UPSTASH_REDIS_REST_URL: null,
  UPSTASH_REDIS_REST_TOKEN: null,
  QSTASH_URL: null,
  QSTASH_TOKEN: null,
  QSTASH_CURRENT_SIGNING_KEY: null,
  QSTASH_NEXT_SIGNING_KEY: null,
  JWT_ISSUER: null,
  JWT_JWKS_URL: null,
  JWT_AUDIENCE: null,
  MASTER_KEY: () => secretOf(32),
  TRACKING_SECRET: () => secretOf(32),
  INBOUND_SECRET: () => secretOf(32),
};

const HEAD = `# The values of your deployment, for \`npm run deploy\` and \`npm run doctor\`. Git ignores this file; keep a copy of
# MASTER_KEY elsewhere, because what it sealed opens with no other. docs/configuration.md has every variable there is.
`;

const FREE_PLAN = `
# On Cloudflare's Workers Free plan, and within QStash's free messages (docs/deploying.md, What the free plans carry):
# TICK_CPU_MS=10
# TICK_SUBREQUESTS=50
# TICK_PERIOD_SECONDS=120
`;

/** Begins the file of a deployment, for its owner to fill in. Never over one that is there. */
export function writeFirstSettings(file: string): void {
  const lines = Object.entries(FIRST).map(
    ([name, make]) => `\n# ${whereToFind(name)}\n${name}=${make?.() ?? ""}\n`,
  );
  fs.writeFileSync(file, HEAD + lines.join("") + FREE_PLAN, { mode: 0o600, flag: "wx" });
}
