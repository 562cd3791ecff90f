import { migrate } from "../../apply-migrations.ts";
import { choosePort } from "../ports.ts";
import { startQstash } from "../qstash.ts";
import type { StackSecrets } from "../secrets.ts";
import type { Stack } from "../stack-parts.ts";
import { startUpstash } from "../upstash.ts";

/** What a second cell has of its own; all else is the stack's. */
export interface SecondCell {
  databaseUrl: string;
  /** Bindings in the place of the first one's. */
  env: Record<string, string>;
  /** The queue delivers from now on. */
  resume(): void;
  close(): Promise<void>;
}

export async function startSecondCell(
  stack: Stack,
  secrets: StackSecrets,
  { name, stateFile }: { name: string; stateFile?: string | undefined },
): Promise<SecondCell> {
  const database = `overture_${name}`;
  const { postgres } = stack;
  if (!(await postgres.databaseExists(database))) await postgres.createDatabase(database);
  const databaseUrl = postgres.urlFor(database);
  await migrate(databaseUrl);
  const redis = await startUpstash({ token: secrets.redisToken });
  const qstash = await startQstash({
    port: await choosePort(undefined),
    token: secrets.qstashToken,
    currentSigningKey: secrets.qstashCurrentSigningKey,
    nextSigningKey: secrets.qstashNextSigningKey,
    ...(stateFile !== undefined && { stateFile }),
  });
  qstash.pause();
  stack.clock.watch(qstash);
  stack.watchDatabase(databaseUrl);
  return {
    databaseUrl,
    env: {
      DATABASE_URL: databaseUrl,
      UPSTASH_REDIS_REST_URL: redis.url,
      QSTASH_URL: qstash.url,
      CELL_NAME: name,
    },
    resume: () => qstash.resume(),
    async close() {
      await Promise.all([redis.close(), qstash.close()]);
    },
  };
}
