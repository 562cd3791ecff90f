import { expect, test } from "vitest";
import { toldDeliveries } from "#src/domain/workspace/notifications/messaging-status.ts";
import type { MessagingStatus } from "#src/providers/messaging/index.ts";

const ID = "01a1fc0c-6921-718e-aa4a-ab45df202f28";
const status = (word: MessagingStatus["status"], reference: string | null = ID) => ({
  id: "wamid.x",
  reference,
  status: word,
  at: new Date(0),
  failure: word === "failed" ? { code: "131026", detail: "Message undeliverable" } : null,
});
const failure = "131026 Message undeliverable";

test.each([
  ["it went out", ["sent", "delivered", "read"], null],
  ["it failed", ["failed"], failure],
  ["it failed after it was taken", ["sent", "failed"], failure],
  ["it failed, and that was told first", ["failed", "sent"], failure],
] as const)("one delivery is told once: %s", (_, words, told) => {
  expect(toldDeliveries(words.map((word) => status(word)))).toEqual([{ id: ID, failure: told }]);
});

test("what names no delivery of ours is left out", () => {
  const others = [null, "", "delivery-1", `${ID}x`, ID.toUpperCase(), `{${ID}}`];
  expect(toldDeliveries(others.map((reference) => status("sent", reference)))).toEqual([]);
});
