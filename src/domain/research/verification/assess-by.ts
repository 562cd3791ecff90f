import type { Deps } from "#src/deps.ts";
import { assess } from "./assess.ts";
import type { Verdict } from "./verdict.ts";

/** To write the answer down. */
const RESERVE_MS = 500;

/** For a caller with a deadline: mail hosts silent until shortly before it count as unanswered. */
export async function assessBy(deps: Deps, text: string, deadline: Date): Promise<Verdict> {
  const answered = new AbortController();
  const late = new AbortController();
  const lateAt = new Date(deadline.getTime() - RESERVE_MS);
  deps.clock.sleepUntil(lateAt, answered.signal).then(
    () => late.abort(),
    () => {},
  );
  try {
    return await assess(deps, text, { signal: late.signal });
  } finally {
    answered.abort();
  }
}
