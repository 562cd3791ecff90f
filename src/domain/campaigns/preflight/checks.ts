import type { CampaignRow } from "#db/schema/index.ts";
import type { LaunchInputs } from "#db/campaigns/launch-inputs.ts";

export const CHECK_NAMES = [
  "has_leads",
  "aliases_active",
  "alias_domain_verified",
  "connected_account_ready",
  "templates_exist",
  "variables_resolve",
  "window_valid",
  "credits_sufficient",
  "sender_profile",
  "unsubscribe_present",
  "postal_address",
  "suppressed_share",
  "daily_limit_vs_capacity",
  "replies_return",
  "open_tracking_weight",
  "verification_share",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** `ok` false with severity error stops the launch; a warning is only said. */
export interface Check {
  name: CheckName;
  ok: boolean;
  severity: "error" | "warning";
  message: string;
}

export type CheckedCampaign = Pick<
  CampaignRow,
  | "id"
  | "workspaceId"
  | "datasetId"
  | "type"
  | "aliasIds"
  | "connectedAccountId"
  | "steps"
  | "timezone"
  | "useLeadTimezone"
  | "sendingWindowStart"
  | "sendingWindowEnd"
  | "sendDays"
  | "dailyLimit"
  | "minIntervalSeconds"
  | "unreviewedLaunchPolicy"
>;

/** The inputs of the checks: from the database, and from the deployment's settings. */
export interface CheckInputs extends LaunchInputs {
  isModelConfigured: boolean;
  isNetworkConfigured: boolean;
}

export const passed = (name: CheckName, message: string): Check => ({
  name,
  ok: true,
  severity: "error",
  message,
});
export const failed = (name: CheckName, message: string): Check => ({
  name,
  ok: false,
  severity: "error",
  message,
});
export const warned = (name: CheckName, message: string): Check => ({
  name,
  ok: false,
  severity: "warning",
  message,
});
