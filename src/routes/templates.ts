import * as z from "zod";
import {
  changeTemplate,
  createTemplate,
  readTemplates,
  removeTemplate,
  requireTemplate,
  type Template,
} from "#src/domain/senders/templates/templates.ts";
import { camelKeys, snakeKeys } from "#src/http/case.ts";
import { Deleted, done, instant, ownedFields, text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { revised } from "#src/http/revisions.ts";

const Fields = z.object({
  name: text(255),
  channel: z.enum(["email", "socialnet"]),
  subject: z
    .string()
    .max(998)
    // oxlint-disable-next-line no-control-regex -- control characters are what is refused
    .regex(/^[^\u0000-\u001f\u007f]*$/, "must be one line without control characters")
    .nullable()
    .openapi({ description: "Blank: the mail goes on in the thread of the one before it." }),
  body: text(50_000),
  format: z.enum(["html", "text"]).nullable().openapi({
    description: "Absent: html if the body holds a tag.",
  }),
  tags: z.array(text(100)).max(50),
});

const Create = Fields.extend({
  channel: Fields.shape.channel.default("email"),
  subject: Fields.shape.subject.default(null),
  format: Fields.shape.format.default(null),
  tags: Fields.shape.tags.default([]),
})
  .superRefine(({ channel, subject, format }, context) => {
    if (channel === "email") return;
    for (const [field, isWrong] of [
      ["subject", subject !== null && subject.trim() !== ""],
      ["format", format === "html"],
    ] as const) {
      const message = "A message on the network is plain text without a subject.";
      if (isWrong) context.addIssue({ code: "custom", path: [field], message });
    }
  })
  .openapi("TemplateCreate");
const Change = Fields.extend({ archived: z.boolean() }).partial().openapi("TemplateChange");

const Body = z
  .object({
    ...ownedFields,
    name: z.string(),
    channel: z.enum(["email", "socialnet"]),
    subject: z.string().nullable(),
    body: z.string(),
    format: z.enum(["html", "text"]),
    variables: z.array(z.string()).openapi({
      description: "What subject and body read; a lead that lacks one without default is skipped.",
    }),
    tags: z.array(z.string()),
    version: z.int(),
    archived_at: instant.nullable(),
  })
  .openapi("Template");

const UNNAMED = new Set(["revision"] as const);

const PATH = "/api/v1/templates";
const ONE = "/api/v1/templates/{template_id}";
const tag = "Templates";
const params = z.object({ template_id: uuid });

const toWire = (template: Template) => snakeKeys(template, UNNAMED);
const asRevised = (template: Template) => revised(template.revision, toWire(template));

export const templateRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listTemplates",
    scope: "campaigns:read",
    tag,
    summary: "List templates",
    query: z.object({ archived: z.enum(["true", "false"]).optional() }),
    list: { by: "id" },
    response: z.array(Body),
    handler: async ({ deps, principal, query: { archived }, part }) => {
      const wanted = archived === undefined ? undefined : archived === "true";
      return (await readTemplates(deps, principal, wanted, part)).map(toWire);
    },
  }),
  operation({
    method: "post",
    path: PATH,
    id: "createTemplate",
    scope: "campaigns:write",
    tag,
    summary: "Create a template",
    description: "Liquid and spintax. A syntax error is a 422 that names the line.",
    claims: "effect",
    body: Create,
    status: 201,
    response: Body,
    handler: async ({ deps, principal, body }) =>
      toWire(await createTemplate(deps, principal, body)),
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getTemplate",
    record: "templates",
    scope: "campaigns:read",
    tag,
    summary: "Get a template",
    params,
    response: Body,
    handler: async ({ deps, principal, params }) =>
      asRevised(await requireTemplate(deps, principal, params.template_id)),
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeTemplate",
    record: "templates",
    scope: "campaigns:write",
    tag,
    summary: "Change, archive or restore a template",
    description: "The version grows when subject, body or format change.",
    claims: "effect",
    params,
    body: Change,
    response: Body,
    errors: [409],
    handler: async ({ deps, principal, params, body }) =>
      asRevised(await changeTemplate(deps, principal, params.template_id, camelKeys(body))),
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteTemplate",
    record: "templates",
    scope: "campaigns:write",
    tag,
    summary: "Delete a template that no campaign under way uses",
    claims: "effect",
    params,
    response: Deleted,
    errors: [409],
    handler: ({ deps, principal, params }) =>
      done(removeTemplate(deps, principal, params.template_id)),
  }),
];
