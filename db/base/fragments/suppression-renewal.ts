import { type SQL, sql } from "drizzle-orm";

/** The person's own word outweighs a server's, and that the workspace's. */
const weightOf = (row: "excluded" | "suppressions") =>
  sql.raw(
    `array_position(array['manual', 'hard_bounce', 'unsubscribe', 'complaint'], ${row}.reason)`,
  );

const overOf = (at: SQL) => sql`suppressions.expires_at <= ${at}`;
const takenOf = (at: SQL) =>
  sql`(${overOf(at)} or ${weightOf("excluded")} >= ${weightOf("suppressions")})`;

/**
 * What a suppression becomes that is written once more, by column: the weightier reason stays, and an entry that has
 * run out counts for nothing. The owner may set another end to their own; what a server or the person said nothing
 * shortens, and of an erased person's entry there is no end.
 */
export function renewedSuppression(at: SQL) {
  const kept = (column: "reason" | "source_campaign_id") =>
    sql`case when ${takenOf(at)} then ${sql.raw(`excluded.${column} else suppressions.${column}`)} end`;
  return {
    reason: kept("reason"),
    expires_at: sql`case
      when suppressions.value is null then null
      when ${overOf(at)} or (excluded.reason = 'manual' and ${takenOf(at)}) then excluded.expires_at
      when suppressions.expires_at is not null and excluded.expires_at is not null then greatest(suppressions.expires_at, excluded.expires_at) end`,
    source_campaign_id: kept("source_campaign_id"),
  };
}

/** The same as the assignments of an `on conflict do update`. */
export const renewal = (at: SQL): SQL =>
  sql.join(
    Object.entries({ ...renewedSuppression(at), updated_at: at }).map(
      ([column, value]) => sql`${sql.raw(column)} = ${value}`,
    ),
    sql`, `,
  );
