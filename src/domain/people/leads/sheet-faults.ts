import type { Deps } from "#src/deps.ts";
import { AppError, unprocessable } from "#src/errors.ts";
import type { SheetsFault, SheetsFaultKind } from "#src/providers/sheets/index.ts";

export type SheetStatus =
  | "ok"
  | "not_shared"
  | "not_found"
  | "not_a_sheet"
  | "provider_unavailable";

/** How each fault reads in the answer of an access check. */
export const STATUS_OF: Record<SheetsFaultKind, Exclude<SheetStatus, "ok">> = {
  not_shared: "not_shared",
  not_found: "not_found",
  not_a_sheet: "not_a_sheet",
  no_such_range: "not_a_sheet",
  too_large: "not_a_sheet",
  unavailable: "provider_unavailable",
};

/** The remedy of a fault, in words for the sheet's user. */
export function adviceOf({ kind }: SheetsFault, shareWith: string | null): string {
  switch (kind) {
    case "not_shared":
      return shareWith === null
        ? 'The sheet is private. In Share > General access choose "Anyone with the link", Viewer.'
        : `The sheet is not shared with us. Share it with ${shareWith} as Viewer.`;
    case "not_found":
      return "There is no such sheet, or it was deleted. Copy its address from the browser again.";
    case "not_a_sheet":
      return "This is an Office file in Google Drive, not a Google sheet. Open it, choose File > Save as Google Sheets, and use the address of the copy.";
    case "no_such_range":
      return "The sheet has no such tab. Open the tab in the browser and copy the address again.";
    case "too_large":
      return "The sheet is too large to be read. Split it, or export it as CSV and import the file.";
    case "unavailable":
      return "Google Sheets does not answer us as it should at the moment. Try again in a few minutes.";
  }
}

const CODES: Record<Exclude<SheetsFaultKind, "unavailable">, string> = {
  not_shared: "SHEET_NOT_SHARED",
  not_found: "SHEET_NOT_FOUND",
  not_a_sheet: "NOT_A_SHEET",
  no_such_range: "SHEET_TAB_NOT_FOUND",
  too_large: "SHEET_TOO_LARGE",
};

/** The fault as the error of an import. The provider's own words go to the log. */
export function sheetError(
  { sheets, log }: Pick<Deps, "sheets" | "log">,
  fault: SheetsFault,
): AppError {
  const shareWith = sheets.account?.email ?? null;
  const message = adviceOf(fault, shareWith);
  if (fault.kind !== "unavailable")
    return unprocessable(CODES[fault.kind], message, {
      detail: fault.kind === "not_shared" ? { share_with: shareWith } : {},
    });
  log.error("sheets_unavailable", { error: fault.message });
  const retryAfter = fault.retryAfterSeconds ?? 30;
  return new AppError("unavailable", "UPSTREAM_ERROR", message, { retryAfter });
}
