import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Spreadsheet, Tab } from "./spreadsheets.ts";

/** Where docs.google.com sends a browser: to the file for a public sheet, to the login for any other. */
export function exportRedirect(origin: string, id: string, sheet: Spreadsheet, gid: string | null) {
  if (sheet.sharing !== "public")
    return `https://accounts.google.com/ServiceLogin?continue=${encodeURIComponent(`https://docs.google.com/spreadsheets/d/${id}/export`)}`;
  const tab = tabOf(sheet, gid);
  return tab === null ? null : `${origin}/content/export/${id}/${tab.id}`;
}

export const tabOf = (sheet: Spreadsheet, gid: string | null): Tab | null =>
  sheet.tabs.find((tab) => !tab.isChart && (gid === null || String(tab.id) === gid)) ?? null;

/** The tab as the export gives it: UTF-8, CRLF, no line end behind the last row, all rows as long as the longest. */
export async function sendCsv(
  response: ServerResponse,
  sheet: Spreadsheet,
  tab: Tab,
): Promise<void> {
  const name = sheet.tabs.length > 1 ? `${sheet.title} - ${tab.title}.csv` : `${sheet.title}.csv`;
  response.writeHead(200, {
    "content-type": "text/csv",
    "content-disposition": `attachment; filename="export.csv"; filename*=UTF-8''${encodeURIComponent(name)}`,
  });
  await pipeline(Readable.from(csvOf(tab)), response);
}

function* csvOf(tab: Tab): Generator<string> {
  let width = 0;
  for (let row = 1; row <= tab.filledRows; row++) width = Math.max(width, tab.row(row).length);
  let text = "";
  for (let row = 1; row <= tab.filledRows; row++) {
    const cells = Array.from({ length: width }, (_, index) => csvCell(tab.row(row)[index] ?? ""));
    text += (row === 1 ? "" : "\r\n") + cells.join(",");
    if (text.length < 65_536) continue;
    yield text;
    text = "";
  }
  yield text;
}

const csvCell = (text: string) =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
