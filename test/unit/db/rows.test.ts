import { expect, test } from "vitest";
import { from, instant, integer, nested, orNull, rowReader, text, typed } from "#db/base/rows.ts";

const readSend = rowReader({
  id: text,
  ed25519Selector: text,
  slotAt: instant,
  holdUntil: orNull(instant),
  claims: integer,
  laneId: from("alias_id", orNull(text)),
  state: typed<"claimed" | "released">(),
  alias: nested(rowReader({ replyTo: orNull(text) })),
});
const row = {
  id: "a",
  ed25519_selector: "key1",
  slot_at: "2026-01-05 09:00:00.123+00",
  hold_until: null,
  claims: "3",
  alias_id: null,
  state: "claimed",
  alias: { reply_to: null, created_at: "2026-01-05T09:00:00+00:00" },
  updated_at: "2026-01-05 09:00:00+00",
};

test("columns in snake_case become fields, instants dates and bigints numbers; what is not asked for is left out", () => {
  expect(readSend(row)).toEqual({
    id: "a",
    ed25519Selector: "key1",
    slotAt: new Date("2026-01-05T09:00:00.123Z"),
    holdUntil: null,
    claims: 3,
    laneId: null,
    state: "claimed",
    alias: { replyTo: null },
  });
});

test("a column that the statement does not have is an error, not a field without a value", () => {
  const { alias_id: _gone, ...rest } = row;
  expect(() => readSend(rest)).toThrow("no column alias_id");
});
