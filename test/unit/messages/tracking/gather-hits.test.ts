import { describe, expect, test } from "vitest";
import type { Deps } from "#src/deps.ts";
import type { Hit } from "#src/domain/messages/tracking/hit.ts";
import { createHitGatherer } from "#src/domain/messages/tracking/gather-hits.ts";

/** A queue whose writes end when the test says so, over a clock that the test moves. */
function start() {
  let nowMs = Date.parse("2026-03-02T10:00:00Z");
  const sleepers: { at: number; wake: () => void }[] = [];
  const handedOver: string[][] = [];
  const writes: { ids: string[]; succeed: () => void; fail: () => void }[] = [];
  const clock = {
    now: () => new Date(nowMs),
    sleepUntil: (at: Date) =>
      new Promise<void>((wake) => {
        if (at.getTime() <= nowMs) wake();
        else sleepers.push({ at: at.getTime(), wake });
      }),
  };
  const log = { info() {}, error() {} };
  const deps = { clock, log } as unknown as Deps;
  const queue = createHitGatherer(
    (_deps, hits) =>
      new Promise<void>((resolve, reject) => {
        const ids = hits.map(({ id }) => id);
        writes.push({ ids, succeed: resolve, fail: () => reject(new Error("away")) });
      }),
    async (_deps, hits) => void handedOver.push(hits.map(({ id }) => id)),
  );
  /** Lets everything that can go on go on. */
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    writes,
    handedOver,
    turn,
    note: (id: string) => queue.note(deps, { id } as Hit),
    async advance(ms: number) {
      nowMs += ms;
      for (const sleeper of sleepers) if (sleeper.at <= nowMs) sleeper.wake();
      await turn();
    },
  };
}

describe("hits of one isolate", () => {
  test("are written as soon as the answer is out, and together while something is being written", async () => {
    const { note, writes, turn, advance } = start();
    const all = [note("a")];
    expect(writes).toEqual([]);
    await advance(1);
    all.push(note("b"), note("c"));
    expect(writes.map(({ ids }) => ids)).toEqual([["a"]]);
    writes[0]!.succeed();
    await turn();
    await advance(1);
    expect(writes.map(({ ids }) => ids)).toEqual([["a"], ["b", "c"]]);
    writes[1]!.succeed();
    await Promise.all(all);
    expect(writes).toHaveLength(2);
  });

  test("go in batches of a thousand at most", async () => {
    const { note, writes, turn, advance } = start();
    const all = Array.from({ length: 2_501 }, (_, index) => note(String(index)));
    for (let batch = 0; batch < 3; batch++) {
      await advance(1);
      writes[batch]!.succeed();
      await turn();
    }
    await Promise.all(all);
    expect(writes.map(({ ids }) => ids.length)).toEqual([1_000, 1_000, 501]);
  });

  test("are written again, after a pause, when writing failed; none is lost", async () => {
    const { note, writes, turn, advance } = start();
    const all = [note("a"), note("b")];
    await advance(1);
    writes[0]!.fail();
    await turn();
    expect(writes).toHaveLength(1);
    await advance(300);
    await advance(1);
    expect(writes[1]!.ids.toSorted()).toEqual(["a", "b"]);
    writes[1]!.succeed();
    await Promise.all(all);
  });

  test("are written again when the database has not answered for eight seconds", async () => {
    const { note, writes, advance } = start();
    const all = [note("a")];
    await advance(1);
    await advance(7_999);
    expect(writes).toHaveLength(1);
    await advance(1);
    await advance(250);
    await advance(1);
    expect(writes.map(({ ids }) => ids)).toEqual([["a"], ["a"]]);
    writes[1]!.succeed();
    await Promise.all(all);
  });

  test("are taken over when whoever writes them has vanished", async () => {
    const { note, writes, advance } = start();
    void note("a");
    await advance(1);
    const other = note("b");
    await advance(4_999);
    expect(writes.map(({ ids }) => ids)).toEqual([["a"]]);
    await advance(1);
    await advance(1);
    expect(writes.map(({ ids }) => ids)).toEqual([["a"], ["a", "b"]]);
    writes[1]!.succeed();
    await other;
    expect(writes).toHaveLength(2);
  });

  test("go to the queue when the database stays away, with those that came soon after; later ones are tried", async () => {
    const { note, writes, handedOver, turn, advance } = start();
    const all = [note("a")];
    await advance(1);
    for (let second = 0; second < 20; second++) {
      writes.at(-1)!.fail();
      await turn();
      if (second === 3) all.push(note("b"));
      await advance(999);
      await advance(1);
    }
    await all[0];
    expect(handedOver).toEqual([["a", "b"]]);
    expect(writes.length).toBeGreaterThan(4);
    expect(writes.length).toBeLessThan(12);
    const next = note("c");
    await advance(10_000);
    await advance(1);
    expect(writes.at(-1)!.ids).toEqual(["c"]);
    writes.at(-1)!.succeed();
    await Promise.all([...all, next]);
    expect(handedOver).toHaveLength(1);
  });
});
