import { type SQL, sql } from "drizzle-orm";

/** A Postgres array literal, as one parameter: `${textArray(values)}::text[]`. */
export const textArray = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;

/** Ids as one parameter. */
export const uuidArray = (ids: readonly string[]): SQL => sql`${`{${ids.join(",")}}`}::uuid[]`;
