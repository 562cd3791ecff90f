import { sql, type SQL } from "drizzle-orm";
import {
  check,
  type CheckBuilder,
  integer,
  type PgColumn,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";

/** An instant, read and written as `Date`. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, mode: "date", precision: 3 });

/** A row's workspace and user, and when it was made and last changed. Every instant is a parameter: no `default now()`. */
export const ownedRow = () => ({
  id: uuid("id").primaryKey(),
  workspaceId: uuid("workspace_id").notNull(),
  userId: uuid("user_id").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** How often users changed the record: what `If-Match` of version 2 compares (`db/base/revisions.ts`). */
export const revision = () => integer("revision").notNull().default(1);

/** The columns of a row that is a job (`db/base/job-queue.ts`). */
export const workRow = () => ({
  /** When it can be begun, or begun again because the worker that claimed it must be dead. */
  dueAt: instant("due_at").notNull(),
  /** How often it was begun. */
  attempts: integer("attempts").notNull(),
  /** The claim of the worker that has it, which is believed until `dueAt`. */
  claimToken: uuid("claim_token"),
});

/** CHECK that a text column holds one of the values of its union. */
export function oneOf(name: string, column: PgColumn, values: readonly string[]): CheckBuilder {
  return check(
    name,
    sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`,
  );
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Condition = SQL;
