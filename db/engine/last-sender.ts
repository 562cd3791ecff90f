import { type SQL, sql } from "drizzle-orm";

/** The sender of the campaign lead's last step on the channel, if it still belongs to the campaign; none where the channel is null. A select of `lane_id`. */
export const lastSenderOn = (channel: SQL, campaignLeadId: SQL): SQL => sql`
  select before.lane_id from sends before
  join sender_lanes lane on lane.id = before.lane_id
  join campaign_senders cs on cs.campaign_id = before.campaign_id and cs.lane_id = before.lane_id
  where ${channel} is not null and before.campaign_lead_id = ${campaignLeadId} and lane.kind = ${channel}
  order by before.step desc limit 1`;
