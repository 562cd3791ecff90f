import type { NeonQueryFunction, NeonQueryPromise } from "@neondatabase/serverless";
import { drizzle } from "drizzle-orm/neon-http";
import { isWrite } from "./claiming.ts";
import type { Db } from "./client.ts";
import { planRows } from "./row-plan.ts";

type Client = NeonQueryFunction<false, false>;
type Query = NeonQueryPromise<false, false>;

/** Until the end of its transaction, which the triggers of events read (db/workspace/events). */
const SET_ACTOR = "select set_config('overture.actor', $1, true)";

/** For so many callers the client is kept, with the statements that it has prepared. */
const KEPT = 500;
const known = new WeakMap<Db, Map<string, Db>>();

/**
 * The database for what one caller does: each of its transactions that writes says whose it is, `key:<id>` or
 * `user:<id>`, in the same round trip.
 */
export function actingDb(db: Db, actor: string): Db {
  const ofDb = known.get(db) ?? new Map<string, Db>();
  known.set(db, ofDb);
  const acting = ofDb.get(actor) ?? saying(db, actor);
  if (ofDb.size >= KEPT) ofDb.clear();
  ofDb.set(actor, acting);
  return acting;
}

function saying(db: Db, actor: string): Db {
  const client = (db as Db & { $client: Client }).$client;
  const said = async (queries: Query[], options?: object): Promise<unknown[]> =>
    (await client.transaction([client.query(SET_ACTOR, [actor]), ...queries], options)).slice(1);

  const query: Client["query"] = (...order) => {
    const statement = client.query(...order);
    if (!isWrite(order[0])) return statement;
    // Runs only where it is awaited: in a batch it is what `transaction` reads.
    return Object.assign(statement, {
      execute: async () => (await said([statement as unknown as Query]))[0],
    });
  };
  const transaction = async (queries: Query[], options?: object): Promise<unknown[]> => {
    const writes = queries.some(
      ({ queryData }) => "query" in queryData && isWrite(queryData.query),
    );
    return writes ? said(queries, options) : client.transaction(queries, options);
  };
  // Without the schema, which only the library's relational queries read, and which takes a while to read.
  return planRows(
    drizzle({ client: { query, transaction } as unknown as Client }),
  ) as unknown as Db;
}
