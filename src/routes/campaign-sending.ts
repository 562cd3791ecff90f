import * as z from "zod";
import { CAMPAIGN_STATUSES, LEAD_STATUSES, PAUSED_REASONS } from "#src/domain/campaigns/read.ts";
import {
  explainSending,
  type Reason,
  type SendingStatus,
  type Today,
} from "#src/domain/campaigns/forecast/sending-status.ts";
import { CHECK_NAMES } from "#src/domain/campaigns/preflight/checks.ts";
import { instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CampaignParams } from "./campaign-schemas.ts";

const tag = "Campaigns";

export const SendingReason = z.object({
  code: z.string(),
  message: z.string(),
  until: instant.nullable().openapi({ description: "When it ends by itself, if that is known." }),
});
export const Reasons = z.array(SendingReason).openapi("SendingReasons");

const Budget = z.object({ used: z.int(), cap: z.int() });

export const SendingStatusBody = z
  .object({
    campaign_id: uuid,
    status: z.enum(CAMPAIGN_STATUSES),
    paused_reason: z.enum(PAUSED_REASONS).nullable(),
    sending: z.boolean().openapi({
      description:
        "Something is due, nothing stands against the campaign, and a sender of what is due is free now. `reasons` may still say which leads wait.",
    }),
    reasons: Reasons,
    warnings: z.array(z.object({ name: z.enum(CHECK_NAMES), message: z.string() })).openapi({
      description: "What a launch would warn of (preflight), as long as it holds.",
    }),
    next_send_at: instant.nullable().openapi({
      description: "By the forecast, if nothing changes; null when there is none within it.",
    }),
    window: z.object({
      timezone: z.string(),
      open: z.boolean(),
      open_from: instant.nullable(),
      open_until: instant.nullable(),
      zones: z
        .array(
          z.object({
            timezone: z.string(),
            open: z.boolean(),
            open_from: instant.nullable(),
            open_until: instant.nullable(),
            new_due: z.int(),
            follow_up_due: z.int(),
          }),
        )
        .optional()
        .openapi({
          description:
            "With `use_lead_timezone`: the window in each time zone of the leads, the first to be open first. `open_from` and `open_until` above are that one's.",
        }),
    }),
    today: z.object({
      date: z.string().nullable(),
      used: z.int(),
      daily_limit: z.int(),
      new_leads: z.int(),
      max_new_leads_per_day: z.int().nullable(),
    }),
    leads: z.object({
      new_due: z.int(),
      follow_up_due: z.int(),
      waiting: z.int(),
      held: z.int(),
      awaiting_draft: z.int(),
      awaiting_review: z.int(),
      awaiting_acceptance: z.int(),
      awaiting_notes: z.int(),
      in_flight: z.int(),
      next_due_at: instant.nullable(),
    }),
    senders: z.array(
      z.object({
        alias_id: uuid.nullable(),
        connected_account_id: uuid.nullable(),
        name: z.string().nullable(),
        email: z.string().nullable(),
        status: z.string().nullable(),
        sent_today: z.int(),
        cap_today: z.int(),
        budgets: z.object({ connections: Budget, messages: Budget }).nullable().openapi({
          description:
            "Of an account of a network: a profile view counts as a message. Null for an alias, which has one for all.",
        }),
        last_action_at: instant.nullable(),
        next_send_at: instant.nullable(),
        reasons: Reasons,
      }),
    ),
    lead: z
      .object({
        campaign_lead_id: uuid,
        lead_id: uuid,
        email: z.string().nullable(),
        status: z.enum(LEAD_STATUSES),
        next_step: z.int().nullable(),
        next_action_at: instant.nullable(),
        alias_id: uuid.nullable(),
        next_send_at: instant.nullable(),
        reasons: Reasons,
      })
      .optional(),
  })
  .openapi("SendingStatus");

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
export const wireReasons = (reasons: readonly Reason[]) =>
  reasons.map(({ until, ...reason }) => ({ ...reason, until: iso(until) }));

const windowBody = (timezone: string, window: Pick<Today, "isOpen" | "interval"> | undefined) => ({
  timezone,
  open: window?.isOpen ?? false,
  open_from: iso(window?.interval?.openFrom ?? null),
  open_until: iso(window?.interval?.openUntil ?? null),
});

const zoneBody = ({ timezone, newDue, followUpDue, ...window }: Today["zones"][number]) => ({
  ...windowBody(timezone, window),
  new_due: newDue,
  follow_up_due: followUpDue,
});

export function statusBody(found: SendingStatus): z.input<typeof SendingStatusBody> {
  const { campaign, today, queue, lead, next } = found;
  return {
    campaign_id: campaign.id,
    status: campaign.status,
    paused_reason: campaign.pausedReason,
    sending: found.sending,
    reasons: wireReasons(found.reasons),
    warnings: found.warnings,
    next_send_at: iso(next.campaign),
    window: campaign.useLeadTimezone
      ? { ...windowBody(campaign.timezone, today.zones[0]), zones: today.zones.map(zoneBody) }
      : windowBody(campaign.timezone, today),
    today: {
      date: today.interval?.day ?? null,
      used: today.used,
      daily_limit: campaign.dailyLimit,
      new_leads: today.usedNew,
      max_new_leads_per_day: campaign.maxNewLeadsPerDay,
    },
    leads: {
      new_due: queue.newDue,
      follow_up_due: queue.followUpDue,
      waiting: queue.waiting,
      held: queue.held,
      awaiting_draft: queue.awaitingDraft,
      awaiting_review: queue.awaitingReview,
      awaiting_acceptance: queue.awaitingAcceptance,
      awaiting_notes: queue.awaitingNotes,
      in_flight: queue.inFlight,
      next_due_at: iso(queue.nextDueAt),
    },
    senders: found.senders.map((sender) => ({
      alias_id: sender.kind === "email" ? sender.id : null,
      connected_account_id: sender.kind === "email" ? null : sender.id,
      name: sender.account?.name ?? sender.email,
      email: sender.email,
      status: sender.shownStatus ?? sender.aliasStatus,
      sent_today: sender.used,
      cap_today: sender.capToday,
      budgets: sender.budgets,
      last_action_at: iso(sender.lastSlotAt),
      next_send_at: iso(next.bySender.get(sender.id) ?? null),
      reasons: wireReasons(sender.reasons),
    })),
    ...(lead === undefined
      ? {}
      : {
          lead: {
            campaign_lead_id: lead.campaignLeadId,
            lead_id: lead.leadId,
            email: lead.email,
            status: lead.status,
            next_step: lead.nextStep,
            next_action_at: iso(lead.nextActionAt),
            alias_id: lead.aliasId,
            next_send_at: iso(next.lead),
            reasons: wireReasons(lead.reasons),
          },
        }),
  };
}

export const campaignSendingRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/campaigns/{campaign_id}/sending-status",
    id: "explainSending",
    scope: "campaigns:read",
    tag,
    summary: "Why a campaign, its senders or one lead do not send now, and when they will",
    description:
      "`lead_id` is the id of a lead or of a campaign lead. Reasons come from what the engine itself looks at; `next_send_at` from the forecast.",
    params: CampaignParams,
    query: z.object({ lead_id: uuid.optional() }),
    response: SendingStatusBody,
    handler: async ({ deps, principal, params, query }) =>
      statusBody(await explainSending(deps, principal, params.campaign_id, query.lead_id)),
  }),
];
