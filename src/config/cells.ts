import * as z from "zod";
import { CELL_NAME } from "#src/platform/cells.ts";
import { secret, together, url } from "./fields.ts";

export const cellVariables = {
  CELL_NAME: z.string().regex(CELL_NAME, "must be a letter, then letters and digits").optional(),
  CELL_BASE_URL: url.optional(),
  CELLS_SECRET: secret
    .regex(/^[\x21-\x7e]+$/, "must be printable and without spaces: it travels in a header")
    .optional(),
};
const variables = z.object(cellVariables);

export const cellChecks = [together("CELL_NAME", "CELLS_SECRET")];

export interface CellConfig {
  /** Where the queue reaches this Worker itself, past a router. */
  cellBaseUrl: string;
  /** What it is called behind a router; null where it stands alone. */
  cell: { name: string; secret: string } | null;
}

export const readCell = (
  { CELL_NAME: name, CELL_BASE_URL, CELLS_SECRET }: z.output<typeof variables>,
  { publicBaseUrl }: { publicBaseUrl: string },
): CellConfig => ({
  cellBaseUrl: CELL_BASE_URL ?? publicBaseUrl,
  cell: name === undefined || CELLS_SECRET === undefined ? null : { name, secret: CELLS_SECRET },
});
