import { type SQL, sql } from "drizzle-orm";

/** Whether a lead's row `l` has such a name or company, by a pattern of `like`. */
export const isCalled = (pattern: string): SQL =>
  sql`(l.full_name ilike ${pattern} or l.company ilike ${pattern} or concat_ws(' ', l.first_name, l.last_name) ilike ${pattern})`;
