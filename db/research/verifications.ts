import { sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { bool, instant, orNull, rowReader, text } from "../base/rows.ts";

export interface KeptVerification {
  reason: string;
  backend: string;
  hasMx: boolean | null;
  isCatchAll: boolean | null;
  checkedAt: Date;
  expiresAt: Date;
}

const readCached = rowReader({
  reason: orNull(text),
  backend: orNull(text),
  hasMx: orNull(bool),
  isCatchAll: orNull(bool),
  checkedAt: orNull(instant),
  expiresAt: orNull(instant),
  probingUntil: orNull(instant),
  domainIsCatchAll: orNull(bool),
});

/** What is kept of an address and of its domain; what has expired of the domain is left out. */
export async function readVerification(db: Db, keyHash: string, domain: string, now: Date) {
  const { rows } = await db.execute(sql`
    select a.reason, a.backend, a.has_mx, a.is_catch_all, a.checked_at, a.expires_at, a.probing_until,
      d.is_catch_all as domain_is_catch_all
    from (select 1) one
    left join verified_addresses a on a.key_hash = ${keyHash}
    left join verified_domains d on d.domain = ${domain} and d.expires_at > ${instantParam(now)}
  `);
  return readCached(rows[0]!);
}

/** True for the one who may ask; the others wait for the answer. False, too, when it was answered since `seen`. */
export async function claimProbing(
  db: Db,
  keyHash: string,
  { now, until, seen }: { now: Date; until: Date; seen: Date | null },
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    insert into verified_addresses (key_hash, probing_until) values (${keyHash}, ${instantParam(until)})
    on conflict (key_hash) do update set probing_until = excluded.probing_until
    where (verified_addresses.probing_until is null or verified_addresses.probing_until <= ${instantParam(now)})
      and verified_addresses.checked_at is not distinct from ${seen === null ? sql`null` : instantParam(seen)}
    returning key_hash
  `);
  return rows.length > 0;
}

/** Ends the probing without an answer worth keeping. */
export async function endProbing(db: Db, keyHash: string): Promise<void> {
  await db.execute(
    sql`update verified_addresses set probing_until = null where key_hash = ${keyHash}`,
  );
}

/** Keeps an answer, and what it taught of the domain. */
export async function keepVerification(
  db: Db,
  keyHash: string,
  kept: KeptVerification,
  learnt: { domain: string; isCatchAll: boolean; expiresAt: Date } | null,
): Promise<void> {
  const { reason, backend, hasMx, isCatchAll, checkedAt, expiresAt } = kept;
  const answer = db.execute(sql`
    insert into verified_addresses (key_hash, reason, backend, has_mx, is_catch_all, checked_at, expires_at)
    values (${keyHash}, ${reason}, ${backend}, ${hasMx}, ${isCatchAll}, ${instantParam(checkedAt)}, ${instantParam(expiresAt)})
    on conflict (key_hash) do update set reason = excluded.reason, backend = excluded.backend,
      has_mx = excluded.has_mx, is_catch_all = excluded.is_catch_all, checked_at = excluded.checked_at,
      expires_at = excluded.expires_at, probing_until = null
  `);
  if (learnt === null) {
    await answer;
    return;
  }
  await commit(db, [
    answer,
    db.execute(sql`
      insert into verified_domains (domain, is_catch_all, checked_at, expires_at)
      values (${learnt.domain}, ${learnt.isCatchAll}, ${instantParam(checkedAt)}, ${instantParam(learnt.expiresAt)})
      on conflict (domain) do update set is_catch_all = excluded.is_catch_all,
        checked_at = excluded.checked_at, expires_at = excluded.expires_at
    `),
  ]);
}
