import type { CellRange } from "./index.ts";

/** `'Ann''s leads'!A2:C1001`. Quoted always: a bare name could be a cell or a named range. */
export function a1({ tab, rows, columns }: CellRange): string {
  const cell = (index: 0 | 1) => `${columnLetters(columns[index])}${rows[index]}`;
  return `'${tab.replaceAll("'", "''")}'!${cell(0)}:${cell(1)}`;
}

/** 1 is A, 26 Z, 27 AA. */
function columnLetters(column: number): string {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}
