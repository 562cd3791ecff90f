import * as z from "zod";
import type { Deps, Principal } from "#src/deps.ts";
import { unprocessable } from "#src/errors.ts";
import { importSheet, requireSheetImport } from "#src/domain/people/leads/sheet-import.ts";
import { MAX_GID, SHEET_URL_LENGTH } from "#src/domain/people/leads/sheet-url.ts";
import { importLeads } from "#src/domain/people/leads/import-leads.ts";
import { tryImport } from "#src/domain/people/leads/import-trial.ts";
import { importCsv } from "#src/domain/people/leads/import-csv.ts";
import {
  importProspects,
  MOST_PROSPECTS,
} from "#src/domain/research/prospects/import-to-dataset.ts";
import { importRows } from "#src/domain/people/leads/import-rows.ts";
import { requireContentType } from "#src/http/body.ts";
import type { AppContext } from "#src/http/context.ts";
import { TEXT_PATTERN, uuid } from "#src/http/fields.ts";
import { invalidBody, readJsonRows } from "#src/http/json-body.ts";
import { openFormFile } from "#src/http/form-file.ts";
import { type FormPart, readTextPart } from "#src/http/multipart.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { Answer } from "#src/http/answer.ts";
import {
  asTrial,
  CSV_LIMIT,
  JSON_LIMIT,
  MAPPING_LIMIT,
  NO_TRIAL,
  Report,
  ROW_LIMITS,
  schemaOf,
  type Sheet,
  toUnderWay,
  Trial,
  UnderWay,
} from "./dataset-import-fields.ts";
import { Mapping } from "./datasets.ts";
import { readJson } from "#src/platform/json.ts";

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
    query: z.object({
      dry_run: z.enum(["true", "false"]).default("false").openapi({
        description: "`true`: the report of what would be done, and what each column would become.",
      }),
    }),
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
    response: z.union([Trial, Report, UnderWay]),
    alsoStatus: [202],
    errors: [403, 409],
    handler: async ({ deps, principal, params, query, c }) => {
      const isTrial = query.dry_run === "true";
      const header = c.req.header("content-type");
      const type = requireContentType(header, ["multipart/form-data", "application/json"]);
      if (type === "multipart/form-data")
        return importForm(isTrial, deps, principal, params.dataset_id, c);
      const sent = await readJsonRows(c.req.raw, JSON_LIMIT, "rows", ROW_LIMITS);
      const parsed = schemaOf(sent).safeParse(sent);
      if (!parsed.success) return invalidBody(c, parsed.error);
      const body = parsed.data;
      const { dataset_id: id } = params;
      if (isTrial && !("rows" in body && body.rows !== undefined))
        throw unprocessable("DRY_RUN_NOT_POSSIBLE", NO_TRIAL);
      if ("sheet_url" in body) return importFromSheet(deps, principal, id, body);
      if ("prospect_tags" in body) return importProspects(deps, principal, id, body);
      const { rows, mapping = {} } = body;
      return isTrial
        ? asTrial(await importRows(tryImport, deps, principal, id, rows, mapping))
        : importRows(importLeads, deps, principal, id, rows, mapping);
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

async function importForm(
  isTrial: boolean,
  deps: Deps,
  principal: Principal,
  datasetId: string,
  c: AppContext,
) {
  let mapping: z.output<typeof Mapping> = {};
  const file = await openFormFile(c, CSV_LIMIT, "{rows: [objects]}", {
    mapping: async (part) => {
      mapping = await readMapping(part);
    },
  });
  return isTrial
    ? asTrial(await importCsv(tryImport, deps, principal, datasetId, file, mapping))
    : importCsv(importLeads, deps, principal, datasetId, file, mapping);
}

async function readMapping(part: FormPart) {
  const parsed = Mapping.safeParse(readJson(await readTextPart(part, MAPPING_LIMIT)) ?? null);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? ` "${issue.path.join(".")}"` : "";
  throw unprocessable("VALIDATION_ERROR", `mapping${where}: ${issue?.message}`);
}
