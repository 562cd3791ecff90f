import { neon, neonConfig } from "@neondatabase/serverless";
import type { BatchItem } from "drizzle-orm/batch";
import { drizzle, type NeonHttpDatabase } from "drizzle-orm/neon-http";
import * as schema from "./schema/index.ts";

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
  return drizzle({ client: neon(settings.url), schema });
}

/** Runs the statements in one transaction (one round trip): all of them take effect or none. */
export async function commit(db: Db, statements: [Statement, ...Statement[]]): Promise<unknown[]> {
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

export const UNIQUE_VIOLATION = "23505";
export const FOREIGN_KEY_VIOLATION = "23503";
export const SERIALIZATION_FAILURE = "40001";
export const DEADLOCK_DETECTED = "40P01";

export function violates(error: unknown, code: string, constraint?: string): boolean {
  const found = driverError(error);
  return found?.code === code && (constraint === undefined || found.constraint === constraint);
}
