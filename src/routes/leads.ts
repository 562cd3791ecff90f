import * as z from "zod";
import { readCountry } from "#src/domain/people/leads/country.ts";
import { customFault, TAG_LIMITS, TEXT_LIMITS } from "#src/domain/people/leads/lead-fields.ts";
import {
  changeLead,
  createLead,
  type Lead,
  type LeadInput,
  pageOfLeads,
  removeLead,
  requireLead,
} from "#src/domain/people/leads/leads.ts";
import { readProfileUrl, readWebsite } from "#src/domain/people/leads/profile-url.ts";
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
import { CursorQuery, pageOf, toPage } from "#src/http/pagination.ts";

const checked = (max: number, isValid: (value: string) => boolean, message: string) =>
  text(max).refine(isValid, message).nullable().optional();

const Fields = z.object({
  email: emailAddress.nullable().optional(),
  first_name: optionalText(TEXT_LIMITS.first_name),
  last_name: optionalText(TEXT_LIMITS.last_name),
  full_name: optionalText(TEXT_LIMITS.full_name),
  company: optionalText(TEXT_LIMITS.company),
  title: optionalText(TEXT_LIMITS.title),
  profile_url: checked(
    TEXT_LIMITS.profile_url,
    (value) => readProfileUrl(value) !== null,
    "is not the web address of a profile",
  ),
  phone: optionalText(TEXT_LIMITS.phone),
  website: checked(
    TEXT_LIMITS.website,
    (value) => readWebsite(value) !== null,
    "is not a web address",
  ),
  location: optionalText(TEXT_LIMITS.location),
  country: checked(
    TEXT_LIMITS.country,
    (value) => readCountry(value) !== null,
    "is neither an ISO 3166-1 alpha-2 code nor a known country",
  ),
  timezone: timeZone.nullable().optional(),
  tags: z.array(text(TAG_LIMITS.length)).max(TAG_LIMITS.count).optional(),
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

const Body = z
  .object({
    ...ownedFields,
    dataset_id: uuid,
    row_index: z.int(),
    email: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    full_name: z.string().nullable(),
    company: z.string().nullable(),
    title: z.string().nullable(),
    profile_url: z.string().nullable(),
    phone: z.string().nullable(),
    website: z.string().nullable(),
    location: z.string().nullable(),
    country: z.string().nullable(),
    timezone: z.string().nullable(),
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
function toWire({ emailKey: _key, identityKey: _identity, ...lead }: Lead) {
  return snakeKeys(lead) as z.input<typeof Body>;
}

const withoutUndefined = (body: z.output<typeof Fields>): LeadInput =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

export const leadRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listLeads",
    tag,
    summary: "List the leads of a dataset in row order",
    params: z.object({ dataset_id: uuid }),
    query: CursorQuery.extend({
      cursor: CursorQuery.shape.cursor.refine(
        (cursor) => cursor === undefined || /^\d{1,9}$/.test(cursor),
        "Not a cursor that this list gave out.",
      ),
    }),
    response: pageOf(Body),
    handler: async ({ deps, principal, params, query: { cursor, limit } }) => {
      const after = cursor === undefined ? -1 : Number(cursor);
      const rows = await pageOfLeads(deps, principal, params.dataset_id, { after, limit });
      return toPage(rows, limit, ({ rowIndex }) => String(rowIndex), toWire);
    },
  }),
  operation({
    method: "post",
    path: PATH,
    id: "createLead",
    tag,
    summary: "Add a lead behind the last row",
    params: z.object({ dataset_id: uuid }),
    body: Create,
    status: 201,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, params, body }) =>
      toWire(await createLead(deps, principal, params.dataset_id, withoutUndefined(body))),
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getLead",
    tag,
    summary: "Get a lead",
    params,
    response: Body,
    handler: async ({ deps, principal, params }) =>
      toWire(await requireLead(deps, principal, params.dataset_id, params.lead_id)),
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeLead",
    tag,
    summary: "Change a lead; null clears a field",
    description: "A changed address counts for campaigns that the lead joins later.",
    params,
    body: Change,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, params, body }) =>
      toWire(
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
    tag,
    summary: "Delete a lead and stop it in every campaign",
    params,
    response: Deleted,
    handler: ({ deps, principal, params }) =>
      done(removeLead(deps, principal, params.dataset_id, params.lead_id)),
  }),
];
