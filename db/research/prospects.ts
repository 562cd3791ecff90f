import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { textArray } from "../base/text-array.ts";
import { orNull, rowReader, text, typed } from "../base/rows.ts";

/** Up to so many entries under the tags together, all of them are ranked. */
export const RANKED_WHOLE = 20_000;
/** Beyond, the best so many of each tag. */
export const RANKED_OF_EACH = 2_000;

export type FoundProspect = ReturnType<typeof readProspect>;
const readProspect = rowReader({
  profileUrl: text,
  fullName: text,
  company: orNull(text),
  title: orNull(text),
  location: orNull(text),
  tags: typed<string[]>(),
  matchedTags: typed<string[]>(),
});

/**
 * Prospects with the most of the tags, then the better entry, then the older one. Tags in lower case, each once.
 * Rare tags are ranked whole, from the index alone; of common tags only the best prospects of each are ranked,
 * so that a tag that half the pool has costs no more than a rare one.
 */
export async function searchProspects(
  db: Db,
  { tags, limit }: { tags: readonly string[]; limit: number },
): Promise<FoundProspect[]> {
  const { rows } = await db.execute(searchStatement(tags, limit));
  return rows.map(readProspect);
}

/** How many of the tags asked for a prospect has, term by term: of three tags, a subquery for each prospect costs twice as much in all. */
const overlapOf = (count: number) =>
  sql.join(
    Array.from({ length: count }, (_, index) =>
      sql.raw(`coalesce((ids.ids[${index + 1}] = any(p.tag_ids))::int, 0)`),
    ),
    sql` + `,
  );

/** `best_of_each` is an array, whose numbers the index takes in their order: as a join each is looked up from the root. */
export const searchStatement = (tags: readonly string[], limit: number) => sql`
  with asked as materialized (
    select id, tag from prospect_tag_names where tag = any(${textArray(tags)}::text[])
  ), ids as materialized (
    select array_agg(id) as ids from asked
  ), size as materialized (
    select not exists (
      select 1 from prospect_tags where tag_id in (select id from asked) offset ${RANKED_WHOLE}
    ) as whole
  ), ranked_whole as (
    select prospect_id, quality, count(*) as overlap from prospect_tags
    where (select whole from size) and tag_id = any((select ids from ids)::int[])
    group by prospect_id, quality
  ), best_of_each as (
    select array_agg(distinct entry.prospect_id) as prospect_ids from asked cross join lateral (
      select t.prospect_id from prospect_tags t where t.tag_id = asked.id
      order by t.quality desc, t.prospect_id limit ${RANKED_OF_EACH}
    ) entry
    where not (select whole from size)
  ), ranked_best as (
    select p.id as prospect_id, p.quality,
           ${overlapOf(tags.length)} as overlap
    from ids cross join prospects p where p.id = any((select prospect_ids from best_of_each)::bigint[])
  ), found as materialized (
    select * from (select * from ranked_whole union all select * from ranked_best) ranked
    order by overlap desc, quality desc, prospect_id limit ${limit}
  )
  select p.profile_url, p.full_name, p.company, p.title, p.location,
         array(select n.tag from unnest(p.tag_ids) has(id) join prospect_tag_names n on n.id = has.id order by n.tag) as tags,
         array(select asked.tag from asked where asked.id = any(p.tag_ids) order by asked.tag) as matched_tags
  from found join prospects p on p.id = found.prospect_id
  order by found.overlap desc, found.quality desc, found.prospect_id`;
