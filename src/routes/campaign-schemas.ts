import * as z from "zod";
import { missingFields } from "#src/domain/campaigns/config.ts";
import {
  type ListedCampaign,
  CAMPAIGN_STATUSES,
  CAMPAIGN_TYPES,
  LAUNCH_POLICIES,
  LAUNCH_TYPES,
  PAUSED_REASONS,
  WEEKDAYS,
} from "#src/domain/campaigns/read.ts";
import { stepFaults } from "#src/domain/campaigns/steps.ts";
import { snakeKeys } from "#src/http/case.ts";
import { instant, instantWithOffset, text, timeZone, uuid } from "#src/http/fields.ts";
import { Step, StepInput } from "./campaign-steps.ts";

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;
const timeOfDay = z
  .string()
  .regex(TIME_OF_DAY, "must be a time HH:MM or HH:MM:SS")
  .transform((time) => (time.length === 5 ? `${time}:00` : time))
  .openapi({ type: "string", pattern: TIME_OF_DAY.source, example: "09:00:00" });

const MON_TO_FRI = WEEKDAYS.slice(0, 5);

const sendDays = z
  .array(z.enum(WEEKDAYS))
  .min(1)
  .refine((days) => new Set(days).size === days.length, "names a day twice")
  .transform((days) => WEEKDAYS.filter((day) => days.includes(day)))
  .nullable()
  .transform((days) => days ?? MON_TO_FRI)
  .openapi({
    type: ["array", "null"],
    items: { type: "string", enum: [...WEEKDAYS] },
    minItems: 1,
    uniqueItems: true,
  });

const useLeadTimezone = z.boolean().openapi({
  description:
    "Window and `send_days` are read in each lead's own time zone, or in `timezone` where that is unknown. `daily_limit` and `max_new_leads_per_day` still count by the dates of `timezone`.",
});

const Fields = z.object({
  name: text(255),
  dataset_id: uuid,
  steps: z.array(StepInput).min(1).max(10),
  description: z.literal("").or(text(1000)).nullable(),
  type: z.enum(CAMPAIGN_TYPES),
  alias_ids: z.array(uuid).max(200).nullable(),
  connected_account_id: uuid.nullable(),
  launch_type: z.enum(LAUNCH_TYPES),
  start_date: instantWithOffset
    .nullable()
    .openapi({ type: ["string", "null"], format: "date-time" }),
  daily_limit: z.int().min(1).max(10_000),
  max_new_leads_per_day: z.int().min(1).max(10_000).nullable(),
  sending_window_start: timeOfDay,
  sending_window_end: timeOfDay,
  min_interval_seconds: z.int().min(60).max(3600),
  timezone: timeZone,
  use_lead_timezone: useLeadTimezone,
  send_days: sendDays,
  system_prompt: text(5000).min(100).nullable(),
  unreviewed_launch_policy: z.enum(LAUNCH_POLICIES),
  stop_on_reply: z.boolean(),
  stop_on_auto_reply: z.boolean(),
  stop_on_company_reply: z.boolean(),
});

export const CreateFields = Fields.extend({
  description: Fields.shape.description.default(null),
  type: Fields.shape.type.default("email"),
  alias_ids: Fields.shape.alias_ids.default(null),
  connected_account_id: Fields.shape.connected_account_id.default(null),
  launch_type: Fields.shape.launch_type.default("immediate"),
  start_date: Fields.shape.start_date.default(null),
  daily_limit: Fields.shape.daily_limit.default(500),
  max_new_leads_per_day: Fields.shape.max_new_leads_per_day.default(null),
  sending_window_start: timeOfDay.default("09:00:00").openapi({ default: "09:00:00" }),
  sending_window_end: timeOfDay.default("17:00:00").openapi({ default: "17:00:00" }),
  min_interval_seconds: Fields.shape.min_interval_seconds.default(300),
  timezone: Fields.shape.timezone.default("UTC"),
  use_lead_timezone: useLeadTimezone.default(false),
  send_days: sendDays.default(MON_TO_FRI).openapi({ default: MON_TO_FRI }),
  system_prompt: Fields.shape.system_prompt.default(null),
  unreviewed_launch_policy: Fields.shape.unreviewed_launch_policy.default("launch_default"),
  stop_on_reply: z.boolean().default(true),
  stop_on_auto_reply: z.boolean().default(false),
  stop_on_company_reply: z.boolean().default(false),
});

export const CampaignCreate = CreateFields.superRefine((body, context) => {
  addStepFaults(context, body.steps, body.type);
  const { type, alias_ids, connected_account_id, launch_type, start_date } = body;
  const missing = missingFields({
    type,
    aliasIds: alias_ids,
    connectedAccountId: connected_account_id,
    launchType: launch_type,
    startDate: start_date,
  });
  for (const { field, message } of missing)
    context.addIssue({ code: "custom", path: [field], message });
}).openapi("CampaignCreate", {
  example: {
    name: "Spring outreach",
    dataset_id: "01a1fc0c-6921-718e-aa4a-ab45df202f28",
    alias_ids: ["01a1fc0c-6921-718e-aa4a-ab45df202f29"],
    steps: [
      {
        step: 1,
        variants: [
          {
            type: "INLINE",
            subject: 'Hello {{ first_name | default: "there" }}',
            body: '<p>A word about {{ company | default: "your team" }}.</p>',
          },
        ],
      },
    ],
  },
});

/** Without the campaign's type, a change of steps is judged as far as the list tells; the rest needs the stored campaign. */
export const CampaignChange = Fields.partial()
  .superRefine((body, context) => {
    if (body.steps !== undefined) addStepFaults(context, body.steps, body.type ?? null);
  })
  .openapi("CampaignChange");

export function addStepFaults(
  context: z.RefinementCtx,
  steps: z.output<typeof StepInput>[],
  type: (typeof CAMPAIGN_TYPES)[number] | null,
): void {
  for (const { path, message } of stepFaults(steps, type))
    context.addIssue({ code: "custom", path: ["steps", ...path], message });
}

export const CampaignBody = z
  .object({
    campaign_id: uuid,
    user_id: uuid,
    dataset_id: uuid,
    name: z.string(),
    description: z.string().nullable(),
    type: z.enum(CAMPAIGN_TYPES),
    status: z.enum(CAMPAIGN_STATUSES),
    launch_type: z.enum(LAUNCH_TYPES),
    start_date: instant.nullable(),
    daily_limit: z.int(),
    max_new_leads_per_day: z.int().nullable(),
    min_interval_seconds: z.int(),
    sending_window_start: z.string(),
    sending_window_end: z.string(),
    timezone: z.string(),
    use_lead_timezone: z.boolean(),
    send_days: z.array(z.enum(WEEKDAYS)),
    steps_config: z.array(Step),
    alias_ids: z.array(z.string()).nullable(),
    connected_account_id: uuid.nullable(),
    total_leads: z.int().nullable(),
    processed_leads: z.int(),
    launch_job_id: z.string().nullable(),
    launch_requested_at: instant.nullable(),
    launched_at: instant.nullable(),
    launch_error: z.string().nullable(),
    system_prompt: z.string().nullable(),
    unreviewed_launch_policy: z.enum(LAUNCH_POLICIES),
    stop_on_reply: z.boolean(),
    stop_on_auto_reply: z.boolean(),
    stop_on_company_reply: z.boolean(),
    paused_reason: z.enum(PAUSED_REASONS).nullable(),
    reviewed_at: instant.nullable(),
    playground_discovery_dismissed_at: instant.nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .openapi("Campaign");

/** The engine's own columns, and what has another name on the wire. */
const UNNAMED = new Set([
  "id",
  "workspaceId",
  // Version 1 has the bytes of before it: `include=file` tells it.
  "externalId",
  "steps",
  "configVersion",
  "firstChannel",
  "launchCursor",
  "scheduleGeneration",
  "pausedFrom",
  "guardSince",
  "messagesEndedAt",
  "openFrom",
  "openUntil",
  "openDay",
  "used",
  "usedNew",
  "deletedAt",
  "total",
] as const);

/** A campaign on the wire: what is named above. */
export function campaignBody(campaign: ListedCampaign): z.input<typeof CampaignBody> {
  const { id: campaign_id, steps: steps_config } = campaign;
  // Added and not spread: a second copy of fifty records was a tenth of what their list costs.
  return Object.assign(snakeKeys(campaign, UNNAMED), { campaign_id, steps_config });
}

export const CampaignParams = z.object({ campaign_id: uuid });
