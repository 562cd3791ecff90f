import { expect, test } from "vitest";
import { threadAfter } from "#src/domain/messages/thread.ts";

test("a message answers the last of its thread and names its first and its newest, 20 at most", () => {
  expect(threadAfter([])).toEqual({});
  expect(threadAfter(["a"])).toEqual({ thread: { inReplyTo: "a", references: ["a"] } });
  const ids = Array.from({ length: 40 }, (_, index) => `m${index}`);
  const { thread } = threadAfter(ids);
  expect(thread).toEqual({ inReplyTo: "m39", references: ["m0", ...ids.slice(-19)] });
});
