import { AppError } from "#src/errors.ts";
import type { AppContext } from "../context.ts";

/** The work's result, or 504 at the deadline: an answer that comes too late could not be charged any more. */
export async function until<T>(c: AppContext, deadline: Date, work: Promise<T>): Promise<T> {
  const { clock } = c.get("deps");
  const done = new AbortController();
  const late = clock.sleepUntil(deadline, done.signal).then(() => {
    throw new AppError(
      "upstream_timeout",
      "UPSTREAM_TIMEOUT",
      "The answer was not there in time. Nothing was charged.",
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
    work.catch(() => {});
  }
}
