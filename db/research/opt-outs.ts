import { type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { textArray } from "../base/text-array.ts";
import { bool, instant, integer, orNull, rowReader, text } from "../base/rows.ts";
import { afterImport } from "./prospect-import.ts";

export interface OptOut {
  /** Of the profile in the pool, in each spelling. */
  poolKeys: string[];
  /** Of the person, under which it is kept, and of the spelling, under which one from before may be. */
  profileHashes: readonly [person: string, spelled: string];
  /** Null where nothing of the person is to be read from it, not even for a while. */
  shownKey: string | null;
  confirmedBy: string;
  askedFrom: string | null;
  /** When it was asked for: what the operator took back after that stays taken back. */
  askedAt: Date;
  now: Date;
}

/** Takes the person out of the pool, and keeps a profile out that an import brings again. `stands` is false when the operator has taken it back. */
export async function optOutProspect(
  db: Db,
  optOut: OptOut,
): Promise<{ stands: boolean; gone: number }> {
  const [, { rows }] = await commit(db, optOutStatements(db, optOut));
  return readGone(rows[0]!);
}

export function optOutStatements(db: Db, optOut: OptOut) {
  const hashes = sql`${textArray([...optOut.profileHashes])}::text[]`;
  const takenOut = db.execute(sql`
    with kept_out as (
      insert into prospect_opt_outs as o (profile_hash, created_at, profile_key, confirmed_by, asked_from)
      select ${optOut.profileHashes[0]}, ${instantParam(optOut.now)}, ${optOut.shownKey}, ${optOut.confirmedBy}, ${optOut.askedFrom}
      where not exists (
        select 1 from prospect_opt_outs before
        where before.profile_hash = any(${hashes}) and before.undone_at >= ${instantParam(optOut.askedAt)})
      on conflict (profile_hash) do update
      set created_at = excluded.created_at, profile_key = excluded.profile_key, confirmed_by = excluded.confirmed_by,
          asked_from = excluded.asked_from, undone_at = null
      where o.undone_at < ${instantParam(optOut.askedAt)}
      returning 1
    ), stands as (
      select 1 from kept_out
      union all select 1 from prospect_opt_outs where profile_hash = any(${hashes}) and undone_at is null
    ), gone as (
      delete from prospects where profile_key = any(${textArray(optOut.poolKeys)}::text[]) and exists (select 1 from stands) returning id, quality, tag_ids
    ), entries as (
      delete from prospect_tags t using gone, unnest(gone.tag_ids) has(id)
      where t.tag_id = has.id and t.quality = gone.quality and t.prospect_id = gone.id
    )
    select exists (select 1 from stands) as stands, (select count(*)::int from gone) as gone`);
  return [afterImport(db), takenOut] as const;
}
const readGone = rowReader({ stands: bool, gone: integer });

/** Of an erased person, who had opted out before. */
export const forgetProfileStatement = (db: Db, profileHashes: string[]): Statement =>
  db.execute(sql`
    update prospect_opt_outs set profile_key = null
    where profile_hash = any(${textArray(profileHashes)}::text[]) and profile_key is not null`);

/** One more of the subject on that date; no row where it is at its limit. */
const countOne = (day: string, subject: string, limit: number, from = sql``): SQL => sql`
    insert into prospect_opt_out_days as d (day, subject, asked) select ${day}::date, ${subject}, 1 ${from}
    on conflict (day, subject) do update set asked = d.asked + 1 where d.asked < ${limit} returning 1`;

/** Counts one more profile that a workspace takes out on that date by erasing; false where those are enough. */
export async function countErasedProfile(
  db: Db,
  { day, subject, limit }: { day: string; subject: string; limit: number },
): Promise<boolean> {
  return (await db.execute(countOne(day, subject, limit))).rows.length > 0;
}

/**
 * Counts one more ask on that date: the client's, and where that is not over its limit the mailbox's. Of those who are
 * over nothing is counted.
 */
export async function countOptOutAsk(
  db: Db,
  order: {
    day: string;
    client: { subject: string; limit: number };
    mailbox: { subject: string; limit: number };
  },
): Promise<{ client: boolean; mailbox: boolean }> {
  const { day, client, mailbox } = order;
  const { rows } = await db.execute(sql`
    with client as (${countOne(day, client.subject, client.limit)}),
    mailbox as (${countOne(day, mailbox.subject, mailbox.limit, sql`from client`)})
    select exists (select 1 from client) as client, exists (select 1 from mailbox) as mailbox`);
  return readCounted(rows[0]!);
}
const readCounted = rowReader({ client: bool, mailbox: bool });

export type ListedOptOut = ReturnType<typeof readListed>;
const readListed = rowReader({
  profileHash: text,
  createdAt: instant,
  profileKey: orNull(text),
  confirmedBy: orNull(text),
  askedFrom: orNull(text),
  undoneAt: orNull(instant),
  /** How many the same has confirmed, and how many the same client has asked for, this one included. */
  ofConfirmer: integer,
  ofClient: integer,
});

/** The opt-outs of these hashes: of the profile, of the mailbox that confirmed, or of the client that asked. */
const isOf = (which: readonly string[]) => {
  const hashes = sql`any(${textArray([...which])}::text[])`;
  return sql`(o.profile_hash = ${hashes} or o.confirmed_by = ${hashes} or o.asked_from = ${hashes})`;
};

/** The newest first. */
export async function listOptOuts(
  db: Db,
  { which, limit }: { which: readonly string[] | null; limit: number },
): Promise<ListedOptOut[]> {
  const { rows } = await db.execute(sql`
    with listed as materialized (
      select * from prospect_opt_outs o where ${which === null ? sql`true` : isOf(which)}
      order by created_at desc, profile_hash limit ${limit}
    )
    select listed.*,
      (select count(*)::int from prospect_opt_outs o where o.confirmed_by = listed.confirmed_by) as of_confirmer,
      (select count(*)::int from prospect_opt_outs o where o.asked_from = listed.asked_from) as of_client
    from listed order by created_at desc, profile_hash`);
  return rows.map(readListed);
}

/** Takes back what stands of these; answers how many it were. */
export async function undoOptOuts(db: Db, which: readonly string[], now: Date): Promise<number> {
  const { rows } = await db.execute(sql`
    update prospect_opt_outs o set undone_at = ${instantParam(now)} where ${isOf(which)} and undone_at is null returning 1`);
  return rows.length;
}

/** Forgets which profiles opted out before then, and the counts of dates before that one. */
export async function forgetOptOuts(
  db: Db,
  { before, day, limit }: { before: Date; day: string; limit: number },
): Promise<void> {
  await db.execute(sql`
    with named as (
      select profile_hash from prospect_opt_outs
      where profile_key is not null and created_at < ${instantParam(before)} order by created_at limit ${limit}
    ), forgotten as (
      update prospect_opt_outs o set profile_key = null from named where o.profile_hash = named.profile_hash
    )
    delete from prospect_opt_out_days where (day, subject) in (
      select d.day, d.subject from prospect_opt_out_days d where d.day < ${day}::date limit ${limit})`);
}
