import type { Sharing, Spreadsheet, Tab } from "./spreadsheets.ts";

/** Ids that exist without a file; `<n>` is any number. */
export const BUILT_IN = {
  "local-private": "shared with nobody",
  "local-office": "an Office file that lies in Drive",
  "local-chart": "one tab, and a chart is all of it",
  "local-empty": "nothing in it",
  "local-rows-<n>": "n rows of made-up leads, shared with the service account",
  "local-public-rows-<n>": "the same, for anyone with the link",
  "local-columns-<n>": "a header of n columns and one row",
};

export function builtIn(id: string): Spreadsheet | null {
  const [, name = "", digits] = /^local-([a-z-]*?[a-z])(?:-(\d{1,8}))?$/.exec(id) ?? [];
  const count = Number(digits ?? 0);
  const make = Object.hasOwn(MADE, name) ? MADE[name] : undefined;
  return make === undefined
    ? null
    : { title: id, sharing: "shared", isOfficeFile: false, ...make(count) };
}

const MADE: Record<string, (count: number) => Partial<Spreadsheet> & { tabs: Tab[] }> = {
  private: () => ({ sharing: "private" satisfies Sharing, tabs: [tab(1, () => ["email"])] }),
  office: () => ({ isOfficeFile: true, tabs: [tab(1, () => ["email"])] }),
  chart: () => ({ tabs: [{ ...tab(0, () => []), isChart: true }] }),
  empty: () => ({ tabs: [tab(0, () => [])] }),
  rows: (count) => ({ tabs: [leads(count)] }),
  "public-rows": (count) => ({ sharing: "public" satisfies Sharing, tabs: [leads(count)] }),
  columns: (count) => ({ tabs: [wide(count)] }),
};

const HEADER = [
  "Email",
  "First name",
  "Last name",
  "Company",
  "Title",
  "Profile URL",
  "Country",
  "Deal size",
  "Note",
];

/** About 160 bytes a row, made when it is asked for. */
const leads = (count: number): Tab =>
  tab(count + 1, (number) => (number === 1 ? HEADER : lead(number - 2)));

const lead = (n: number): string[] => [
  `person${n}@company${n % 5000}.example.com`,
  `First${n}`,
  `Last${n}`,
  `Company ${n % 5000}`,
  "Head of Things",
  `https://profiles.example.com/in/person-${n}`,
  "Germany",
  String(n),
  "A note, with a comma",
];

function wide(count: number): Tab {
  const header = ["email", ...Array.from({ length: count - 1 }, (_, n) => `Column ${n + 2}`)];
  const row = ["ada@inbox.zz", ...header.slice(1).map((_, n) => `value ${n}`)];
  return { ...tab(2, (number) => (number === 1 ? header : row)), gridColumns: count };
}

function tab(filledRows: number, row: (number: number) => string[]): Tab {
  return {
    id: 0,
    title: "Sheet1",
    hidden: false,
    isChart: false,
    gridRows: Math.max(1000, filledRows),
    gridColumns: 26,
    filledRows,
    row: (number) => (number > filledRows ? [] : row(number)),
  };
}
