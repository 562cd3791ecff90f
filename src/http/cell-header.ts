import { CELL_HEADER, NOT_HERE } from "#src/platform/cells.ts";
import type { AppContext } from "./context.ts";

/** Tells the router in which cell the workspace lives; it keeps that to itself. */
export function sayCell(c: AppContext, name: string): void {
  if (c.get("deps").settings.cell !== null) c.header(CELL_HEADER, name);
}

/** Tells the router that this cell knows nothing of the link, and another one may. */
export const sayNotHere = (c: AppContext): void => sayCell(c, NOT_HERE);
