import { gt, lt, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** What a list in the order of its ids answers: what comes behind one of them, and so many rows at most. */
export interface Part {
  after: string | undefined;
  limit: number;
}

/** Where a list is answered as a whole. */
export const ALL: Part = { after: undefined, limit: 2_147_483_647 };

/** Of a list whose lowest ids come first. */
export const isAbove = (id: PgColumn, { after }: Part): SQL | undefined =>
  after === undefined ? undefined : gt(id, after);

/** Of a list whose highest ids come first. */
export const isBelow = (id: PgColumn, { after }: Part): SQL | undefined =>
  after === undefined ? undefined : lt(id, after);
