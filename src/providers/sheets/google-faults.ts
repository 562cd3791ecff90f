import * as z from "zod";
import { type GoogleAnswer, retryAfter } from "./google-call.ts";
import { readJson } from "#src/platform/json.ts";
import { SheetsFault, type SheetsFaultKind } from "./index.ts";

/** https://cloud.google.com/apis/design/errors */
const ErrorBody = z.object({
  error: z.object({
    status: z.string().catch(""),
    message: z.string().catch(""),
    details: z.array(z.object({ reason: z.string().catch("") }).catch({ reason: "" })).catch([]),
  }),
});

/** Reads per minute are given back after a minute (https://developers.google.com/workspace/sheets/api/limits). */
const QUOTA_SECONDS = 60;

/** Reasons of a 403 that concern our project or account and not the sheet. */
const OUR_OWN = new Set([
  "SERVICE_DISABLED",
  "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
  "API_KEY_SERVICE_BLOCKED",
  "BILLING_DISABLED",
  "CONSUMER_SUSPENDED",
  "CONSUMER_INVALID",
  "RATE_LIMIT_EXCEEDED",
]);

/** What an answer of the Sheets API other than 200 says of the sheet. */
export function apiFault(answer: GoogleAnswer): SheetsFault {
  const { error } = ErrorBody.safeParse(readJson(answer.text)).data ?? { error: undefined };
  const reasons = error?.details.map(({ reason }) => reason) ?? [];
  const said = `${answer.status} ${error?.status ?? ""} ${reasons.join(" ")} ${error?.message ?? ""}`;
  const wait = retryAfter(answer.headers) ?? (answer.status === 429 ? QUOTA_SECONDS : null);
  const kind = error === undefined ? "unavailable" : kindOf(answer.status, error.status, reasons);
  return new SheetsFault(kind, `Google Sheets answered ${said.trim().slice(0, 300)}`, wait);
}

function kindOf(status: number, code: string, reasons: string[]): SheetsFaultKind {
  if (status === 403) return reasons.some((one) => OUR_OWN.has(one)) ? "unavailable" : "not_shared";
  if (status === 404) return "not_found";
  // "This operation is not supported for this document": an Office file that lies in Drive.
  if (status === 400) return code === "FAILED_PRECONDITION" ? "not_a_sheet" : "no_such_range";
  return "unavailable";
}

/** What an answer of the export other than a file says. */
export function exportFault(status: number, headers: Headers): SheetsFault {
  const kinds: Record<number, SheetsFaultKind> = {
    400: "no_such_range",
    401: "not_shared",
    403: "not_shared",
    404: "not_found",
    410: "not_found",
  };
  return new SheetsFault(
    kinds[status] ?? "unavailable",
    `the export answered ${status}`,
    retryAfter(headers),
  );
}
