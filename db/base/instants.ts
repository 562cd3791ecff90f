import { type SQL, sql } from "drizzle-orm";

/** A `Date` as a typed parameter of a hand-written statement. */
export const instantParam = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

/** A timestamptz of a hand-written statement's result; the driver may give text or a Date. */
export function readInstant(value: unknown): Date {
  if (value instanceof Date) return value;
  // Postgres writes "2026-01-05 09:00:00.123+00".
  return new Date(
    String(value)
      .replace(" ", "T")
      .replace(/([+-]\d\d)$/, "$1:00"),
  );
}
