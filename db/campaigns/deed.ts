import { sql } from "drizzle-orm";

/** What a step was, of `sends s` and its `send_bodies b`. On a network a visit to a page says nothing. */
export const DEED = sql`case when s.state in ('rejected', 'failed') then 'failed' when s.state = 'unknown' then 'unknown'
  when s.budget = 'connection' then 'invited' when s.budget = 'message' and s.message_id is null and b.send_id is null then 'visited' else 'sent' end`;
