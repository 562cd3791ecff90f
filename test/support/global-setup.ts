import type { TestProject } from "vitest/node";
import { migrate, MIGRATIONS_FOLDER } from "../../scripts/apply-migrations.ts";
import { type Postgres, startPostgres } from "../../scripts/stack/postgres.ts";
import { dropDatabase } from "../../scripts/stack/postgres-admin.ts";
import { ensureTemplate } from "../../scripts/stack/template-database.ts";
import type { TestPostgres } from "./database.ts";

interface Shared {
  users: number;
  started: Promise<{ server: Postgres; provided: TestPostgres }>;
}

/** Each kind of test loads this file anew; the process they share keeps the one server. */
const holder = globalThis as { overtureTestPostgres?: Shared };

/** Starts one Postgres for the whole run, with the migrated template that each file's database is cloned from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (holder.overtureTestPostgres ??= { users: 0, started: start() });
  shared.users += 1;
  const { server, provided } = await shared.started;
  project.provide("postgres", provided);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete holder.overtureTestPostgres;
    await dropDatabases(server, provided.prefix!);
    await server.close();
  };
}

async function start(): Promise<{ server: Postgres; provided: TestPostgres }> {
  const databaseUrl = process.env["DATABASE_URL"];
  const server = await startPostgres({
    databaseUrl,
    instance: "test",
    durable: false,
    inMemory: true,
  });
  const { host, port, user, password } = server;
  const template = await ensureTemplate(server, { migrationsFolder: MIGRATIONS_FOLDER, migrate });
  const prefix = `test_${process.pid}_`;
  return { server, provided: { host, port, user, password, template, prefix } };
}

/** A process that end-to-end files share ends with its stack, and leaves the stack's database. */
async function dropDatabases(server: Postgres, prefix: string): Promise<void> {
  await server.administer(async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where starts_with(datname, $1)",
      [prefix],
    );
    for (const { datname } of rows) await dropDatabase(client, datname);
  });
}
