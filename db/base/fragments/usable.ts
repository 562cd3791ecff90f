import { type SQL, sql } from "drizzle-orm";
import type { AliasStatus } from "#db/schema/index.ts";

/** Campaigns ask the lane as well, which is closed while an alias is in error; what was asked for by hand is tried, and may heal it. */
const USABLE: readonly AliasStatus[] = ["active", "error"];

const inSql = sql.raw(USABLE.map((status) => `'${status}'`).join(", "));

/** Whether an alias may send at all; null when it is gone. */
export const isUsable = (status: AliasStatus | null): boolean =>
  status !== null && USABLE.includes(status);

/** The same in SQL, for an alias `a`; not true when it is gone. */
export const usableSender: SQL = sql`((a.status in (${inSql})) is true)`;
