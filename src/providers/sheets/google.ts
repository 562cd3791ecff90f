import * as z from "zod";
import type { Clock } from "#src/platform/index.ts";
import { a1 } from "./a1.ts";
import { createGoogleCall, type GoogleAnswer } from "./google-call.ts";
import { openExport } from "./google-export.ts";
import { apiFault } from "./google-faults.ts";
import { readJson } from "#src/platform/json.ts";
import { createGoogleTokens, type ServiceAccount } from "./google-token.ts";
import {
  type CellRange,
  type Grid,
  type Sheets,
  type SheetsAccount,
  SheetsFault,
  type Tab,
} from "./index.ts";

export interface GoogleSettings {
  /** Null: only sheets that anyone with the link may read. */
  account: ServiceAccount | null;
  tokenUrl: string;
  sheetsBase: string;
  exportBase: string;
}

const DESCRIBE_BYTES = 1024 * 1024;
/** Google recommends 2 MB a payload; more than this is asked for in smaller pieces. */
const VALUES_BYTES = 4 * 1024 * 1024;

const FIELDS =
  "spreadsheetId,properties(title),sheets.properties(sheetId,title,index,sheetType,hidden,gridProperties(rowCount,columnCount))";

const size = z.int().min(0);
const Metadata = z.object({
  spreadsheetId: z.string(),
  properties: z.object({ title: z.string() }),
  sheets: z.array(
    z.object({
      properties: z.object({
        sheetId: z.int(),
        title: z.string(),
        hidden: z.boolean().default(false),
        // A chart on a tab of its own has no grid.
        gridProperties: z.object({ rowCount: size, columnCount: size }).optional(),
      }),
    }),
  ),
});

/** Looked through and not copied: a page is the most that an import holds. */
const cells = z.custom<(string | number | boolean | null)[][]>(
  (value) => Array.isArray(value) && value.every(isRow),
);
const isRow = (row: unknown) =>
  Array.isArray(row) && row.every((cell) => cell === null || typeof cell !== "object");
const Values = z.object({ valueRanges: z.array(z.object({ values: cells.default([]) })) });

/** Formatted values are texts already. */
const textsOf = (row: (string | number | boolean | null)[]): string[] =>
  row.every((cell) => typeof cell === "string")
    ? row
    : row.map((cell) => (cell === null ? "" : String(cell)));

/** Google Sheets, API v4, read only (https://developers.google.com/workspace/sheets/api/reference/rest). */
export function createGoogleSheets(
  settings: GoogleSettings,
  { fetch, clock }: { fetch: typeof globalThis.fetch; clock: Clock },
): Sheets {
  const account =
    settings.account === null
      ? null
      : createAccount({ ...settings, account: settings.account }, fetch, clock);
  return {
    account,
    openPublic: (spreadsheetId, gid, ms) =>
      openExport(fetch, settings.exportBase, { spreadsheetId, gid }, ms),
  };
}

function createAccount(
  { account, tokenUrl, sheetsBase }: GoogleSettings & { account: ServiceAccount },
  fetch: typeof globalThis.fetch,
  clock: Clock,
): SheetsAccount {
  const call = createGoogleCall(fetch, clock);
  const tokens = createGoogleTokens({ account, tokenUrl, call, clock });

  async function ask(path: string, maxBytes: number): Promise<GoogleAnswer> {
    const token = await tokens.get();
    const headers = { authorization: `Bearer ${token}` };
    const answer = await call({ url: `${sheetsBase}/v4/spreadsheets/${path}`, headers, maxBytes });
    if (answer.status === 401) tokens.forget(token);
    return answer;
  }

  /** A token that was revoked before its end is renewed once. */
  async function get<S extends z.ZodType>(path: string, maxBytes: number, schema: S) {
    const first = await ask(path, maxBytes);
    const answer = first.status === 401 ? await ask(path, maxBytes) : first;
    if (answer.status !== 200) throw apiFault(answer);
    const parsed = schema.safeParse(readJson(answer.text));
    if (parsed.success) return parsed.data;
    throw new SheetsFault("unavailable", "Google Sheets answered 200 with what is not its answer");
  }

  return {
    email: account.email,
    async describe(id) {
      const fields = encodeURIComponent(FIELDS);
      const { properties, sheets } = await get(`${id}?fields=${fields}`, DESCRIBE_BYTES, Metadata);
      return { id, title: properties.title, tabs: sheets.flatMap(toTab) };
    },
    async read(id, ranges): Promise<Grid[]> {
      const query = new URLSearchParams({
        majorDimension: "ROWS",
        valueRenderOption: "FORMATTED_VALUE",
      });
      for (const range of ranges) query.append("ranges", a1(range));
      const { valueRanges } = await get(`${id}/values:batchGet?${query}`, VALUES_BYTES, Values);
      const grids = valueRanges.map(({ values }) => values.map(textsOf));
      if (grids.length === ranges.length && ranges.every((range, at) => fits(grids[at]!, range)))
        return grids;
      throw new SheetsFault(
        "unavailable",
        "Google Sheets answered other ranges than were asked for",
      );
    },
  };
}

const fits = (grid: Grid, { rows, columns }: CellRange) =>
  grid.length <= rows[1] - rows[0] + 1 &&
  grid.every((row) => row.length <= columns[1] - columns[0] + 1);

function toTab({ properties }: z.output<typeof Metadata>["sheets"][number]): Tab[] {
  const { sheetId: id, title, hidden, gridProperties } = properties;
  if (gridProperties === undefined) return [];
  return [
    { id, title, hidden, rows: gridProperties.rowCount, columns: gridProperties.columnCount },
  ];
}
