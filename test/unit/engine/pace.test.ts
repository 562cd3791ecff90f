import { expect, test } from "vitest";
import type { Route } from "#src/domain/engine/channel.ts";
import { createPace } from "#src/domain/engine/pace.ts";

const second = (count: number) => new Date(Date.UTC(2026, 4, 5) + count * 1000);
const at = (host: string, workspaceId = "ours"): Route => ({ workspaceId, host, account: "" });

/** Handovers as [host, workspace, begun, ended]; null while the answer is awaited. */
function paceAfter(attempts: [string, string, number, number | null][], now = 1000) {
  const pace = createPace();
  for (const [host, workspaceId, begun, ended] of attempts) {
    const endedAt = ended === null ? null : second(ended);
    pace.note({ route: at(host, workspaceId), begunAt: second(begun), endedAt }, second(now));
  }
  return pace;
}

test("ten seconds are not late, a millisecond more is; an answer that is awaited for less says nothing yet", () => {
  expect(paceAfter([["a", "ours", 0, 10]]).of(at("a"))).toBe("prompt");
  expect(paceAfter([["a", "ours", 0, 10.001]]).of(at("a"))).toBe("late");
  expect(paceAfter([["a", "ours", 990, null]]).of(at("a"))).toBe("unknown");
  expect(paceAfter([["a", "ours", 989, null]]).of(at("a"))).toBe("late");
  expect(createPace().of(at("a"))).toBe("unknown");
});

test("what began last counts: one that hangs beside others is no slow server, and one that recovered is prompt at once", () => {
  const hanging = ["a", "ours", 0, null] as const;
  expect(paceAfter([[...hanging], ["a", "ours", 5, 6]]).of(at("a"))).toBe("prompt");
  expect(paceAfter([["a", "ours", 5, 6], [...hanging]]).of(at("a"))).toBe("prompt");
  expect(
    paceAfter([
      ["a", "ours", 0, 1],
      ["a", "ours", 5, 105],
    ]).of(at("a")),
  ).toBe("late");
  // Of two that began together one that was prompt shows that it can be.
  expect(
    paceAfter([
      ["a", "ours", 0, 100],
      ["a", "ours", 0, 1],
    ]).of(at("a")),
  ).toBe("prompt");
});

test("a host that is late for one workspace is not late for others; for two, it is for all until somebody has a prompt answer", () => {
  const late: [string, string, number, number | null] = ["a", "one", 10, 110];
  expect(paceAfter([late, ["a", "ours", 0, 1]]).of(at("a"))).toBe("prompt");
  expect(paceAfter([late]).of(at("a"))).toBe("unknown");
  const both = [late, ["a", "two", 11, 111], ["a", "ours", 0, 1]] as (typeof late)[];
  expect(paceAfter(both).of(at("a"))).toBe("late");
  expect(paceAfter(both).of(at("b"))).toBe("unknown");
  const again = paceAfter([...both, ["a", "ours", 12, 13]]);
  expect([again.of(at("a")), again.of(at("a", "one"))]).toEqual(["prompt", "late"]);
});

test("of a workspace most of whose servers are late one that nobody knows is taken for late too; one that is prompt is not", () => {
  const late = (host: string): [string, string, number, number | null] => [host, "ours", 0, 100];
  expect(paceAfter([late("a")]).of(at("new"))).toBe("unknown");
  expect(paceAfter([late("a"), late("b")]).of(at("new"))).toBe("late");
  expect(paceAfter([late("a"), late("b")]).of(at("new", "other"))).toBe("unknown");
  const mixed = paceAfter([late("a"), late("b"), ["c", "ours", 0, 1]]);
  expect([mixed.of(at("new")), mixed.of(at("c"))]).toEqual(["late", "prompt"]);
  const good = [late("a"), late("b"), ["c", "ours", 0, 1], ["d", "ours", 0, 1]] as ReturnType<
    typeof late
  >[];
  expect(paceAfter(good).of(at("new"))).toBe("unknown");
});
