import { expect, test } from "vitest";
import type { Deps } from "#src/deps.ts";
import { sheetError } from "#src/domain/people/leads/sheet-faults.ts";
import { SheetsFault } from "#src/providers/sheets/index.ts";

const deps = { sheets: { account: null } } as unknown as Pick<Deps, "sheets" | "log">;

test.each([
  ["not_shared", "SHEET_NOT_SHARED"],
  ["not_found", "SHEET_NOT_FOUND"],
  ["not_a_sheet", "NOT_A_SHEET"],
  ["no_such_range", "SHEET_TAB_NOT_FOUND"],
  ["too_large", "SHEET_TOO_LARGE"],
] as const)("a sheet that is %s is 422 %s", (kind, code) => {
  const error = sheetError(deps, new SheetsFault(kind, "for the log"));
  expect(error).toMatchObject({ kind: "unprocessable", code });
  expect(error.message).not.toContain("for the log");
});
