import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "../base/client.ts";
import { integer, rowReader } from "../base/rows.ts";

/** Any constant; imports of all processes take turns. */
const IMPORT_LOCK = 7_302_115;

/** An import under way has read the opt-outs: whom it brings is seen by the statement behind this one, in one transaction. */
export const afterImport = (db: Db): Statement =>
  db.execute(sql`select pg_advisory_xact_lock_shared(${IMPORT_LOCK})`);

export interface NewProspect {
  profileUrl: string;
  /** Of the person. */
  profileKey: string;
  /** Of the address as it is given: an entry from before the person was known by one key is replaced. */
  spelledKey: string;
  /** SHA-256 (hex) of both, which are compared with opt-outs. */
  profileHashes: readonly [person: string, spelled: string];
  fullName: string;
  company: string | null;
  title: string | null;
  location: string | null;
  quality: number;
  /** In lower case, each once. */
  tags: string[];
}

/**
 * What takes prospects into the pool, to be run in one transaction; each profile once in `batch`. New ones are added,
 * known ones replaced whole, tags and all, and who opted out is passed over. The last statement gives a row for
 * `readImported`.
 */
export function importStatements(batch: readonly NewProspect[], now: Date): SQL[] {
  const rows = JSON.stringify(
    batch.map((prospect) => ({
      profile_url: prospect.profileUrl,
      profile_key: prospect.profileKey,
      spelled_key: prospect.spelledKey,
      profile_hashes: prospect.profileHashes,
      full_name: prospect.fullName,
      company: prospect.company,
      title: prospect.title,
      location: prospect.location,
      quality: prospect.quality,
      tags: prospect.tags,
    })),
  );
  const given = sql`jsonb_to_recordset(${rows}::jsonb) as g(profile_url text, profile_key text, spelled_key text, profile_hashes text[],
    full_name text, company text, title text, location text, quality smallint, tags text[])`;
  const at = sql`${now.toISOString()}::timestamptz`;
  return [
    // One import at a time: each sees the prospects that the one before has added.
    sql`select pg_advisory_xact_lock(${IMPORT_LOCK})`,
    sql`
      insert into prospect_tag_names (tag)
      select distinct t from ${given}, unnest(g.tags) t on conflict (tag) do nothing`,
    sql`
      with wanted as materialized (
        select g.*, array(select n.id from prospect_tag_names n where n.tag = any(g.tags) order by n.id) as tag_ids
        from ${given}
        where not exists (select 1 from prospect_opt_outs o where o.profile_hash = any(g.profile_hashes) and o.undone_at is null)
      ), before as materialized (
        select p.id, p.quality, p.tag_ids from prospects p join wanted using (profile_key)
      ), kept as (
        insert into prospects (profile_url, profile_key, full_name, company, title, location, quality, tag_ids, created_at, updated_at)
        select profile_url, profile_key, full_name, company, title, location, quality, tag_ids, ${at}, ${at}
        from wanted
        on conflict (profile_key) do update
        set profile_url = excluded.profile_url, full_name = excluded.full_name, company = excluded.company,
            title = excluded.title, location = excluded.location, quality = excluded.quality,
            tag_ids = excluded.tag_ids, updated_at = excluded.updated_at
        returning id, quality, tag_ids
      ), respelled as (
        delete from prospects p using ${given} where p.profile_key = g.spelled_key and g.spelled_key <> g.profile_key
        returning p.id, p.quality, p.tag_ids
      ), entries_before as (
        select tag_id, quality, id from before, unnest(tag_ids) tag_id
        union all select tag_id, quality, id from respelled, unnest(tag_ids) tag_id
      ), entries as (
        select tag_id, quality, id from kept, unnest(tag_ids) tag_id
      ), gone as (
        delete from prospect_tags t using (select * from entries_before except select * from entries) old
        where t.tag_id = old.tag_id and t.quality = old.quality and t.prospect_id = old.id
      ), fresh as (
        insert into prospect_tags (tag_id, quality, prospect_id)
        select * from entries except select * from entries_before
      )
      select (select count(*) from kept) as kept, (select count(*) from before) as updated`,
  ];
}

export const readImported = rowReader({ kept: integer, updated: integer });
