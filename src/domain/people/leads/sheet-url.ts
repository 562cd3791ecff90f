/** The spreadsheet that a URL names, and the tab in it. */
export interface SheetRef {
  spreadsheetId: string;
  gid: number | null;
}

export const SHEET_URL_LENGTH = 2048;
/** Tab ids are 32-bit (https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/sheets). */
export const MAX_GID = 2_147_483_647;

/** As the text is, and not as a URL parser would mend it: no other host, port, userinfo or spelling of them gets through. */
const ANY = /^https?:\/\/docs\.google\.com\//i;
const PUBLISHED =
  /^https?:\/\/docs\.google\.com\/(?:a\/[\w.-]+\/)?spreadsheets\/(?:u\/\d{1,2}\/)?d\/e\//i;
const SHEET =
  /^https?:\/\/docs\.google\.com\/(?:a\/[\w.-]+\/)?spreadsheets\/(?:u\/\d{1,2}\/)?d\/([\w-]{1,128})(?:\/[a-z]*)*(\?[!$-;=?-~]*)?(#[!$-;=?-~]*)?$/i;

/**
 * Reads a Google Sheets URL; nothing is ever fetched from it, only the id goes on. The gid of the fragment is the tab
 * that the browser shows, the query's is what it was opened with. Returns what is wrong in words.
 */
export function parseSheetUrl(text: string): SheetRef | string {
  if (!ANY.test(text))
    return "must be the URL of a Google sheet: https://docs.google.com/spreadsheets/d/...";
  if (PUBLISHED.test(text))
    return "is a link of File > Share > Publish to web, which does not say which sheet it is of; copy the address of the sheet itself from the browser";
  const [, spreadsheetId, query = "", fragment = ""] = SHEET.exec(text) ?? [];
  if (spreadsheetId === undefined)
    return "is no address of a Google sheet: it looks like https://docs.google.com/spreadsheets/d/<id>/edit#gid=0";
  const gid = gidOf(fragment) ?? gidOf(query);
  if (gid === undefined) return { spreadsheetId, gid: null };
  if (!/^\d{1,10}$/.test(gid) || Number(gid) > MAX_GID)
    return "has a gid that is no number of a tab";
  return { spreadsheetId, gid: Number(gid) };
}

const gidOf = (part: string): string | undefined => /[?#&]gid=([^&]*)/.exec(part)?.[1];
