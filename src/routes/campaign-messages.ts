import * as z from "zod";
import {
  type CampaignMessage,
  findCampaignMessages,
  MESSAGE_KINDS,
} from "#src/domain/campaigns/campaign-messages.ts";
import { date, instant, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CursorQuery, NO_CURSOR, pageOf, toPage } from "#src/http/pagination.ts";
import { CampaignParams } from "./campaign-schemas.ts";

const Body = z
  .object({
    id: uuid,
    kind: z.enum(MESSAGE_KINDS).openapi({
      description:
        "`failed`: the receiver refused it at once. On a network also an invitation or a visit.",
    }),
    at: instant.openapi({ description: "When it left." }),
    date: z.string().openapi({
      description: "Of the campaign's time zone: the day to which it counts, as in its stats.",
    }),
    assumed: z.boolean().openapi({
      description: "No answer says that it arrived, and none in 24 hours that it did not.",
    }),
    campaign_lead_id: uuid,
    lead_id: uuid.nullable(),
    email: z.string().nullable(),
    profile_url: z.string().nullable(),
    step: z.int(),
    variant_label: z.string().nullable(),
    alias_id: uuid.nullable(),
    connected_account_id: uuid.nullable(),
    subject: z.string().nullable(),
    reason: z.string().nullable().openapi({
      description: "What a server answered, where it was refused or came back.",
      example: "550 5.1.1 User unknown",
    }),
    opened: z.boolean(),
    clicked: z.boolean(),
    replied_at: instant.nullable(),
    auto_replied_at: instant.nullable(),
    bounced_at: instant.nullable(),
    soft_bounced_at: instant.nullable(),
    unsubscribed_at: instant.nullable(),
    complained_at: instant.nullable(),
  })
  .openapi("CampaignMessage");

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const messageBody = (message: CampaignMessage): z.input<typeof Body> => ({
  id: message.id,
  kind: message.kind,
  at: message.at.toISOString(),
  date: message.day,
  assumed: message.assumed,
  campaign_lead_id: message.campaignLeadId,
  lead_id: message.leadId,
  email: message.email,
  profile_url: message.profileUrl,
  step: message.step,
  variant_label: message.variantLabel,
  alias_id: message.budget === "" ? message.laneId : null,
  connected_account_id: message.budget === "" ? null : message.laneId,
  subject: message.subject,
  reason: message.reason,
  opened: message.opened,
  clicked: message.clicked,
  replied_at: iso(message.repliedAt),
  auto_replied_at: iso(message.autoRepliedAt),
  bounced_at: iso(message.bouncedAt),
  soft_bounced_at: iso(message.softBouncedAt),
  unsubscribed_at: iso(message.unsubscribedAt),
  complained_at: iso(message.complainedAt),
});

const placeOf = ({ day, slotAt, id }: CampaignMessage): string =>
  `${day}:${slotAt.getTime()}:${id}`;

const Cursor = CursorQuery.shape.cursor
  .transform((place, context) => {
    if (place === undefined) return undefined;
    const [, day, at, id] = /^([\d-]{10}):(\d{1,14}):(.+)$/.exec(place) ?? [];
    if (date.safeParse(day).success && uuid.safeParse(id).success)
      return { day: day!, slotAt: new Date(Number(at)), id: id! };
    context.addIssue(NO_CURSOR);
    return z.NEVER;
  })
  .openapi({ type: "string" });

export const campaignMessageRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/campaigns/{campaign_id}/messages",
    id: "listCampaignMessages",
    scope: "campaigns:read",
    tag: "Campaigns",
    summary: "List what a campaign sent, the earliest first, with what came of each",
    description:
      "The messages that its stats count; with `date` those of one day of the campaign's time zone. What is to come is in its forecast.",
    params: CampaignParams,
    query: CursorQuery.extend({ date: date.optional(), cursor: Cursor }),
    response: pageOf(Body),
    handler: async ({ deps, principal, params, query: { date: day, cursor: after, limit } }) => {
      const page = { day, after, limit };
      const rows = await findCampaignMessages(deps, principal, params.campaign_id, page);
      return toPage(rows, limit, placeOf, messageBody);
    },
  }),
];
