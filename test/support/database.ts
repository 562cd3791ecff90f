import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

/** What the global setup hands to each test file. */
export interface TestPostgres {
  host: string;
  port: number;
  user: string;
  password: string;
  /** The migrated template that each file's database is cloned from. */
  template: string;
  /** Begins the name of each database of this run. */
  prefix?: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    postgres: TestPostgres;
  }
}

export async function cloneDatabase(
  postgres: TestPostgres,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `${postgres.prefix ?? "test_"}${randomUUID().replaceAll("-", "")}`;
  const urlOf = (database: string) =>
    `postgres://${postgres.user}:${postgres.password}@${postgres.host}:${postgres.port}/${database}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: urlOf("postgres") });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name} template "${postgres.template}" strategy file_copy`);
  return {
    url: urlOf(name),
    async drop() {
      const client = new pg.Client({ connectionString: urlOf("postgres") });
      await client.connect();
      try {
        await untilUnused(client, name);
        await client.query(`drop database if exists ${name} with (force)`);
      } finally {
        await client.end();
      }
    },
  };
}

/** A pool's end() resolves before its sessions are gone, and one that is ended by force throws where nobody listens. */
async function untilUnused(client: pg.Client, database: string): Promise<void> {
  for (let round = 0; round < 40; round++) {
    const { rowCount } = await client.query("select from pg_stat_activity where datname = $1", [
      database,
    ]);
    if (rowCount === 0) return;
    await delay(25);
  }
}
