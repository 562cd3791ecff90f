import * as z from "zod";
import { reportOf } from "#src/domain/people/leads/import-leads.ts";
import { IMPORT_LIMITS, tooManyRows } from "#src/domain/people/leads/import-tally.ts";
import type { ImportTrial } from "#src/domain/people/leads/import-trial.ts";
import type { SheetImport } from "#src/domain/people/leads/sheet-import.ts";
import { MAX_GID } from "#src/domain/people/leads/sheet-url.ts";
import { MOST_PROSPECTS } from "#src/domain/research/prospects/import-to-dataset.ts";
import { CSV_LIMITS } from "#src/csv/reader.ts";
import { unprocessable } from "#src/errors.ts";
import { MIB } from "#src/http/body.ts";
import { instant, uuid } from "#src/http/fields.ts";
import type { JsonRowsLimits } from "#src/http/json-rows.ts";
import { Mapping } from "./datasets.ts";
import { ProspectSearch } from "./prospects.ts";
import { sheetUrl } from "./sheet-url-field.ts";

export const CSV_LIMIT = 64 * MIB;
export const JSON_LIMIT = 10 * MIB;
export const MAPPING_LIMIT = 256 * 1024;

export const ROW_LIMITS: JsonRowsLimits = {
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

export const Sheet = z.object({
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
export function schemaOf(body: unknown) {
  const names = (field: string) => typeof body === "object" && body !== null && field in body;
  if (names("sheet_url")) return Sheet;
  return names("prospect_tags") ? Prospects : Rows;
}

export const Report = z
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

export const UnderWay = z
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

export const Trial = z
  .object({
    dry_run: z.literal(true),
    ...Report.shape,
    columns: z.array(
      z.object({
        header: z.string().openapi({ example: "E-Mail" }),
        guess: z.string().nullable().openapi({
          description: "A field of a lead, `custom.<key>`, or null for what is left out.",
          example: "email",
        }),
        samples: z.array(z.string()).openapi({
          description: "Of the first rows, at most three.",
          example: ["ada@example.com"],
        }),
      }),
    ),
  })
  .openapi("ImportTrial", {
    description: "What the import would do now. Nothing of it is kept.",
  });

/** Imports of a sheet and of the pool have no dry run: their reader writes as it reads. */
export const NO_TRIAL =
  "A dry run is made of a CSV file or of rows; leave dry_run out to import this.";

export const toUnderWay = (row: SheetImport): z.input<typeof UnderWay> => ({
  dataset_id: row.datasetId,
  status: WIRE_STATUS[row.status],
  source_url: row.sourceUrl,
  ...reportOf(row.tally, row),
  error: row.error,
  started_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

const WIRE_STATUS = { running: "importing", done: "ready", failed: "failed" } as const;

export const asTrial = (trial: ImportTrial): z.input<typeof Trial> => ({ dry_run: true, ...trial });
