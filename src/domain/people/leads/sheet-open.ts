import type { Deps } from "#src/deps.ts";
import {
  type PublicSheet,
  type Spreadsheet,
  SheetsFault,
  type Tab,
} from "#src/providers/sheets/index.ts";

/** A spreadsheet by the way on which it can be read. */
export type OpenSheet =
  | { route: "account"; spreadsheet: Spreadsheet }
  | { route: "public"; sheet: PublicSheet };

/**
 * Opens a sheet with the service's Google account; without one, or where the sheet is not shared with it, as the public
 * by its link. Throws SheetsFault. `publicMs` bounds all of the public reading.
 */
export async function openSheet(
  { sheets }: Pick<Deps, "sheets">,
  { spreadsheetId, gid }: { spreadsheetId: string; gid: number | null },
  publicMs: number,
): Promise<OpenSheet> {
  const openPublic = async (): Promise<OpenSheet> => ({
    route: "public",
    sheet: await sheets.openPublic(spreadsheetId, gid, publicMs),
  });
  if (sheets.account === null) return openPublic();
  try {
    return { route: "account", spreadsheet: await sheets.account.describe(spreadsheetId) };
  } catch (error) {
    if (!(error instanceof SheetsFault) || error.kind !== "not_shared") throw error;
    return openPublic().catch(() => {
      throw error;
    });
  }
}

/** The tabs that a person sees. */
export const visibleTabs = ({ tabs }: Spreadsheet): Tab[] => tabs.filter(({ hidden }) => !hidden);

/** The tab of that id, hidden or not; without one the first that is seen. Throws SheetsFault. */
export function chooseTab(spreadsheet: Spreadsheet, gid: number | null): Tab {
  const tab =
    gid === null ? visibleTabs(spreadsheet)[0] : spreadsheet.tabs.find(({ id }) => id === gid);
  if (tab === undefined) throw new SheetsFault("no_such_range", `there is no tab ${gid ?? ""}`);
  return tab;
}

/** Column names of a header row: empty ones at its end come from columns that once were there. */
export function labelsOf(header: readonly string[] | undefined): string[] {
  const labels = (header ?? []).map((label) => label.trim());
  while (labels.at(-1) === "") labels.pop();
  return labels;
}
