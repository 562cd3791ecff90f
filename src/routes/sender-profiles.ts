import * as z from "zod";
import {
  changeProfile,
  createProfile,
  listProfiles,
  removeProfile,
  requireProfile,
  type SenderProfile,
} from "#src/domain/senders/templates/sender-profiles.ts";
import { camelKeys, snakeKeys } from "#src/http/case.ts";
import { Deleted, done, httpUrl, optionalText, ownedFields, text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { revised } from "#src/http/revisions.ts";

const Fields = z.object({
  name: text(255),
  full_name: text(255),
  job_title: optionalText(255),
  company: optionalText(255),
  company_description: optionalText(5000),
  value_proposition: optionalText(5000),
  bio: optionalText(5000),
  tone: optionalText(255),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a language tag (BCP 47), e.g. en"),
  signature: optionalText(5000),
  profile_url: httpUrl.nullable().optional(),
  calendar_url: httpUrl.nullable().optional(),
  custom_prompt: text(5000).min(100).nullable().optional(),
  is_default: z.boolean(),
});

const Create = Fields.extend({
  language: Fields.shape.language.default("en"),
  is_default: z.boolean().default(false),
}).openapi("SenderProfileCreate");
/** A sender's data given in a request, without a saved profile. */
export const SenderData = Fields.omit({ name: true, is_default: true })
  .partial()
  .openapi("SenderData");
const Change = Fields.partial().openapi("SenderProfileChange");

const Body = z
  .object({
    ...ownedFields,
    name: z.string(),
    full_name: z.string(),
    job_title: z.string().nullable(),
    company: z.string().nullable(),
    company_description: z.string().nullable(),
    value_proposition: z.string().nullable(),
    bio: z.string().nullable(),
    tone: z.string().nullable(),
    language: z.string(),
    signature: z.string().nullable(),
    profile_url: z.string().nullable(),
    calendar_url: z.string().nullable(),
    custom_prompt: z.string().nullable(),
    is_default: z.boolean(),
    version: z.int(),
  })
  .openapi("SenderProfile");

const PATH = "/api/v1/sender-profiles/";
const ONE = "/api/v1/sender-profiles/{sender_profile_id}";
const tag = "Sender profiles";
const params = z.object({ sender_profile_id: uuid });

const asRevised = (profile: SenderProfile) => revised(profile.version, snakeKeys(profile));

export const senderProfileRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listSenderProfiles",
    scope: "campaigns:read",
    tag,
    summary: "List sender profiles",
    list: { by: "id" },
    response: z.array(Body),
    handler: async ({ deps, principal, part }) =>
      (await listProfiles(deps, principal, part)).map((row) => snakeKeys(row)),
  }),
  operation({
    method: "post",
    path: PATH,
    id: "createSenderProfile",
    scope: "campaigns:write",
    tag,
    summary: "Create a sender profile; the first becomes the default",
    claims: "effect",
    body: Create,
    status: 201,
    response: Body,
    handler: async ({ deps, principal, body }) =>
      snakeKeys(await createProfile(deps, principal, camelKeys(body))),
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getSenderProfile",
    record: "sender_profiles",
    scope: "campaigns:read",
    tag,
    summary: "Get a sender profile",
    params,
    response: Body,
    handler: async ({ deps, principal, params }) =>
      asRevised(await requireProfile(deps, principal, params.sender_profile_id)),
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeSenderProfile",
    record: "sender_profiles",
    scope: "campaigns:write",
    tag,
    summary: "Change a sender profile",
    claims: "effect",
    params,
    body: Change,
    response: Body,
    handler: async ({ deps, principal, params, body }) =>
      asRevised(await changeProfile(deps, principal, params.sender_profile_id, camelKeys(body))),
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteSenderProfile",
    record: "sender_profiles",
    scope: "campaigns:write",
    tag,
    summary: "Delete a sender profile that no campaign under way uses",
    claims: "effect",
    params,
    response: Deleted,
    errors: [409],
    handler: ({ deps, principal, params }) =>
      done(removeProfile(deps, principal, params.sender_profile_id)),
  }),
];
