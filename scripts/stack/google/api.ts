import type { IncomingMessage } from "node:http";
import type { Faults } from "../part.ts";
import type { Spreadsheet, Spreadsheets } from "./spreadsheets.ts";
import type { TokenIssuer } from "./token.ts";
import { RangeRefusal, readRange, valueRange } from "./values.ts";

export type Json = { status: number; body: unknown };

/** Google's limit for one user of one project. */
const READS_PER_MINUTE = 60;

/** Answers /v4/spreadsheets/{id}, its values/{range} and values:batchGet. */
export function createApi(options: {
  sheets: Spreadsheets;
  tokens: TokenIssuer;
  faults: Faults;
  readsPerMinute: number | undefined;
}): (request: IncomingMessage, url: URL) => Json {
  const { sheets, tokens, faults, readsPerMinute = READS_PER_MINUTE } = options;
  let minute = { at: 0, reads: 0 };

  function isOverQuota(): boolean {
    const at = Math.floor(Date.now() / 60_000);
    if (minute.at !== at) minute = { at, reads: 0 };
    minute.reads += 1;
    return minute.reads > readsPerMinute;
  }

  return (request, url) => {
    if (faults.take("token_revoked")) tokens.revokeAll();
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (!tokens.isValid(token)) return apiError(401, "UNAUTHENTICATED", UNAUTHENTICATED);
    if (faults.take("service_disabled"))
      return apiError(403, "PERMISSION_DENIED", DISABLED, "SERVICE_DISABLED");
    if (isOverQuota() || faults.take("quota"))
      return apiError(429, "RESOURCE_EXHAUSTED", OVER_QUOTA, "RATE_LIMIT_EXCEEDED");
    const [, id = "", values] =
      /^\/v4\/spreadsheets\/([^/:]+)(\/values.*)?$/.exec(url.pathname) ?? [];
    const sheet = sheets.find(id);
    if (sheet === null) return apiError(404, "NOT_FOUND", "Requested entity was not found.");
    if (sheet.sharing === "private")
      return apiError(403, "PERMISSION_DENIED", "The caller does not have permission");
    if (sheet.isOfficeFile) return apiError(400, "FAILED_PRECONDITION", NOT_SUPPORTED);
    return values === undefined ? metadata(id, sheet) : readValues(id, sheet, values, url);
  };
}

const UNAUTHENTICATED =
  "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.";
const DISABLED =
  "Google Sheets API has not been used in project 1 before or it is disabled. Enable it, then retry.";
const OVER_QUOTA =
  "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user' of service 'sheets.googleapis.com'.";
const NOT_SUPPORTED = "This operation is not supported for this document";

/** https://cloud.google.com/apis/design/errors */
export function apiError(code: number, status: string, message: string, reason?: string): Json {
  const details =
    reason === undefined
      ? {}
      : {
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.ErrorInfo",
              reason,
              domain: "googleapis.com",
            },
          ],
        };
  return { status: code, body: { error: { code, message, status, ...details } } };
}

function metadata(id: string, sheet: Spreadsheet): Json {
  return {
    status: 200,
    body: {
      spreadsheetId: id,
      properties: { title: sheet.title, locale: "en_US", timeZone: "Etc/GMT" },
      sheets: sheet.tabs.map((tab, index) => ({
        properties: {
          sheetId: tab.id,
          title: tab.title,
          index,
          sheetType: tab.isChart ? "OBJECT" : "GRID",
          ...(tab.hidden ? { hidden: true } : {}),
          ...(tab.isChart
            ? {}
            : { gridProperties: { rowCount: tab.gridRows, columnCount: tab.gridColumns } }),
        },
      })),
    },
  };
}

function readValues(id: string, sheet: Spreadsheet, path: string, { searchParams }: URL): Json {
  if (path !== "/values:batchGet" || searchParams.get("majorDimension") !== "ROWS")
    return apiError(404, "NOT_FOUND", `The local stack has values:batchGet by ROWS, not ${path}`);
  try {
    const valueRanges = searchParams
      .getAll("ranges")
      .map((range) => valueRange(readRange(sheet, range)));
    return { status: 200, body: { spreadsheetId: id, valueRanges } };
  } catch (error) {
    if (error instanceof RangeRefusal) return apiError(400, "INVALID_ARGUMENT", error.message);
    throw error;
  }
}
