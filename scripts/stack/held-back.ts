import type { ServerResponse } from "node:http";

const LONGEST_MS = 60_000;

/** For an answer that is to be slow: resolves when the caller has had enough of waiting, or after a minute. */
export function heldBack(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, LONGEST_MS);
    response.once("close", done);
    function done() {
      clearTimeout(timer);
      resolve();
    }
  });
}
