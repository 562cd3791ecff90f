import { drizzle } from "drizzle-orm/node-postgres";
import { Client } from "pg";
import * as schema from "#db/schema/index.ts";
import type { Db, Statement } from "#db/base/client.ts";

/** A deployment's database over its own protocol, for the statements of `db/`: a batch is a transaction, as over Neon's HTTP. */
export async function openDatabase(url: string): Promise<{ db: Db; close(): Promise<void> }> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  const direct = drizzle({ client, schema });
  const batch = async (statements: readonly Statement[]) => {
    await client.query("begin");
    try {
      const results: unknown[] = [];
      for (const statement of statements) results.push(await statement);
      await client.query("commit");
      return results;
    } catch (error) {
      await client.query("rollback");
      throw error;
    }
  };
  return { db: Object.assign(direct, { batch }) as unknown as Db, close: () => client.end() };
}
