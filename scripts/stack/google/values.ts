import type { Spreadsheet, Tab } from "./spreadsheets.ts";

/** Rows and columns from 1, both ends included. */
interface Range {
  tab: Tab;
  rows: [number, number];
  columns: [number, number];
}

/** What Google says of a range that it cannot read, status 400. */
export class RangeRefusal extends Error {}

/**
 * A1 notation as the service writes it: `'Ann''s leads'!A2:C10`. A range that lies outside the grid is refused as
 * Google refuses it.
 */
export function readRange(sheet: Spreadsheet, text: string): Range {
  const [, title = "", left = "", top, right = "", bottom] =
    /^'((?:[^']|'')*)'!([A-Z]{1,3})(\d{1,8}):([A-Z]{1,3})(\d{1,8})$/.exec(text) ?? [];
  const name = title.replaceAll("''", "'");
  const tab = sheet.tabs.find((each) => each.title === name && !each.isChart);
  if (tab === undefined || top === undefined)
    throw new RangeRefusal(`Unable to parse range: ${text}`);
  const range: Range = {
    tab,
    rows: [Number(top), Number(bottom)],
    columns: [columnOf(left), columnOf(right)],
  };
  if (range.rows[1] > tab.gridRows || range.columns[1] > tab.gridColumns || range.rows[0] < 1)
    throw new RangeRefusal(
      `Range (${text}) exceeds grid limits. Max rows: ${tab.gridRows}, max columns: ${tab.gridColumns}`,
    );
  return range;
}

const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** The ValueRange: without empty cells at the end of a row, nor empty rows at the end, nor `values` when all is empty. */
export function valueRange(range: Range) {
  const { tab, rows, columns } = range;
  const last = Math.min(rows[1], tab.filledRows);
  const count = Math.max(0, last - rows[0] + 1);
  const grid = Array.from({ length: count }, (_, index) =>
    trimmed(tab.row(rows[0] + index).slice(columns[0] - 1, columns[1]), (cell) => cell === ""),
  );
  const isEmpty = (cells: string[]) => cells.length === 0;
  const values = trimmed(grid, isEmpty);
  return {
    range: `${tab.title}!R${rows[0]}C${columns[0]}:R${rows[1]}C${columns[1]}`,
    majorDimension: "ROWS",
    ...(values.length === 0 ? {} : { values }),
  };
}

const trimmed = <Item>(items: Item[], isEmpty: (item: Item) => boolean): Item[] =>
  items.slice(0, items.findLastIndex((item) => !isEmpty(item)) + 1);
