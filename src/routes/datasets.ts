import * as z from "zod";
import {
  changeDataset,
  createDataset,
  type Dataset,
  pageOfDatasets,
  removeDataset,
  requireDataset,
} from "#src/domain/people/leads/datasets.ts";
import { exportLeads } from "#src/domain/people/leads/export-leads.ts";
import { isMappingTarget, MAPPING_TARGETS } from "#src/domain/people/leads/columns.ts";
import { camelKeys, snakeKeys } from "#src/http/case.ts";
import { Deleted, done, ownedFields, text, uuid } from "#src/http/fields.ts";
import { CSV_NOTE, csvReply } from "#src/http/csv-reply.ts";
import { type Mount, operation } from "#src/http/operation.ts";
import { revised } from "#src/http/revisions.ts";
import { IdCursorQuery, pageOf, toPage } from "#src/http/pagination.ts";

/** Column name to what it is; null leaves the column out. */
export const Mapping = z
  .record(text(255), z.string().max(110).nullable())
  .refine((mapping) => Object.keys(mapping).length <= 500, "has more than 500 columns")
  .superRefine((mapping, context) => {
    for (const [column, target] of Object.entries(mapping)) {
      if (isMappingTarget(target)) continue;
      context.addIssue({
        code: "custom",
        path: [column],
        message: `is none of ${MAPPING_TARGETS}`,
      });
    }
  })
  .openapi("ColumnMapping", {
    description: `By column name: one of ${MAPPING_TARGETS}.`,
    example: { "E-Mail": "email", Deal: "custom.deal", Notes: null },
  });

const Create = z.object({ name: text(255) }).openapi("DatasetCreate");
const Change = z
  .object({ name: text(255), mapping: Mapping })
  .partial()
  .openapi("DatasetChange");

const Body = z
  .object({
    ...ownedFields,
    name: z.string(),
    source: z.enum(["csv", "sheet", "api", "prospects"]),
    source_url: z.string().nullable(),
    status: z.enum(["importing", "ready", "failed"]),
    row_count: z.int(),
    columns: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        type: z.string(),
        sample: z.string().nullable(),
      }),
    ),
    mapping: z.record(z.string(), z.string().nullable()),
    error: z.string().nullable(),
    import_progress: z.object({ rows_read: z.int() }).nullable(),
  })
  .openapi("Dataset", {
    description:
      "`status` is importing while rows are read; `import_progress` says how many were, where a sheet is imported.",
  });

const PATH = "/api/v1/datasets";
const ONE = "/api/v1/datasets/{dataset_id}";
const tag = "Datasets";
const params = z.object({ dataset_id: uuid });

const UNNAMED = new Set(["revision"] as const);
const toWire = (dataset: Dataset) => snakeKeys(dataset, UNNAMED);
const asRevised = (dataset: Dataset) => revised(dataset.revision, toWire(dataset));

export const datasetRoutes: Mount[] = [
  operation({
    method: "get",
    path: PATH,
    id: "listDatasets",
    scope: "leads:read",
    tag,
    summary: "List datasets, newest first",
    query: IdCursorQuery,
    response: pageOf(Body),
    handler: async ({ deps, principal, query: { cursor = null, limit } }) => {
      const rows = await pageOfDatasets(deps, principal, { before: cursor, limit });
      return toPage(rows, limit, ({ id }) => id, toWire);
    },
  }),
  operation({
    method: "post",
    path: PATH,
    id: "createDataset",
    scope: "leads:write",
    tag,
    summary: "Create an empty dataset",
    claims: "effect",
    body: Create,
    status: 201,
    response: Body,
    handler: async ({ deps, principal, body }) =>
      toWire(await createDataset(deps, principal, body.name)),
  }),
  operation({
    method: "get",
    path: ONE,
    id: "getDataset",
    record: "datasets",
    scope: "leads:read",
    tag,
    summary: "Get a dataset",
    params,
    response: Body,
    handler: async ({ deps, principal, params }) =>
      asRevised(await requireDataset(deps, principal, params.dataset_id)),
  }),
  operation({
    method: "patch",
    path: ONE,
    id: "changeDataset",
    record: "datasets",
    scope: "leads:write",
    tag,
    summary: "Rename a dataset, or set the column mapping of its next imports",
    claims: "effect",
    params,
    body: Change,
    response: Body,
    handler: async ({ deps, principal, params, body }) =>
      asRevised(await changeDataset(deps, principal, params.dataset_id, camelKeys(body))),
  }),
  operation({
    method: "delete",
    path: ONE,
    id: "deleteDataset",
    record: "datasets",
    scope: "leads:write",
    tag,
    summary: "Delete a dataset and its leads, unless a campaign under way uses it",
    claims: "effect",
    params,
    response: Deleted,
    errors: [409],
    handler: ({ deps, principal, params }) =>
      done(removeDataset(deps, principal, params.dataset_id)),
  }),
  operation({
    method: "get",
    path: "/api/v1/datasets/{dataset_id}/leads.csv",
    id: "exportLeads",
    scope: "leads:read",
    begins: "let_in",
    tag,
    summary: "Export the leads as CSV",
    description: CSV_NOTE,
    params,
    response: z.string(),
    responseType: "text/csv",
    example: {
      response:
        '"row_index","email","first_name","company"\r\n"1","ada@example.com","Ada","Analytical Engines"\r\n',
    },
    handler: async ({ deps, principal, params }) =>
      csvReply(
        `leads-${params.dataset_id}.csv`,
        await exportLeads(deps, principal, params.dataset_id),
      ),
  }),
];
