import { z } from "@hono/zod-openapi";
import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { importCsv } from "#src/domain/leads/import-csv.ts";
import { importRows } from "#src/domain/leads/import-rows.ts";
import { MIB, requireContentType } from "#src/http/body.ts";
import type { AppContext } from "#src/http/context.ts";
import { uuid } from "#src/http/fields.ts";
import { parseJsonBody } from "#src/http/json-body.ts";
import { openFormFile } from "#src/http/form-file.ts";
import { type FormPart, readTextPart } from "#src/http/multipart.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Mapping } from "./datasets.ts";

const CSV_LIMIT = 64 * MIB;
const JSON_LIMIT = 10 * MIB;
const MAPPING_LIMIT = 256 * 1024;

const Rows = z.object({
  rows: z.array(z.record(z.string(), z.unknown()), {
    error:
      "Send {rows: [objects]} as JSON, or a CSV file as multipart/form-data in a part named file.",
  }),
  mapping: Mapping.optional(),
});

const Report = z
  .object({
    total: z.int(),
    created: z.int(),
    updated: z.int(),
    duplicate: z.int(),
    rejected: z.int(),
    rejections: z.array(z.object({ row_index: z.int(), code: z.string(), message: z.string() })),
  })
  .openapi("ImportReport", {
    description:
      "`row_index` counts data rows from 1. The first 1,000 rejected rows are listed; `rejected` counts all.",
  });

export const datasetImportRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/datasets/{dataset_id}/import",
    id: "importLeads",
    tag: "Datasets",
    summary: "Import leads from a CSV file or a list",
    description:
      "All usable rows are taken over at once, or none: an import that breaks off leaves the dataset as it was. " +
      "A known lead (same email, or without one the same profile_url) is updated, never blanked. " +
      "In a form, `mapping` (JSON) comes before `file`.",
    params: z.object({ dataset_id: uuid }),
    rawBody: {
      "multipart/form-data": {
        schema: {
          type: "object",
          required: ["file"],
          properties: {
            mapping: { type: "string", description: "A ColumnMapping as JSON; before the file." },
            file: { type: "string", format: "binary", description: "CSV, at most 64 MiB." },
          },
        },
      },
      "application/json": {
        schema: {
          type: "object",
          required: ["rows"],
          properties: {
            rows: { type: "array", items: { type: "object" } },
            mapping: { $ref: "#/components/schemas/ColumnMapping" },
          },
        },
      },
    },
    response: Report,
    handler: async ({ deps, principal, params, c }) => {
      const header = c.req.header("content-type");
      const type = requireContentType(header, ["multipart/form-data", "application/json"]);
      if (type === "multipart/form-data") return importForm(deps, principal, params.dataset_id, c);
      const body = await parseJsonBody(c, JSON_LIMIT, Rows);
      if (body instanceof Response) return body;
      return importRows(deps, principal, params.dataset_id, body.rows, body.mapping ?? {});
    },
  }),
];

async function importForm(deps: Deps, principal: Principal, datasetId: string, c: AppContext) {
  let mapping: z.output<typeof Mapping> = {};
  const file = await openFormFile(c, CSV_LIMIT, "{rows: [objects]}", {
    mapping: async (part) => {
      mapping = await readMapping(part);
    },
  });
  return importCsv(deps, principal, datasetId, file, mapping);
}

async function readMapping(part: FormPart) {
  const parsed = Mapping.safeParse(parse(await readTextPart(part, MAPPING_LIMIT)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? ` "${issue.path.join(".")}"` : "";
  throw unprocessable("VALIDATION_ERROR", `mapping${where}: ${issue?.message}`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
