import { expect, test } from "vitest";
import { emptyTally, IMPORT_LIMITS, takeRow } from "#src/domain/people/leads/import-tally.ts";

const row = {
  where: "Line 2",
  size: () => 0,
  texts: () => [],
  raw: { fields: { email: "ada@example.zz" }, tags: [], custom: {} },
};

test("one row more than an import takes refuses all of it: TOO_MANY_ROWS", () => {
  const tally = { ...emptyTally(), total: IMPORT_LIMITS.rows - 1 };
  expect(takeRow(tally, row)).toMatchObject({ place: IMPORT_LIMITS.rows - 1 });
  expect(() => takeRow(tally, row)).toThrow(
    expect.objectContaining({ kind: "unprocessable", code: "TOO_MANY_ROWS" }),
  );
});
