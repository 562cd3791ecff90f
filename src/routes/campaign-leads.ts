import * as z from "zod";
import {
  addLeads,
  approvedSteps,
  type CampaignLead,
  findCampaignLeads,
  LEAD_ORDERS,
  LOOKED_AT,
  placeOf,
  requireCampaignLead,
} from "#src/domain/campaigns/leads.ts";
import { exportCampaignLeads } from "#src/domain/campaigns/export-leads.ts";
import { LEAD_STATUSES } from "#src/domain/campaigns/read.ts";
import type { Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { snakeKeys } from "#src/http/case.ts";
import { CSV_NOTE, csvReply } from "#src/http/csv-reply.ts";
import { instant, ownedFields, text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { CursorQuery, NO_CURSOR, pageOf, toPage } from "#src/http/pagination.ts";
import { CampaignParams } from "./campaign-schemas.ts";

const tag = "Campaign leads";
const PATH = "/api/v1/campaigns/{campaign_id}/leads";
const ONE = "/api/v1/campaigns/{campaign_id}/leads/{campaign_lead_id}";

const Body = z
  .object({
    ...ownedFields,
    campaign_id: uuid,
    lead_id: uuid,
    dataset_id: uuid,
    row_index: z.int().describe("The lead's running number in its dataset."),
    email: z.string().nullable(),
    profile_url: z.string().nullable(),
    status: z.enum(LEAD_STATUSES),
    current_step: z.int(),
    next_step: z.int().nullable(),
    next_action_at: instant.nullable(),
    alias_id: uuid.nullable(),
    connected_account_id: uuid.nullable(),
    timezone: z.string().nullable(),
    hold_until: instant.nullable(),
    hold_reason: z.string().nullable(),
    approved_steps: z.array(z.int()),
    stop_reason: z
      .string()
      .regex(/^[a-z0-9_]+$/)
      .nullable()
      .describe("Why it ended, as a code; `last_error` has words."),
    last_error: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
  })
  .openapi("CampaignLead");

export const CampaignLeadBody = Body;

export function leadBody({ userId }: Principal, lead: CampaignLead): z.input<typeof Body> {
  const {
    emailKey: _key,
    zone: _zone,
    nextChannel: _channel,
    nextBudget: _budget,
    ...known
  } = lead;
  const { personId: _person, connectedAt: _connected, ...fields } = known;
  const { aliasId, connectedAccountId } = lead;
  return {
    ...snakeKeys(fields),
    // The sender of the lead's next step; an account stands in `connected_account_id`.
    alias_id: aliasId === connectedAccountId ? null : aliasId,
    user_id: userId,
    approved_steps: approvedSteps(lead),
  };
}

/** Each order's cursors begin with a word of its own, so that no other takes them; dataset order has none. */
const PREFIX = { row_index: "", "-row_index": "back:", "-updated_at": "late:" } as const;

const LeadsQuery = CursorQuery.extend({
  status: z.enum(LEAD_STATUSES).optional(),
  held: z.enum(["true", "false"]).optional(),
  q: text(320).optional().openapi({
    description: "A part of the address, the name or the company, whatever its case.",
  }),
  order: z.enum(LEAD_ORDERS).default("row_index"),
  cursor: CursorQuery.shape.cursor
    .transform((place, context) => {
      if (place === undefined) return undefined;
      const [, prefix = "", at = "", id = ""] = /^((?:\w+:)?)(\d{1,14}):([^:]+)$/.exec(place) ?? [];
      const order = LEAD_ORDERS.find((each) => PREFIX[each] === prefix);
      const isRow = order !== "-updated_at" && at.length > 9;
      if (at !== "" && order !== undefined && !isRow && uuid.safeParse(id).success)
        return { order, at: Number(at), id };
      context.addIssue(NO_CURSOR);
      return z.NEVER;
    })
    .openapi({ type: "string" }),
});

const AddBody = z
  .object({ lead_ids: z.array(uuid).min(1).max(5000) })
  .openapi("CampaignLeadsAddition");

const Added = z
  .object({
    added: z.int(),
    skipped: z.array(
      z.object({
        lead_id: uuid,
        code: z.enum([
          "LEAD_NOT_FOUND",
          "ALREADY_IN_CAMPAIGN",
          "DUPLICATE_ADDRESS",
          "NO_EMAIL",
          "NO_PROFILE_URL",
          "SUPPRESSED",
        ]),
      }),
    ),
  })
  .openapi("CampaignLeadsAdded");

export const campaignLeadRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listCampaignLeads",
    scope: "campaigns:read",
    tag,
    summary: "List the leads of a campaign, as a rule in dataset order",
    description: `\`q\` looks at ${LOOKED_AT.toLocaleString("en")} leads at a time: a page with few items, or none, is not the last while \`has_more\` is true. By \`-updated_at\` a lead that changes meanwhile comes to the front, and all leads of the campaign are read.`,
    params: CampaignParams,
    query: LeadsQuery,
    response: pageOf(Body),
    errors: [422],
    handler: async ({ deps, principal, params, query }) => {
      const { status, held, q: part, order, cursor: after, limit } = query;
      if (after !== undefined && after.order !== order)
        throw unprocessable("VALIDATION_ERROR", `The cursor is of the order ${after.order}.`);
      const { rows, reached } = await findCampaignLeads(deps, principal, params.campaign_id, {
        status,
        held: held === undefined ? undefined : held === "true",
        part,
        order,
        after,
        limit,
      });
      const keyOf = (lead: Parameters<typeof placeOf>[0]) => {
        const { at, id } = placeOf(lead, order);
        return `${PREFIX[order]}${at}:${id}`;
      };
      return toPage(
        rows,
        limit,
        keyOf,
        (lead) => leadBody(principal, lead),
        reached && keyOf(reached),
      );
    },
  }),
  operation({
    method: "post",
    path: PATH,
    id: "addCampaignLeads",
    scope: "campaigns:write",
    tag,
    summary: "Add leads of any dataset to a campaign; a completed one becomes active",
    claims: "effect",
    params: CampaignParams,
    body: AddBody,
    response: Added,
    errors: [409],
    handler: async ({ deps, principal, params, body }) => {
      const result = await addLeads(deps, principal, params.campaign_id, body.lead_ids);
      return {
        added: result.added,
        skipped: result.skipped.map(({ leadId, code }) => ({ lead_id: leadId, code })),
      };
    },
  }),
  operation({
    method: "get",
    path: `${PATH}.csv`,
    id: "exportCampaignLeads",
    scope: "campaigns:read",
    begins: "let_in",
    tag,
    summary: "Export where each lead of a campaign stands, as CSV",
    description: CSV_NOTE,
    params: CampaignParams,
    response: z.string(),
    responseType: "text/csv",
    example: {
      response:
        '"row_index","email","status","current_step"\r\n"1","ada@example.com","active","1"\r\n',
    },
    handler: async ({ deps, principal, params: { campaign_id } }) =>
      csvReply(
        `campaign-leads-${campaign_id}.csv`,
        await exportCampaignLeads(deps, principal, campaign_id),
      ),
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getCampaignLead",
    scope: "campaigns:read",
    tag,
    summary: "Get one lead of a campaign",
    params: CampaignParams.extend({ campaign_lead_id: uuid }),
    response: Body,
    handler: async ({ deps, principal, params: { campaign_id, campaign_lead_id } }) =>
      leadBody(
        principal,
        await requireCampaignLead(deps, principal, campaign_id, campaign_lead_id),
      ),
  }),
];
