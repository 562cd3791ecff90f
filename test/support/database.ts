import { randomUUID } from "node:crypto";
import pg from "pg";

/** What the global setup hands to each test file. */
export interface TestPostgres {
  host: string;
  port: number;
  user: string;
  password: string;
  /** The migrated template that each file's database is cloned from. */
  template: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    postgres: TestPostgres;
  }
}

export async function cloneDatabase(
  postgres: TestPostgres,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const urlOf = (database: string) =>
    `postgres://${postgres.user}:${postgres.password}@${postgres.host}:${postgres.port}/${database}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: urlOf("postgres") });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name} template "${postgres.template}" strategy file_copy`);
  return { url: urlOf(name), drop: () => run(`drop database if exists ${name} with (force)`) };
}
