/**
 * A cell that a spreadsheet program shows as text: what would start a formula gets an apostrophe
 * before it (https://owasp.org/www-community/attacks/CSV_Injection). Every cell is quoted.
 */
function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

/** One line, CRLF included (RFC 4180). */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => (cell === null ? "" : csvCell(cell))).join(",")}\r\n`;
}

/** What `csvLine` put before a formula is taken away again, so that an export can be imported. */
export function withoutApostrophe(value: string): string {
  return /^'[=+\-@\t\r\n＝＋－＠]/.test(value) ? value.slice(1) : value;
}
