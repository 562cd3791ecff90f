import * as z from "zod";
import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import {
  importSheet,
  requireSheetImport,
  type SheetImport,
} from "#src/domain/people/leads/sheet-import.ts";
import { MAX_GID, SHEET_URL_LENGTH } from "#src/domain/people/leads/sheet-url.ts";
import { IMPORT_LIMITS, tooManyRows } from "#src/domain/people/leads/import-tally.ts";
import { reportOf } from "#src/domain/people/leads/import-leads.ts";
import { importCsv } from "#src/domain/people/leads/import-csv.ts";
import {
  importProspects,
  MOST_PROSPECTS,
} from "#src/domain/research/prospects/import-to-dataset.ts";
import { importRows } from "#src/domain/people/leads/import-rows.ts";
import { CSV_LIMITS } from "#src/csv/reader.ts";
import { MIB, requireContentType } from "#src/http/body.ts";
import type { AppContext } from "#src/http/context.ts";
import { instant, TEXT_PATTERN, uuid } from "#src/http/fields.ts";
import { invalidBody, readJsonRows } from "#src/http/json-body.ts";
import type { JsonRowsLimits } from "#src/http/json-rows.ts";
import { openFormFile } from "#src/http/form-file.ts";
import { type FormPart, readTextPart } from "#src/http/multipart.ts";
import { Answer, type Mount, operation } from "#src/http/operation.ts";
import { Mapping } from "./datasets.ts";
import { ProspectSearch } from "./prospects.ts";
import { sheetUrl } from "./sheet-url-field.ts";
import { readJson } from "#src/platform/json.ts";

const CSV_LIMIT = 64 * MIB;
const JSON_LIMIT = 10 * MIB;
const MAPPING_LIMIT = 256 * 1024;

const ROW_LIMITS: JsonRowsLimits = {
  items: IMPORT_LIMITS.rows,
  characters: CSV_LIMITS.recordCharacters,
  refuse: (why) =>
    why === "items"
      ? tooManyRows()
      : unprocessable(
          "ROW_TOO_LARGE",
          `A row is longer than ${CSV_LIMITS.recordCharacters} characters.`,
        ),
};

const Sheet = z.object({
  sheet_url: sheetUrl,
  gid: z.int().min(0).max(MAX_GID).optional(),
  mapping: Mapping.optional(),
  rows: z.undefined({ error: "Send rows or a sheet_url, not both." }).optional(),
});

/** Looked at and not rebuilt, as a record would be: there may be 250,000 of them. */
const Row = z
  .custom<Record<string, unknown>>(
    (row) => typeof row === "object" && row !== null && !Array.isArray(row),
    "Each row is an object of columns.",
  )
  .transform((row) => {
    // As a key of JSON it is a column like any other, and as one of an object it is not.
    Reflect.deleteProperty(row, "__proto__");
    return row;
  });

const Rows = z.object({
  rows: z.array(Row, {
    error:
      "Send {rows: [objects]}, {sheet_url} or {prospect_tags} as JSON, or a CSV file as multipart/form-data in a part named file.",
  }),
  mapping: Mapping.optional(),
});

const Prospects = z.object({
  prospect_tags: ProspectSearch.shape.tags,
  limit: z.int().min(1).max(MOST_PROSPECTS).default(100),
});

/** By what it names: the errors then are about what was meant. */
function schemaOf(body: unknown) {
  const names = (field: string) => typeof body === "object" && body !== null && field in body;
  if (names("sheet_url")) return Sheet;
  return names("prospect_tags") ? Prospects : Rows;
}

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
      "`row_index` is the place in the file: data rows from 0. The first 1,000 rejected rows are listed; `rejected` counts all.",
  });

const UnderWay = z
  .object({
    dataset_id: uuid,
    status: z.enum(["importing", "ready", "failed"]),
    source_url: z.string(),
    ...Report.shape,
    error: z.string().nullable(),
    started_at: instant,
    updated_at: instant,
  })
  .openapi("SheetImport", {
    description:
      "The import of a sheet. While it is `importing`, `total` and `rejected` count the rows read so far and nothing is taken over yet; `failed` has the `error`, and the dataset's leads are as they were.",
  });

const toUnderWay = (row: SheetImport): z.input<typeof UnderWay> => ({
  dataset_id: row.datasetId,
  status: WIRE_STATUS[row.status],
  source_url: row.sourceUrl,
  ...reportOf(row.tally, row),
  error: row.error,
  started_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

const WIRE_STATUS = { running: "importing", done: "ready", failed: "failed" } as const;

export const datasetImportRoutes: Mount[] = [
  operation({
    method: "post",
    path: "/api/v1/datasets/{dataset_id}/import",
    id: "importLeads",
    scope: "leads:write",
    tag: "Datasets",
    summary: "Import leads from a CSV file, a list, a Google sheet or the prospect pool",
    description:
      "All usable rows are taken over at once, or none: an import that breaks off leaves the dataset as it was. " +
      "A known lead (same email, or without one the same profile_url) is updated, never blanked. " +
      "In a form, `mapping` (JSON) comes before `file`. A sheet of more than 5,000 rows is imported in the background: " +
      "202, and GET on the same path tells how far it is. Of prospects each new lead costs a credit.",
    claims: "start",
    params: z.object({ dataset_id: uuid }),
    bodyLimit: JSON_LIMIT,
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
          anyOf: [
            {
              type: "object",
              required: ["rows"],
              properties: {
                rows: { type: "array", items: { type: "object", additionalProperties: true } },
                mapping: { $ref: "#/components/schemas/ColumnMapping" },
              },
            },
            {
              type: "object",
              required: ["sheet_url"],
              properties: {
                sheet_url: { type: "string", maxLength: SHEET_URL_LENGTH },
                gid: { type: "integer", minimum: 0, maximum: MAX_GID },
                mapping: { $ref: "#/components/schemas/ColumnMapping" },
              },
            },
            {
              type: "object",
              required: ["prospect_tags"],
              properties: {
                prospect_tags: {
                  type: "array",
                  items: { type: "string", minLength: 1, maxLength: 100, pattern: TEXT_PATTERN },
                  minItems: 1,
                  maxItems: 20,
                },
                limit: { type: "integer", minimum: 1, maximum: MOST_PROSPECTS, default: 100 },
              },
            },
          ],
        },
      },
    },
    response: z.union([Report, UnderWay]),
    alsoStatus: [202],
    errors: [403, 409],
    handler: async ({ deps, principal, params, c }) => {
      const header = c.req.header("content-type");
      const type = requireContentType(header, ["multipart/form-data", "application/json"]);
      if (type === "multipart/form-data") return importForm(deps, principal, params.dataset_id, c);
      const sent = await readJsonRows(c.req.raw, JSON_LIMIT, "rows", ROW_LIMITS);
      const parsed = schemaOf(sent).safeParse(sent);
      if (!parsed.success) return invalidBody(c, parsed.error);
      const body = parsed.data;
      const { dataset_id: id } = params;
      if ("sheet_url" in body) return importFromSheet(deps, principal, id, body);
      if ("prospect_tags" in body) return importProspects(deps, principal, id, body);
      return importRows(deps, principal, id, body.rows, body.mapping ?? {});
    },
  }),
  operation({
    method: "get",
    path: "/api/v1/datasets/{dataset_id}/import",
    id: "getSheetImport",
    scope: "leads:read",
    tag: "Datasets",
    summary: "Get the dataset's last import of a sheet, or the one under way",
    params: z.object({ dataset_id: uuid }),
    response: UnderWay,
    handler: async ({ deps, principal, params }) =>
      toUnderWay(await requireSheetImport(deps, principal, params.dataset_id)),
  }),
];

async function importFromSheet(
  deps: Deps,
  principal: Principal,
  datasetId: string,
  { sheet_url: sheet, gid, mapping = {} }: z.output<typeof Sheet>,
) {
  const order = { ...sheet, gid: gid ?? sheet.gid, mapping };
  const result = await importSheet(deps, principal, datasetId, order);
  return "report" in result ? result.report : new Answer(202, toUnderWay(result.underWay));
}

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
  const parsed = Mapping.safeParse(readJson(await readTextPart(part, MAPPING_LIMIT)) ?? null);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? ` "${issue.path.join(".")}"` : "";
  throw unprocessable("VALIDATION_ERROR", `mapping${where}: ${issue?.message}`);
}
