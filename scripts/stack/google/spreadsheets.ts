import * as fs from "node:fs";
import * as path from "node:path";
import Papa from "papaparse";
import { z } from "zod";
import { builtIn } from "./built-in.ts";

/** Who may read it: none of our accounts, the service account, or all who have the link. */
export type Sharing = "private" | "shared" | "public";

export interface Tab {
  id: number;
  title: string;
  hidden: boolean;
  /** A chart on a tab of its own has no cells. */
  isChart: boolean;
  /** Size of the grid, which is larger than what is filled. */
  gridRows: number;
  gridColumns: number;
  /** How many rows hold anything, from the first. */
  filledRows: number;
  /** What the row shows, counted from 1; [] below the last that is filled. */
  row(number: number): string[];
}

export interface Spreadsheet {
  title: string;
  sharing: Sharing;
  /** An Office file in Drive opens in the browser like a sheet, and the API refuses it. */
  isOfficeFile: boolean;
  tabs: Tab[];
}

export interface Spreadsheets {
  list(): string[];
  /** As it is now: a file is read each time, so that a person may edit it between two imports. */
  find(id: string): Spreadsheet | null;
  put(id: string, sheet: Described): void;
}

/** How a spreadsheet is written in `<id>.json`, and by tests. A cell is the text that it shows. */
const Description = z.object({
  title: z.string().default("Untitled spreadsheet"),
  sharing: z.enum(["private", "shared", "public"]).default("shared"),
  office_file: z.boolean().default(false),
  tabs: z
    .array(
      z.object({
        id: z.int().optional(),
        title: z.string().optional(),
        hidden: z.boolean().default(false),
        chart: z.boolean().default(false),
        rows: z.array(z.array(z.string())).default([]),
        grid_rows: z.int().min(1).optional(),
        grid_columns: z.int().min(1).optional(),
      }),
    )
    .default([]),
});
export type Described = z.input<typeof Description>;

/** The grid of a new sheet. */
const GRID = { rows: 1000, columns: 26 };
const FILE = /^([A-Za-z0-9_-]+)(\.private|\.public)?\.(csv|json)$/;
/** Parsed, so that reading a large file page by page reads it once. */
const KEPT = 8;

const SEED = `Email,First name,Company,Title,Website
ada@inbox.zz,Ada,Analytical Engines,Countess,https://engines.example.com
grace@inbox.zz,Grace,"Compilers, Inc.",Rear Admiral,https://compilers.example.com
edsger@inbox.zz,Edsger,Shortest Paths,,
`;

/**
 * Spreadsheets by id: the built-in ones, those that tests put, and those of the folder, where `<id>.csv` is shared with
 * the service account, `<id>.public.csv` with anyone, `<id>.private.csv` with nobody, and `<id>.json` says all of it.
 */
export function createSpreadsheets(folder: string | undefined): Spreadsheets {
  const kept = new Map<string, Spreadsheet>();
  const parsed = new Map<string, Spreadsheet>();
  if (folder !== undefined) seed(folder);

  function files(): { id: string; name: string }[] {
    if (folder === undefined) return [];
    return fs.readdirSync(folder).flatMap((name) => {
      const id = FILE.exec(name)?.[1];
      return id === undefined ? [] : [{ id, name }];
    });
  }

  function readFile(name: string): Spreadsheet {
    const file = path.join(folder!, name);
    const { mtimeMs, size } = fs.statSync(file);
    const key = `${name} ${mtimeMs} ${size}`;
    const sheet = parsed.get(key) ?? parseFile(name, fs.readFileSync(file, "utf8"));
    parsed.set(key, sheet);
    for (const old of [...parsed.keys()].slice(0, -KEPT)) parsed.delete(old);
    return sheet;
  }

  return {
    list: () => [...files().map(({ id }) => id), ...kept.keys()].toSorted(),
    find(id) {
      const file = files().find((each) => each.id === id);
      return kept.get(id) ?? (file === undefined ? builtIn(id) : readFile(file.name));
    },
    put: (id, sheet) => void kept.set(id, describe(sheet)),
  };
}

function seed(folder: string): void {
  if (fs.existsSync(folder)) return;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "leads.csv"), SEED);
}

function parseFile(name: string, text: string): Spreadsheet {
  const [, id = "", suffix, kind] = FILE.exec(name) ?? [];
  if (kind === "json") return describe(Description.parse(JSON.parse(text)));
  const rows = Papa.parse<string[]>(text.replace(/^\ufeff/, ""), { delimiter: "," }).data;
  const sharing = suffix === ".public" ? "public" : suffix === ".private" ? "private" : "shared";
  return describe({ title: id, sharing, tabs: [{ rows }] });
}

function describe(sheet: Described): Spreadsheet {
  const { title, sharing, office_file: isOfficeFile, tabs } = Description.parse(sheet);
  return {
    title,
    sharing,
    isOfficeFile,
    tabs: tabs.map((tab, index) => {
      const filledRows = tab.rows.findLastIndex((row) => row.some((cell) => cell !== "")) + 1;
      const widest = tab.rows.reduce((most, row) => Math.max(most, row.length), 0);
      return {
        id: tab.id ?? index,
        title: tab.title ?? `Sheet${index + 1}`,
        hidden: tab.hidden,
        isChart: tab.chart,
        gridRows: tab.grid_rows ?? Math.max(GRID.rows, filledRows),
        gridColumns: tab.grid_columns ?? Math.max(GRID.columns, widest),
        filledRows,
        row: (number) => tab.rows[number - 1] ?? [],
      };
    }),
  };
}
