import * as z from "zod";

/** What cells and the router before them say to each other (docs/design/cells.md). */

/** A letter, then letters and digits: it is part of names of variables and bindings. */
export const CELL_NAME = /^[a-z][a-z0-9]{0,19}$/;

/** Of an answer: the cell in which the workspace lives, or `NOT_HERE`. */
export const CELL_HEADER = "Overture-Cell";
/** Of a page whose link means nothing in this cell: another one may know it. */
export const NOT_HERE = "?";

/** Proves to a cell that the router asks, and to the router that a cell does. */
export const SECRET_HEADER = "Overture-Cells-Secret";
/** The cell that tells the others. */
export const FROM_HEADER = "Overture-From-Cell";

export const WHERE_PATH = "/cells/where";
export const HITS_PATH = "/cells/hits";
export const SESSIONS_PATH = "/cells/sessions";

/** What a cell knows of a caller. `order` is less in the cell where the caller would rather work. */
export const Whereabouts = z.discriminatedUnion("at", [
  z.object({ at: z.literal("unknown") }),
  z.object({ at: z.literal("here"), order: z.string() }),
  z.object({ at: z.literal("moving") }),
  z.object({ at: z.literal("elsewhere"), cell: z.string() }),
]);
export type Whereabouts = z.output<typeof Whereabouts>;

/** Comes before all others, so that no other cell's answer is waited for. */
export const FIRST = "0";
