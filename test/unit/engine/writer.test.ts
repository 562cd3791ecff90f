import { expect, test } from "vitest";
import { createWriter } from "#src/domain/engine/writer.ts";

const now = new Date("2026-05-05T10:00:00Z");
const sends = ["a", "b", "c"].map((id) => ({ id }));
const [a, b] = sends as [{ id: string }, { id: string }];

function writing() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const writer = createWriter(
    ({ id }: { id: string }) =>
      new Promise<string>((resolve) => {
        begun.push(id);
        ends.set(id, () => resolve(`letter ${id}`));
      }),
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    writer,
    begun,
    end: async (id: string) => {
      ends.get(id)!();
      await turn();
    },
    turn,
  };
}

test("letters are written ahead one after another, each once", async () => {
  const { writer, begun, end, turn } = writing();
  writer.ahead([a, b], now);
  writer.ahead(sends, now);
  await turn();
  expect(begun).toEqual(["a"]);
  await end("a");
  await end("b");
  expect(begun).toEqual(["a", "b", "c"]);
  const taken = Promise.all(sends.map((send) => writer.take(send, now)));
  await end("c");
  expect(await taken).toEqual(["letter a", "letter b", "letter c"]);
  expect(begun).toHaveLength(3);
});

test("what was not written ahead is written when it is wanted, and what was taken anew", async () => {
  const { writer, begun, end } = writing();
  const first = writer.take(a, now);
  expect(begun).toEqual(["a"]);
  await end("a");
  expect(await first).toBe("letter a");
  void writer.take(a, now);
  expect(begun).toEqual(["a", "a"]);
});
