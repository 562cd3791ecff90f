/** What a spreadsheet would run as a formula, however harmless it looks. */
const RUNS = /^[=+\-@\t\r]/;

/** RFC 4180, but for this: a text that a spreadsheet would run begins with an apostrophe. Figures stay figures. */
export function csvText(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = RUNS.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
