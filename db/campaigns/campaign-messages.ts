import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { instantParam } from "../base/instants.ts";
import { bool, instant, integer, orNull, rowReader, text, typed } from "../base/rows.ts";
import type { Budget, CampaignRow } from "../schema/index.ts";
import { DEED } from "./deed.ts";

export const MESSAGE_KINDS = ["sent", "invited", "visited", "failed"] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** What a step did with a lead, and what came of it since. */
export type CampaignMessage = ReturnType<typeof readMessage>;
const readMessage = rowReader({
  id: text,
  kind: typed<MessageKind>(),
  /** A date of the campaign's zone. */
  day: text,
  slotAt: instant,
  at: instant,
  /** No answer of the relay says that it was taken. */
  assumed: bool,
  campaignLeadId: text,
  leadId: orNull(text),
  email: orNull(text),
  profileUrl: orNull(text),
  step: integer,
  variantLabel: orNull(text),
  laneId: text,
  /** Of an account of a network; '' where an alias sent. */
  budget: typed<Budget>(),
  subject: orNull(text),
  reason: orNull(text),
  opened: bool,
  clicked: bool,
  repliedAt: orNull(instant),
  autoRepliedAt: orNull(instant),
  bouncedAt: orNull(instant),
  softBouncedAt: orNull(instant),
  unsubscribedAt: orNull(instant),
  complainedAt: orNull(instant),
});

/** By the day to which a message counts, then by its slot, which does not change any more once it is out. */
export interface MessagePlace {
  day: string;
  slotAt: Date;
  id: string;
}

export interface MessagePage {
  /** A date of the campaign's zone. */
  day?: string | undefined;
  after?: MessagePlace | undefined;
  limit: number;
}

/** What of a campaign went out, the earliest first: one more than `limit`. */
export async function listCampaignMessages(
  db: Db,
  campaign: Pick<CampaignRow, "id">,
  page: MessagePage,
): Promise<CampaignMessage[]> {
  const { rows } = await db.execute(messagesQuery(campaign, page));
  return rows.map(readMessage);
}

/** Reads the index `sends_campaign_day` from the place on, and no more than it answers. */
export function messagesQuery(
  { id }: Pick<CampaignRow, "id">,
  { day, after, limit }: MessagePage,
): SQL {
  const isOfDay = day === undefined ? sql`true` : sql`s.campaign_day = ${day}::date`;
  const isBehind =
    after === undefined
      ? sql`true`
      : sql`(s.campaign_day, s.slot_at, s.id) > (${after.day}::date, ${instantParam(after.slotAt)}, ${after.id}::uuid)`;
  return sql`
    select s.id, ${DEED} as kind, s.campaign_day::text as day, s.slot_at, coalesce(s.accepted_at, s.transmitting_at, s.slot_at) as at,
           s.state = 'assumed_sent' as assumed, s.campaign_lead_id, l.lead_id, l.email, l.profile_url, s.step, s.variant_label,
           s.lane_id, s.budget, s.subject, case when s.state = 'rejected' or s.bounced_at is not null or s.soft_bounced_at is not null then s.reason end as reason,
           s.opens > 0 as opened, s.clicks > 0 as clicked,
           s.replied_at, s.auto_replied_at, s.bounced_at, s.soft_bounced_at, s.unsubscribed_at, s.complained_at
    from sends s
    left join send_bodies b on b.send_id = s.id
    left join campaign_leads l on l.id = s.campaign_lead_id
    where s.campaign_id = ${id} and s.state in ('accepted', 'assumed_sent', 'rejected') and ${isOfDay} and ${isBehind}
    order by s.campaign_day, s.slot_at, s.id limit ${limit + 1}`;
}
