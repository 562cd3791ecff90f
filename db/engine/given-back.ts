import { type SQL, sql } from "drizzle-orm";
import { mayUse } from "./lane-slots.ts";
import { heirs } from "./lanes.ts";
import { otherSenders } from "./wake-few.ts";

/** Sends that a statement has judged, and which of them gave their places back. */
export interface Judged {
  /** The CTE that has them, and its name among other tables. */
  rows: "verdict" | "swept";
  as: "v" | "s";
  /** Of the columns of `rows`, each after this prefix. */
  gaveBack(prefix: string): string;
}

/** The lanes that this concerns (`look`), each with its sends: their own, the heirs of their leads, and lanes that can use what came back. */
export const lanesConcerned = ({ rows: name, as, gaveBack }: Judged, at: SQL): SQL => {
  const [rows, one] = [sql.raw(name), sql.raw(as)];
  return sql`(
        select lane_id, id, true as is_own, false as is_heir from ${rows}
        union all
        select other.lane_id, ${one}.id, false, false from ${rows} ${one} cross join lateral (${otherSenders(one)}) other
        where ${sql.raw(gaveBack(`${as}.`))}
        union all
        ${heirs(rows)}
      ) look
      join ${rows} ${one} on ${one}.id = look.id join sender_lanes lane on lane.id = look.lane_id join campaigns c on c.id = ${one}.campaign_id
      where look.is_own or look.is_heir or (${mayUse(one, at)})
      group by look.lane_id`;
};

/** Takes them off what their campaigns have used, while the date is the one that they were counted on. */
export const refundCampaigns = ({ rows, gaveBack }: Judged): SQL => sql`
    update campaigns c set used = c.used - least(c.used, x.refunds::int), used_new = c.used_new - least(c.used_new, x.new_refunds::int)
    from (select campaign_id, campaign_day, count(*) as refunds, count(*) filter (where is_new) as new_refunds
          from ${sql.raw(rows)} where ${sql.raw(gaveBack(""))} group by campaign_id, campaign_day) x
    where c.id = x.campaign_id and c.open_day = x.campaign_day`;
