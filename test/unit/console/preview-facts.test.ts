import { expect, test } from "vitest";
import { previewFacts } from "../../../src/console/pure/preview-facts.ts";

test("a preview is told as names with values, whoever wrote them, and what says nothing is left out", () => {
  const preview = {
    action: "launch",
    untrusted_name: "Spring",
    recipients: 120,
    cost: null,
    checks: [
      { name: "window", untrusted_message: "Closed on Sunday." },
      { message: "Old domain." },
    ],
    first_date: "2026-11-27",
  };
  expect(previewFacts(preview)).toEqual([
    ["action", "launch"],
    ["name", "Spring"],
    ["recipients", "120"],
    ["checks", "Closed on Sunday.; Old domain."],
    ["first date", "2026-11-27"],
  ]);
  expect(previewFacts({})).toEqual([]);
});
