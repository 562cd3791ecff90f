import * as z from "zod";
import { readCountry } from "#src/domain/people/leads/country.ts";
import { customFault } from "#src/domain/people/leads/custom-fields.ts";
import {
  LEAD_COLUMNS,
  TAGS,
  TEXT_FIELDS,
  type TextField,
} from "#src/domain/people/leads/lead-columns.ts";
import {
  changeLead,
  createLead,
  type Lead,
  type LeadInput,
  pageOfLeads,
  removeLead,
  requireLead,
} from "#src/domain/people/leads/leads.ts";
import { readProfileUrl } from "#src/domain/people/leads/profile-url.ts";
import { snakeKeys } from "#src/http/case.ts";
import {
  Deleted,
  done,
  emailAddress,
  optionalText,
  ownedFields,
  text,
  timeZone,
  uuid,
} from "#src/http/fields.ts";
import type { Variants } from "#src/http/openapi/variants.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { revised } from "#src/http/revisions.ts";
import { CursorQuery, pageOf, toPage } from "#src/http/pagination.ts";

type OptionalText = z.ZodType<string | null | undefined, string | null | undefined>;

const checked = (field: TextField, isValid: (text: string) => boolean, message: string) =>
  text(LEAD_COLUMNS[field].max).refine(isValid, message).nullable().optional();

/** Of texts whose bodies are checked otherwise than the rows of an import, or in other words. */
const OWN_CHECKS: Partial<Record<TextField, OptionalText>> = {
  email: emailAddress.nullable().optional(),
  profile_url: checked(
    "profile_url",
    (url) => readProfileUrl(url) !== null,
    "is not the web address of a profile",
  ),
  country: checked(
    "country",
    (country) => readCountry(country) !== null,
    "is neither an ISO 3166-1 alpha-2 code nor a known country",
  ),
  timezone: timeZone.nullable().optional(),
};

function textSchema(field: TextField): OptionalText {
  const { max, reads } = LEAD_COLUMNS[field];
  if (OWN_CHECKS[field] !== undefined) return OWN_CHECKS[field];
  if (reads === undefined) return optionalText(max);
  return checked(field, (value) => reads.as(value) !== null, reads.otherwise);
}

const forEachText = <T>(schema: (field: TextField) => T) =>
  Object.fromEntries(TEXT_FIELDS.map((field) => [field, schema(field)])) as Record<TextField, T>;

const Fields = z.object({
  ...forEachText(textSchema),
  tags: z.array(text(TAGS.length)).max(TAGS.count).optional(),
  custom: z
    .record(z.string().min(1), z.json())
    .superRefine((custom, context) => {
      const fault = customFault(custom);
      if (fault !== null) context.addIssue({ code: "custom", message: fault });
    })
    .optional()
    .openapi({ type: "object", additionalProperties: true }),
});

const Create = Fields.superRefine((lead, context) => {
  if (lead.email == null && lead.profile_url == null)
    context.addIssue({
      code: "custom",
      path: ["email"],
      message: "A lead needs an email or a profile_url.",
    });
}).openapi("LeadCreate", {
  example: { email: "ada@example.com", first_name: "Ada", company: "Analytical Engines" },
  "x-variants": {
    anyOf: [
      { name: "LeadCreateByEmail", needs: ["email"] },
      { name: "LeadCreateByProfile", needs: ["profile_url"] },
    ],
  } satisfies Variants,
});
const Change = Fields.openapi("LeadChange");

export const LeadBody = z
  .object({
    ...ownedFields,
    dataset_id: uuid,
    row_index: z.int().describe("The lead's running number in its dataset."),
    ...forEachText(() => z.string().nullable()),
    tags: z.array(z.string()),
    custom: z.looseObject({}),
    verification: z.looseObject({}).nullable(),
  })
  .openapi("Lead");

const PATH = "/api/v1/datasets/{dataset_id}/leads";
const ONE = "/api/v1/datasets/{dataset_id}/leads/{lead_id}";
const tag = "Leads";
const params = z.object({ dataset_id: uuid, lead_id: uuid });

/** Its keys of comparison stay inside. */
export function leadBody({ emailKey: _key, identityKey: _identity, ...lead }: Lead) {
  return snakeKeys(lead) as z.input<typeof LeadBody>;
}

export const asRevised = (lead: Lead) => revised(lead.updatedAt.getTime(), leadBody(lead));

const withoutUndefined = (body: z.output<typeof Fields>): LeadInput =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

export const leadRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listLeads",
    scope: "leads:read",
    tag,
    summary: "List the leads of a dataset in row order",
    params: z.object({ dataset_id: uuid }),
    query: CursorQuery.extend({
      cursor: CursorQuery.shape.cursor.refine(
        (cursor) => cursor === undefined || /^\d{1,9}$/.test(cursor),
        "Not a cursor that this list gave out.",
      ),
    }),
    response: pageOf(LeadBody),
    handler: async ({ deps, principal, params, query: { cursor, limit } }) => {
      const after = cursor === undefined ? -1 : Number(cursor);
      const rows = await pageOfLeads(deps, principal, params.dataset_id, { after, limit });
      return toPage(rows, limit, ({ rowIndex }) => String(rowIndex), leadBody);
    },
  }),
  operation({
    method: "post",
    path: PATH,
    id: "createLead",
    scope: "leads:write",
    tag,
    summary: "Add a lead behind the last row",
    claims: "effect",
    params: z.object({ dataset_id: uuid }),
    body: Create,
    status: 201,
    response: LeadBody,
    errors: [409],
    handler: async ({ deps, principal, params, body }) =>
      leadBody(await createLead(deps, principal, params.dataset_id, withoutUndefined(body))),
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getLead",
    record: "leads",
    scope: "leads:read",
    tag,
    summary: "Get a lead",
    params,
    response: LeadBody,
    handler: async ({ deps, principal, params }) =>
      asRevised(await requireLead(deps, principal, params.dataset_id, params.lead_id)),
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeLead",
    record: "leads",
    scope: "leads:write",
    tag,
    summary: "Change a lead; null clears a field",
    description: "A changed address counts for campaigns that the lead joins later.",
    claims: "effect",
    params,
    body: Change,
    response: LeadBody,
    errors: [409],
    handler: async ({ deps, principal, params, body }) =>
      asRevised(
        await changeLead(
          deps,
          principal,
          params.dataset_id,
          params.lead_id,
          withoutUndefined(body),
        ),
      ),
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteLead",
    record: "leads",
    scope: "leads:write",
    tag,
    summary: "Delete a lead and stop it in every campaign",
    claims: "effect",
    params,
    response: Deleted,
    handler: ({ deps, principal, params }) =>
      done(removeLead(deps, principal, params.dataset_id, params.lead_id)),
  }),
];
