import { type SQL, sql } from "drizzle-orm";

/** The person's own word outweighs a server's, and that the workspace's. */
const weightOf = (row: "excluded" | "suppressions") =>
  sql.raw(
    `array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], ${row}.reason)`,
  );

/**
 * What a suppression becomes that is written once more, by column: the weightier reason stays, and an entry that has
 * run out counts for nothing. The owner may set another end; what a server or the person said never shortens one.
 */
export function renewedSuppression(at: SQL) {
  const isOver = sql`suppressions.expires_at <= ${at}`;
  const isTaken = sql`(${isOver} or ${weightOf("excluded")} >= ${weightOf("suppressions")})`;
  const kept = (column: "reason" | "source_campaign_id") =>
    sql`case when ${isTaken} then ${sql.raw(`excluded.${column} else suppressions.${column}`)} end`;
  return {
    reason: kept("reason"),
    expires_at: sql`case
      when ${isOver} or (excluded.reason = 'manual' and ${isTaken}) then excluded.expires_at
      when excluded.reason = 'manual' then suppressions.expires_at
      when suppressions.expires_at is not null and excluded.expires_at is not null then greatest(suppressions.expires_at, excluded.expires_at) end`,
    source_campaign_id: kept("source_campaign_id"),
  };
}

/** The same as the assignments of a hand-written `on conflict do update`. */
export function renewal(at: SQL): SQL {
  const columns = Object.entries({ ...renewedSuppression(at), updated_at: at });
  return sql.join(
    columns.map(([column, value]) => sql`${sql.raw(column)} = ${value}`),
    sql`, `,
  );
}
