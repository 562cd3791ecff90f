import { neon, neonConfig, type NeonQueryFunction } from "@neondatabase/serverless";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { drizzle, type NeonHttpDatabase } from "drizzle-orm/neon-http";
import * as schema from "../schema/index.ts";
import { inOneTrip } from "./one-trip.ts";
import { planRows } from "./row-plan.ts";
import { recordsOfArrays } from "./row-records.ts";
import { withStorableParams } from "./storable-params.ts";

export type Db = NeonHttpDatabase<typeof schema>;

/** One statement of a `commit`. Builders of statements are never `async`: awaiting a builder runs it. */
export type Statement = BatchItem<"pg">;

export interface DatabaseSettings {
  url: string;
  /** `host:port` of a local Neon gateway; absent in production. */
  localGateway?: string | undefined;
}

/** A client without connections: each statement or batch is one HTTP request to Neon. */
export function createDb(settings: DatabaseSettings): Db {
  if (settings.localGateway !== undefined)
    neonConfig.fetchEndpoint = `http://${settings.localGateway}/sql`;
  const client = inOneTrip(
    repeatingAborted(recordsOfArrays(withStorableParams(neon(settings.url)))),
    (error) => driverError(error) !== null,
  );
  return planRows(drizzle({ client, schema }));
}

/** The client, with every statement and every batch done again when Postgres aborted it. */
function repeatingAborted(client: NeonQueryFunction<false, false>) {
  const { query, transaction } = client;
  const repeatingQuery: typeof query = (...order) => {
    const statement = query(...order);
    const { execute } = statement;
    // Runs only where it is awaited: in a batch it is what `transaction` reads.
    return Object.assign(statement, {
      execute: (...run: Parameters<typeof execute>) => repeatAborted(() => execute(...run)),
    });
  };
  const repeatingTransaction: typeof transaction = (...order) =>
    repeatAborted(() => transaction(...order));
  return Object.assign(client, { query: repeatingQuery, transaction: repeatingTransaction });
}

/** Serialization failure and deadlock: Postgres says itself that it rolled everything back. */
const ABORTED: readonly (string | undefined)[] = ["40001", "40P01"];
const ATTEMPTS = 5;
/**
 * The transaction that survived a deadlock gets this long to finish, longer each time: of 102 actions and
 * claims that deadlocked and were retried at once 25 did so again, one five times; of 93 that waited 2, and
 * none more. Postgres aborts one transaction at a time, so that the waits need no random spread.
 */
const REST_MS = 50;

/** A lost reply is not repeated: what it was about may have happened. */
async function repeatAborted<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !ABORTED.includes(driverError(error)?.code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * REST_MS));
    }
  }
}

type Values = Record<string, unknown>;

/**
 * A statement whose text is made once for a database and not with each call: `build` gives it with placeholders
 * (`sql.placeholder`), the call its values.
 */
export function prepared<Row>(
  build: (db: Db) => { prepare(name: string): { execute(values: Values): Promise<Row[]> } },
): (db: Db, values: Values) => Promise<Row[]> {
  const statements = new WeakMap<Db, { execute(values: Values): Promise<Row[]> }>();
  return (db, values) => {
    const known = statements.get(db) ?? build(db).prepare("");
    statements.set(db, known);
    return known.execute(values);
  };
}

/** Runs the statements in one transaction (one round trip): all of them take effect or none. */
export async function commit<S extends Readonly<[Statement, ...Statement[]]>>(
  db: Db,
  statements: S,
): Promise<BatchResponse<S>> {
  return db.batch(statements);
}

interface DriverError {
  code: string;
  constraint: string | undefined;
}

/** The SQLSTATE and constraint of a failed statement, found by `cause`, never by message; null if Postgres did not speak. */
export function driverError(error: unknown): DriverError | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, constraint } = current as Error & { code?: unknown; constraint?: unknown };
    if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) {
      return { code, constraint: typeof constraint === "string" ? constraint : undefined };
    }
  }
  return null;
}

/** Postgres refused what the statement holds: data (22), a constraint (23), a limit (54). It would be refused again. */
export const isRefused = (error: unknown): boolean =>
  /^(22|23|54)/.test(driverError(error)?.code ?? "");

export const UNIQUE_VIOLATION = "23505";
export const FOREIGN_KEY_VIOLATION = "23503";
export const CHECK_VIOLATION = "23514";

export function violates(error: unknown, code: string, constraint?: string): boolean {
  const found = driverError(error);
  return found?.code === code && (constraint === undefined || found.constraint === constraint);
}
