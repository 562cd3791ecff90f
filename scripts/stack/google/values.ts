import type { Spreadsheet, Tab } from "./spreadsheets.ts";

/** Rows and columns from 1, both ends included. */
interface Range {
  tab: Tab;
  rows: [number, number];
  columns: [number, number];
}

/** What Google says of a range that it cannot read, status 400. */
export class RangeRefusal extends Error {}

const PART = /^([A-Za-z]{1,3})?(\d{1,8})?$/;

/**
 * A1 notation: `'Ann''s leads'!A2:C10`, `Sheet1!A:A`, `Sheet1!1:1`, `Sheet1`. A range that begins outside the grid is
 * refused as Google refuses it; an end outside is cut.
 */
export function readRange(sheet: Spreadsheet, text: string): Range {
  const [, quoted, bare, cells] = /^(?:'((?:[^']|'')*)'|([^'!]*))(?:!(.*))?$/s.exec(text) ?? [];
  const title = quoted?.replaceAll("''", "'") ?? bare ?? "";
  const tab = sheet.tabs.find((each) => each.title === title && !each.isChart);
  if (tab === undefined) throw unparsable(text);
  if (cells === undefined) return whole(tab);
  const [first = "", second = first, ...more] = cells.split(":");
  const [from, to] = [PART.exec(first), PART.exec(second)];
  if (from === null || to === null || more.length > 0 || cells === "") throw unparsable(text);
  const range: Range = {
    tab,
    rows: [Number(from[2] ?? 1), Number(to[2] ?? tab.gridRows)],
    columns: [columnOf(from[1]) ?? 1, columnOf(to[1]) ?? tab.gridColumns],
  };
  if (range.rows[1] > tab.gridRows || range.columns[1] > tab.gridColumns || range.rows[0] < 1)
    throw new RangeRefusal(
      `Range (${text}) exceeds grid limits. Max rows: ${tab.gridRows}, max columns: ${tab.gridColumns}`,
    );
  return range;
}

const unparsable = (text: string) => new RangeRefusal(`Unable to parse range: ${text}`);

const whole = (tab: Tab): Range => ({
  tab,
  rows: [1, tab.gridRows],
  columns: [1, tab.gridColumns],
});

function columnOf(letters: string | undefined): number | null {
  if (letters === undefined) return null;
  return [...letters.toUpperCase()].reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  );
}

/** The ValueRange: without empty cells at the end of a row, nor empty rows at the end, nor `values` when all is empty. */
export function valueRange(range: Range, majorDimension: string) {
  const { tab, rows, columns } = range;
  const last = Math.min(rows[1], tab.filledRows);
  const count = Math.max(0, last - rows[0] + 1);
  const grid = Array.from({ length: count }, (_, index) =>
    trimmed(tab.row(rows[0] + index).slice(columns[0] - 1, columns[1]), (cell) => cell === ""),
  );
  const isEmpty = (cells: string[]) => cells.length === 0;
  const values = trimmed(majorDimension === "COLUMNS" ? transposed(grid) : grid, isEmpty);
  return {
    range: `${tab.title}!R${rows[0]}C${columns[0]}:R${rows[1]}C${columns[1]}`,
    majorDimension,
    ...(values.length === 0 ? {} : { values }),
  };
}

const trimmed = <Item>(items: Item[], isEmpty: (item: Item) => boolean): Item[] =>
  items.slice(0, items.findLastIndex((item) => !isEmpty(item)) + 1);

function transposed(grid: string[][]): string[][] {
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, column) =>
    trimmed(
      grid.map((row) => row[column] ?? ""),
      (cell) => cell === "",
    ),
  );
}
