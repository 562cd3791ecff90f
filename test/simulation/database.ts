import { randomUUID } from "node:crypto";
import pg from "pg";
import { createDb, type Db } from "#db/base/client.ts";
import { MIGRATIONS_FOLDER, migrate } from "../../scripts/apply-migrations.ts";
import { startNeonGateway } from "../../scripts/stack/neon.ts";
import { startPostgres } from "../../scripts/stack/postgres.ts";
import { ensureTemplate } from "../../scripts/stack/template-database.ts";
import { cloneDatabase } from "../support/database.ts";
import type { Owner } from "../support/engine-rows.ts";

export interface SimulationDatabase {
  db: Db;
  sql: pg.Pool;
  owner: Owner;
  close(): Promise<void>;
}

/** A database of its own with one workspace, for simulations outside of the test runner. */
export async function openSimulationDatabase(): Promise<SimulationDatabase> {
  const databaseUrl = process.env["DATABASE_URL"];
  const server = await startPostgres({ databaseUrl, instance: "test", durable: false });
  const { host, port, user, password } = server;
  const template = await ensureTemplate(server, { migrationsFolder: MIGRATIONS_FOLDER, migrate });
  const database = await cloneDatabase({ host, port, user, password, template });
  const gateway = await startNeonGateway({ postgres: { host, port } });
  const sql = new pg.Pool({ connectionString: database.url, max: 4 });
  sql.on("connect", (client) => client.on("error", () => {}));
  const owner = { workspaceId: randomUUID(), userId: randomUUID() };
  const made = new Date(0);
  await sql.query("insert into users (id, created_at, updated_at) values ($1, $2, $2)", [
    owner.userId,
    made,
  ]);
  await sql.query(
    `insert into workspaces (id, owner_user_id, name, plan, timezone, created_at, updated_at)
     values ($1, $2, 'Simulation', 'paid', 'UTC', $3, $3)`,
    [owner.workspaceId, owner.userId, made],
  );
  return {
    db: createDb({ url: database.url, localGateway: new URL(gateway.url).host }),
    sql,
    owner,
    async close() {
      await sql.end();
      await gateway.close();
      await database.drop();
      await server.close();
    },
  };
}
