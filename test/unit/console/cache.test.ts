/** What is on the page is what the service says after the last write. */
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Of the browser, whose types are none of Node's. */
interface Entry {
  known: { value: { data?: unknown; isLoading: boolean } };
  watchers: number;
  isStale: boolean;
  load(): Promise<void>;
}
interface Cache {
  entryOf(id: string, input: object): Entry;
  invalidate(): void;
}
const file = path.resolve(import.meta.dirname, "../../../src/console/api/cache.ts");

let cache: Cache;
let entry: Entry;
/** How each question that was asked is answered, in their order. */
let answers: ((data: object) => void)[];

beforeEach(async () => {
  answers = [];
  vi.stubGlobal(
    "fetch",
    () => new Promise((resolve) => answers.push((data) => resolve(Response.json(data)))),
  );
  vi.resetModules();
  cache = (await import(pathToFileURL(file).href)) as unknown as Cache;
  entry = cache.entryOf("getWorkspace", {});
  entry.watchers = 1;
});
afterEach(() => void vi.unstubAllGlobals());

test("a write during a reading is followed by another reading", async () => {
  void entry.load();
  cache.invalidate();
  expect(answers).toHaveLength(1);
  answers[0]!({ name: "before" });
  await expect.poll(() => answers.length).toBe(2);
  answers[1]!({ name: "after" });
  await expect.poll(() => entry.known.value.data).toEqual({ name: "after" });
  expect([entry.known.value.isLoading, entry.isStale]).toEqual([false, false]);
});

test("who asks while it is being read gets that answer", async () => {
  const both = [entry.load(), entry.load()];
  answers[0]!({ name: "one" });
  await Promise.all(both);
  expect(answers).toHaveLength(1);
});

test("what nobody looks at is read when it is looked at again", async () => {
  const reading = entry.load();
  entry.watchers = 0;
  cache.invalidate();
  answers[0]!({ name: "before" });
  await reading;
  expect(answers).toHaveLength(1);
  expect(entry.isStale).toBe(true);
});
