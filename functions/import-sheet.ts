import * as z from "zod";
import { IMPORT_SHEET, runQueuedImport } from "#src/domain/people/leads/sheet-import.ts";
import { callback } from "#src/http/callback.ts";

export const importSheet = callback({
  name: IMPORT_SHEET,
  payload: z.object({ import_id: z.uuid(), version: z.literal(1) }),
  run: (deps, { import_id }) => runQueuedImport(deps, import_id),
});
