import { type SQL, sql } from "drizzle-orm";

/**
 * The id of a row that a statement makes: UUID version 7 (RFC 9562), as `Ids.uuid` makes them in the service. `place` is
 * the row's place among those of the statement, from 1: rows of one instant sort by it, and every 4,096 of them take a
 * millisecond more (section 6.2, method 1), so that a statement of any size fills the index from left to right.
 */
export const newIdAt = (now: SQL, place: SQL): SQL => sql`new_uuid(${now}, ${place})`;

/** The same for rows in whatever order the statement comes upon them. */
export const newId = (now: SQL): SQL => newIdAt(now, sql`row_number() over ()`);
