import * as z from "zod";
import { previewTemplate } from "#src/domain/messages/preview-template.ts";
import { text, uuid } from "#src/http/fields.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const MOST_VALUES = 100;

const Input = z
  .object({
    subject: z.string().max(998).nullable().default(null),
    body: text(50_000),
    format: z.enum(["html", "text"]).nullable().default(null),
    lead_id: uuid.nullable().default(null).openapi({
      description: "Whose values its variables take; without one those of `values` alone.",
    }),
    values: z
      .record(z.string().min(1).max(100), z.string().max(2000))
      .refine((values) => Object.keys(values).length <= MOST_VALUES, {
        message: `has more than ${MOST_VALUES} values`,
      })
      .default({})
      .openapi({
        type: "object",
        additionalProperties: { type: "string" },
        description: "By a variable's name, in the place of the lead's own.",
      }),
  })
  .openapi("TemplateRenderInput", {
    example: { subject: "Hello {{ first_name }}", body: "Good day, {{ first_name }}.", values: {} },
  });

const Body = z
  .object({
    subject: z.string(),
    html: z.string(),
    text: z.string(),
    format: z.enum(["html", "text"]),
    variables: z.array(z.string()),
    missing: z.array(z.string()).openapi({
      description:
        "Variables that have neither a value nor a default: a send would skip the lead. The texts are empty then.",
    }),
  })
  .openapi("TemplateRendered", {
    example: {
      subject: "Hello Ada",
      html: "<p>Good day, Ada.</p>",
      text: "Good day, Ada.",
      format: "text",
      variables: ["first_name"],
      missing: [],
    },
  });

export const templatePreviewRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/templates/render",
    id: "renderTemplate",
    scope: "campaigns:read",
    tag: "Templates",
    summary: "Show a text that is being written as a lead would get it",
    description: "Before footer and tracking. Nothing is stored or sent.",
    claims: "effect",
    body: Input,
    response: Body,
    errors: [404],
    handler: async ({ deps, principal, body: { subject, body, format, lead_id, values } }) =>
      previewTemplate(
        deps,
        principal,
        { subject: subject ?? "", body, format },
        { leadId: lead_id, values },
      ),
  }),
];
