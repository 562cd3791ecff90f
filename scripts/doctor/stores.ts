import { createDb, driverError } from "#db/base/client.ts";
import { newestSecrets, readHealth } from "#db/workspace/health.ts";
import { aliasSecretContext } from "#src/domain/senders/alias-account.ts";
import { systemRandomBytes } from "#src/platform/system.ts";
import { createVault } from "#src/platform/vault.ts";
import { createUpstashCache } from "#src/providers/cache/upstash.ts";
import { type Check, type Context, wordsOf } from "./context.ts";
import { fail, ok, type Said, warn } from "./finding.ts";
import { whereToFind } from "./where.ts";

const MIGRATE = "`npm run deploy` applies them; or DATABASE_URL=<direct> npm run db:migrate";

export const database: Check = {
  part: "database",
  async run(context) {
    return [await reach(context), ...poolingOf(context)];
  },
};

async function reach({ config }: Context): Promise<Said> {
  try {
    const { migrated } = await readHealth(createDb(config.database));
    return migrated
      ? ok("answers, and has every migration")
      : fail("its migrations are older than this checkout", MIGRATE);
  } catch (error) {
    return unreachable(error);
  }
}

/** By Postgres's own code, where it spoke. */
const REFUSALS: Record<string, string> = {
  "28P01": "refuses user and password",
  "28000": "refuses the user",
  "3D000": "has no database of that name",
};

function unreachable(error: unknown): Said {
  const code = driverError(error)?.code;
  if (code === "42P01" || code === "3F000") return fail("has no migrations yet", MIGRATE);
  const refusal = code === undefined ? undefined : REFUSALS[code];
  const says = refusal ?? `does not answer (${deepest(error)})`;
  return fail(`the database of DATABASE_URL ${says}`, whereToFind("DATABASE_URL"));
}

/** What drizzle and the driver wrap repeats the statement. */
function deepest(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error && error.cause !== error
    ? deepest(error.cause)
    : wordsOf(error).split("\n")[0]!.slice(0, 200);
}

function poolingOf({ config }: Context): Said[] {
  const host = /@([^/@:?]+)/.exec(config.database.url)?.[1] ?? "";
  return host.endsWith(".neon.tech") && !host.includes("-pooler.")
    ? [warn("DATABASE_URL is Neon's direct one", whereToFind("DATABASE_URL"))]
    : [];
}

/** Not one secret alone: one may be broken by itself. */
const SAMPLE = 3;

export const vault: Check = {
  part: "vault",
  async run({ config }) {
    const secrets = await newestSecrets(createDb(config.database), SAMPLE).catch(() => null);
    if (secrets === null) return [warn("unknown while the database does not answer", "See above.")];
    if (secrets.length === 0) return [ok("nothing is sealed yet; keep a copy of MASTER_KEY")];
    const opener = createVault(config.masterKey, systemRandomBytes);
    const opened = await Promise.allSettled(
      secrets.map(({ aliasId, secret }) => opener.open(secret, aliasSecretContext(aliasId))),
    );
    return opened.some(({ status }) => status === "fulfilled")
      ? [ok("MASTER_KEY opens what is stored")]
      : [
          fail(
            "MASTER_KEY does not open what is stored: no account with a password sends",
            "Put back the key that was used before; what it sealed opens with no other.",
          ),
        ];
  },
};

export const redis: Check = {
  part: "redis",
  async run({ config }) {
    const cache = createUpstashCache(config.redis);
    const write = () => cache.set("doctor", "was here", 60);
    try {
      // The adapter's patience is short, as suits what can be done without: one slow answer is no fault yet.
      await write().catch(write);
      return [ok("takes what is written")];
    } catch (error) {
      return [redisTrouble(wordsOf(error))];
    }
  },
};

function redisTrouble(words: string): Said {
  const token = whereToFind("UPSTASH_REDIS_REST_TOKEN");
  if (words.includes("NOPERM")) return fail("UPSTASH_REDIS_REST_TOKEN is the read-only one", token);
  if (/WRONGPASS|Unauthorized/i.test(words))
    return fail("UPSTASH_REDIS_REST_TOKEN is refused", token);
  return fail(
    `UPSTASH_REDIS_REST_URL does not answer (${words})`,
    whereToFind("UPSTASH_REDIS_REST_URL"),
  );
}
