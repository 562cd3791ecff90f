/**
 * Why a sheet could not be read. `no_such_range`: the tab or its rows are not there (any more); `too_large`: more than
 * one answer may hold, ask for less; `unavailable`: the provider or our account there, the sheet may be right.
 */
export type SheetsFaultKind =
  | "not_shared"
  | "not_found"
  | "not_a_sheet"
  | "no_such_range"
  | "too_large"
  | "unavailable";

export class SheetsFault extends Error {
  override readonly name = "SheetsFault";
  readonly kind: SheetsFaultKind;
  /** When the provider said that it takes requests again. */
  readonly retryAfterSeconds: number | null;

  /** The message is for the log. */
  constructor(kind: SheetsFaultKind, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Spreadsheet {
  id: string;
  title: string;
  /** In the order of the tab bar; tabs without a grid (charts) are left out. */
  tabs: Tab[];
}

export interface Tab {
  id: number;
  title: string;
  hidden: boolean;
  /** Size of the grid, most of which is often empty. */
  rows: number;
  columns: number;
}

/** Rows and columns count from 1 and belong to the range; it must lie within the tab's grid. */
export interface CellRange {
  tab: string;
  rows: [from: number, to: number];
  columns: [from: number, to: number];
}

/** Texts as the sheet shows them. Empty cells at a row's end and empty rows at the range's end are left out. */
export type Grid = string[][];

/** Our account at the provider, with which people share their sheets. Its verbs throw SheetsFault. */
export interface SheetsAccount {
  email: string;
  describe(spreadsheetId: string): Promise<Spreadsheet>;
  /** All ranges as they are at one moment, in one request of the quota. */
  read(spreadsheetId: string, ranges: CellRange[]): Promise<Grid[]>;
}

/** One tab as a CSV file. */
export interface PublicSheet {
  /** Null where the provider did not say. */
  title: string | null;
  tabTitle: string | null;
  /** Throws SheetsFault while it is read. */
  csv: AsyncIterable<Uint8Array>;
}

export interface Sheets {
  /** Null when this deployment has none: then only sheets that anyone with the link may read are read. */
  account: SheetsAccount | null;
  /** A sheet that anyone with the link may read; without a gid its first tab. Throws SheetsFault. `ms` bounds all of the reading. */
  openPublic(spreadsheetId: string, gid: number | null, ms: number): Promise<PublicSheet>;
}
