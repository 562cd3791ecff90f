import { and, eq, sql } from "drizzle-orm";
import { commit, type Db } from "../base/client.ts";
import {
  capLanes,
  type DaySpan,
  lockQuotas,
  recordSpentStatement,
  reallotStatement,
  wakeLanesForAll,
} from "../engine/index.ts";
import { instantParam } from "../base/instants.ts";
import { ownedBy } from "../base/owned.ts";
import { mailDomainColumns, type MailDomainRow } from "./domains.ts";
import { mailAliases, mailDomains } from "../schema/index.ts";

export interface LimitChange {
  dailyLimit: number | null;
  /** What each of its aliases, as it was read, may send today by itself. */
  caps: { id: string; cap: number; updatedAt: Date }[];
  /** The zone that `days` were computed in. */
  timezone: string;
  /** The days that lanes may be at: today, and tomorrow for sends that are claimed ahead. */
  days: DaySpan[];
  now: Date;
}

/** The aliases of a domain, with what their caps are computed from. */
export async function listDomainSenders(db: Db, workspaceId: string, domainId: string) {
  const { id, dailyLimit, ramp, createdAt, updatedAt } = mailAliases;
  return db
    .select({ id, dailyLimit, ramp, createdAt, updatedAt })
    .from(mailAliases)
    .where(and(eq(mailAliases.workspaceId, workspaceId), eq(mailAliases.domainId, domainId)));
}

/**
 * Sets the daily limit of a domain and deals it out anew for the days that have
 * begun, what was sent on them coming off first. Senders that have room again look
 * for work. Undefined when the domain is gone, or the workspace has another zone.
 */
export async function setDomainLimit(
  db: Db,
  { workspaceId, id }: Pick<MailDomainRow, "workspaceId" | "id">,
  { dailyLimit, caps, timezone, days, now }: LimitChange,
): Promise<MailDomainRow | undefined> {
  const at = instantParam(now);
  const isAsRead = sql`exists (select 1 from workspaces w where w.id = ${workspaceId} and w.timezone = ${timezone})`;
  const isMine = sql`a.workspace_id = ${workspaceId} and a.domain_id = ${id}
    and exists (select 1 from mail_domains d where d.id = a.domain_id and d.updated_at = ${at})`;
  const results = await commit(db, [
    lockQuotas(db, workspaceId),
    db
      .update(mailDomains)
      .set({ dailyLimit, revision: sql`${mailDomains.revision} + 1`, updatedAt: now })
      .where(and(ownedBy(mailDomains, workspaceId, id), isAsRead))
      .returning(mailDomainColumns),
    db.execute(sql`
      select lane.id from sender_lanes lane where lane.id in (select a.id from mail_aliases a where ${isMine})
      order by lane.id for update`),
    db.execute(
      capLanes(
        {
          from: sql`jsonb_to_recordset(${JSON.stringify(caps)}::jsonb) as own(id uuid, cap int, "updatedAt" timestamptz), mail_aliases a`,
          where: sql`lane.id = own.id and a.id = lane.id and a.updated_at = own."updatedAt" and ${isMine}`,
        },
        sql`own.cap`,
        at,
      ),
    ),
    ...recordSpentStatement(db, sql`d.id = ${id} and d.updated_at = ${at}`, days),
    reallotStatement(db, isMine, now),
    db.execute(
      wakeLanesForAll(
        {
          from: sql`mail_aliases a`,
          where: sql`lane.id = a.id and ${isMine} and lane.used < lane.day_cap
            and lane.day_until > ${at} and lane.next_slot_at is not null`,
        },
        at,
      ),
    ),
  ]);
  return results[1][0];
}
