import * as z from "zod";
import { exportSuppressions, importSuppressionFile } from "#src/domain/people/suppression-file.ts";
import {
  importSuppressions,
  type SuppressionImportReport,
} from "#src/domain/people/suppression-import.ts";
import { MIB, requireContentType } from "#src/http/body.ts";
import { CSV_NOTE, csvReply } from "#src/http/csv-reply.ts";
import { openFormFile } from "#src/http/form-file.ts";
import { parseJsonBody } from "#src/http/json-body.ts";
import { type Mount, operation } from "#src/http/operation.ts";

const CSV_LIMIT = 64 * MIB;
const JSON_LIMIT = 10 * MIB;
const tag = "Suppressions";

const Items = z.object({
  items: z.array(
    z.object({
      value: z.string().max(1000),
      kind: z.string().nullable().optional(),
      reason: z.string().nullable().optional(),
      expires_at: z.string().nullable().optional(),
    }),
    {
      error:
        "Send {items: [{value}]} as JSON, or a CSV file as multipart/form-data in a part named file.",
    },
  ),
});

const Report = z
  .object({
    total: z.int(),
    created: z.int(),
    renewed: z.int(),
    rejected: z.int(),
    rejections: z.array(z.object({ row_index: z.int(), code: z.string(), message: z.string() })),
  })
  .openapi("SuppressionImportReport", {
    description:
      "`row_index` is the place in the file: rows from 0. The first 1,000 rejected rows are listed; `rejected` counts all.",
  });

export const suppressionFileRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/suppression-imports",
    id: "importSuppressions",
    scope: "leads:write",
    tag,
    summary: "Suppress many addresses and domains, from a CSV file or a list",
    description:
      "Columns `value` (or the first that is there of `email`, `address`, `domain`; a row whose cell is empty has its `domain`), `kind`, " +
      "`reason` (manual, hard_bounce, unsubscribe, complaint), `expires_at`; a file " +
      "without a header has the values in its first column. A value that is suppressed already keeps the weightier reason. Safe to repeat.",
    claims: "start",
    bodyLimit: JSON_LIMIT,
    rawBody: {
      "multipart/form-data": {
        schema: {
          type: "object",
          required: ["file"],
          properties: {
            file: { type: "string", format: "binary", description: "CSV, at most 64 MiB." },
          },
        },
      },
      "application/json": {
        schema: {
          type: "object",
          required: ["items"],
          properties: {
            items: {
              type: "array",
              items: {
                type: "object",
                required: ["value"],
                properties: {
                  value: { type: "string", maxLength: 1000 },
                  kind: { type: ["string", "null"] },
                  reason: { type: ["string", "null"] },
                  expires_at: { type: ["string", "null"] },
                },
              },
            },
          },
        },
      },
    },
    response: Report,
    handler: async ({ deps, principal, c }) => {
      const header = c.req.header("content-type");
      const type = requireContentType(header, ["multipart/form-data", "application/json"]);
      if (type === "multipart/form-data") {
        const file = await openFormFile(c, CSV_LIMIT, "{items: [{value}]}");
        return toWire(await importSuppressionFile(deps, principal, file));
      }
      const body = await parseJsonBody(c, JSON_LIMIT, Items);
      if (body instanceof Response) return body;
      return toWire(await importSuppressions(deps, principal, wishesOf(body)));
    },
  }),
  operation({
    method: "get",
    path: "/api/v1/suppressions.csv",
    id: "exportSuppressions",
    scope: "leads:read",
    begins: "let_in",
    tag,
    summary: "Export suppressed addresses and domains as CSV",
    description: `${CSV_NOTE} Can be imported again.`,
    response: z.string(),
    responseType: "text/csv",
    example: {
      response:
        '"value","kind","reason","expires_at","created_at","source_campaign_id"\r\n"ada@example.com","email","unsubscribe",,"2027-01-04T09:00:00.000Z",\r\n',
    },
    handler: async ({ deps, principal }) =>
      csvReply("suppressions.csv", exportSuppressions(deps, principal)),
  }),
];

async function* wishesOf({ items }: z.output<typeof Items>) {
  yield items.map(({ value, kind, reason, expires_at }) => ({
    value,
    ...(kind == null ? {} : { kind }),
    ...(reason == null ? {} : { reason }),
    ...(expires_at == null ? {} : { expiresAt: expires_at }),
  }));
}

const toWire = ({ rejections, ...counts }: SuppressionImportReport): z.input<typeof Report> => ({
  ...counts,
  rejections: rejections.map(({ rowIndex, code, message }) => ({
    row_index: rowIndex,
    code,
    message,
  })),
});
