import { sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { pauseWithNotice } from "./pause.ts";
import { usableSender } from "../base/fragments/usable.ts";
import { guardedRows } from "./sums.ts";

export interface GuardRules {
  /** Rates are taken over the mails since the hour that this lies in, or since the campaign was last resumed. */
  since: Date;
  minimumSends: number;
  bouncesPerThousand: number;
  complaintsPerThousand: number;
}

/** Pauses the given campaigns whose rates are over the limits, and owes their owners a notice. Answers which. */
export async function pauseBadlyReceived(
  db: Db,
  campaignIds: string[],
  rules: GuardRules,
  now: Date,
): Promise<string[]> {
  if (campaignIds.length === 0) return [];
  const { rows } = await db.execute(sql`
    with counted as (
      select campaign_id, sum(messages) as sent, sum(bounced) as bounced, sum(complained) as complained
      from (${guardedRows(sql`${sql.param(campaignIds)}::uuid[]`, instantParam(rules.since))}) x group by campaign_id
    ), verdict as (
      select campaign_id, case
        when complained > 0 and complained * 1000 >= sent * ${rules.complaintsPerThousand} then 'complaint_rate_exceeded'
        when bounced > 0 and bounced * 1000 >= sent * ${rules.bouncesPerThousand} then 'bounce_rate_exceeded' end as reason
      from counted where sent >= ${rules.minimumSends}
    ), ${pauseWithNotice(sql`v.reason`, sql`c.id = v.campaign_id and v.reason is not null`, now, sql`from verdict v`)}`);
  return rows.map((row) => row["id"] as string);
}

const isStranded = sql`c.type = 'email' and not exists (
  select 1 from campaign_senders cs join sender_lanes lane on lane.id = cs.lane_id join mail_aliases a on a.id = cs.lane_id
  where cs.campaign_id = c.id and lane.open and ${usableSender})`;

/** Pauses running email campaigns without a sender that can still send. Answers which. */
export async function pauseStranded(db: Db, now: Date): Promise<string[]> {
  const { rows } = await db.execute(sql`
    with ${pauseWithNotice(sql`'no_sender_available'`, isStranded, now)}`);
  return rows.map((row) => row["id"] as string);
}
