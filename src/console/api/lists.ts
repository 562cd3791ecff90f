// Written by `npm run openapi` from what the service knows. Not edited by hand.
import type { CampaignStatus } from "./schema.ts";

/** The texts of a lead, in the order of an export. */
export const LEAD_TEXTS = ["email","first_name","last_name","full_name","company","title","profile_url","phone","website","location","country","timezone"] as const;

/** The fields of a campaign that may change, by its status. */
export const CHANGEABLE: Record<CampaignStatus, readonly string[] | "everything"> = {
  draft: "everything",
  failed: "everything",
  scheduled: ["name","description","daily_limit","max_new_leads_per_day","min_interval_seconds","sending_window_start","sending_window_end","send_days","use_lead_timezone","unreviewed_launch_policy","steps","start_date"],
  active: ["name","description","daily_limit","max_new_leads_per_day","min_interval_seconds","sending_window_start","sending_window_end","send_days","use_lead_timezone","unreviewed_launch_policy","steps"],
  paused: ["name","description","daily_limit","max_new_leads_per_day","min_interval_seconds","sending_window_start","sending_window_end","send_days","use_lead_timezone","unreviewed_launch_policy","steps","alias_ids","connected_account_id","system_prompt","timezone"],
  launching: ["name","description"],
  draining: ["name","description"],
  completed: ["name","description"],
};
