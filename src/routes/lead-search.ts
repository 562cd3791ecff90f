import * as z from "zod";
import { findLeads, LEADS_LOOKED_AT, requireLeadAnywhere } from "#src/domain/people/leads/leads.ts";
import {
  timelineOf,
  TIMELINE_KINDS,
  type TimelineItem,
} from "#src/domain/campaigns/lead-timeline.ts";
import { instant, text, uuid, wholeNumberOr } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CursorQuery, NO_CURSOR, pageOf, toPage } from "#src/http/pagination.ts";
import { asRevised, LeadBody, leadBody } from "./leads.ts";

const MAX_TIMELINE_DAYS = 31;

const TimelineBody = z
  .object({
    at: instant,
    kind: z.enum(TIMELINE_KINDS),
    campaign_id: uuid.nullable(),
    step: z.int().nullable(),
    email_id: uuid.nullable().openapi({ description: "Of a single message." }),
    conversation_id: uuid.nullable(),
    machine: z.boolean().openapi({
      description: "No person did it: a scanner's open, an automatic answer, a bounce.",
    }),
    forecast: z.boolean().openapi({
      description: "It has not happened: it will, as long as nothing changes.",
    }),
    detail: z.string().nullable().openapi({
      description:
        "By the kind: a subject, a link, what a server answered, the class of an answer, the reason of a suppression.",
      example: "Schools in Texas",
    }),
  })
  .openapi("TimelineItem");

const timelineItem = ({ key: _key, ...item }: TimelineItem): z.input<typeof TimelineBody> => ({
  at: item.at.toISOString(),
  kind: item.kind,
  campaign_id: item.campaignId,
  step: item.step,
  email_id: item.emailId,
  conversation_id: item.conversationId,
  machine: item.machine,
  forecast: item.forecast,
  detail: item.detail,
});

export const leadSearchRoutes: Mount[] = [
  operation({
    method: "get",
    path: "/api/v1/leads",
    id: "findLeads",
    scope: "leads:read",
    tag: "Leads",
    summary: "Find leads in all datasets",
    description: `In the order of their datasets and rows. A whole address is found at once, and only itself; of a part ${LEADS_LOOKED_AT.toLocaleString("en")} leads are looked at at a time: a page with few items, or none, is not the last while \`has_more\` is true.`,
    query: CursorQuery.extend({
      q: text(320).openapi({
        description: "A part of the address, the name or the company, whatever its case.",
        example: "ada@example.com",
      }),
      cursor: CursorQuery.shape.cursor
        .transform((place, context) => {
          if (place === undefined) return undefined;
          const [datasetId = "", row = ""] = place.split(":");
          if (uuid.safeParse(datasetId).success && /^\d{1,9}$/.test(row))
            return { datasetId, rowIndex: Number(row) };
          context.addIssue(NO_CURSOR);
          return z.NEVER;
        })
        .openapi({ type: "string" }),
    }),
    response: pageOf(LeadBody),
    handler: async ({ deps, principal, query: { q: part, cursor: after, limit } }) => {
      const { rows, reached } = await findLeads(deps, principal, { part, after, limit });
      const keyOf = (lead: { datasetId: string; rowIndex: number }) =>
        `${lead.datasetId}:${lead.rowIndex}`;
      return toPage(rows, limit, keyOf, leadBody, reached && keyOf(reached));
    },
  }),
  operation({
    method: "get",
    path: "/api/v1/leads/{lead_id}",
    id: "findLead",
    record: "leads",
    scope: "leads:read",
    tag: "Leads",
    summary: "Get a lead of any dataset",
    params: z.object({ lead_id: uuid }),
    response: LeadBody,
    handler: async ({ deps, principal, params: { lead_id } }) =>
      asRevised(await requireLeadAnywhere(deps, principal, lead_id)),
  }),
  operation({
    method: "get",
    path: "/api/v1/leads/{lead_id}/timeline",
    id: "getLeadTimeline",
    scope: "leads:read",
    tag: "Leads",
    summary: "What happened with a lead, and what will",
    description:
      "The newest first, what is still to come before it: of its campaigns, of single messages to its address, and of its threads. Messages to come are those of the forecast, of the five running campaigns that write to it next.",
    params: z.object({ lead_id: uuid }),
    query: CursorQuery.extend({
      days: wholeNumberOr(14, 0, MAX_TIMELINE_DAYS).openapi({
        description: "How far the forecast goes; 0 for what happened alone.",
      }),
      cursor: CursorQuery.shape.cursor
        .transform((place, context) => {
          if (place === undefined) return undefined;
          const [, ms = "", key = ""] = /^(\d{1,14})\|([a-z_]+:[0-9a-f:-]+)$/.exec(place) ?? [];
          if (key !== "") return { at: new Date(Number(ms)), key };
          context.addIssue(NO_CURSOR);
          return z.NEVER;
        })
        .openapi({ type: "string" }),
    }),
    response: pageOf(TimelineBody),
    handler: async ({ deps, principal, params: { lead_id }, query }) => {
      const { days, cursor: after, limit } = query;
      const items = await timelineOf(deps, principal, lead_id, { days, after, limit });
      return toPage(items, limit, ({ at, key }) => `${at.getTime()}|${key}`, timelineItem);
    },
  }),
];
