import { useEffect } from "preact/hooks";
import { invalidate } from "../api/cache.ts";
import { call, unreachableSince } from "../api/call.ts";
import { poll } from "../api/poll.ts";
import { Time } from "../parts/time.tsx";
import { learnMe, me } from "../session.ts";

const TRY_EVERY_SECONDS = 4;

/** While nothing answers: since when, and that it goes on by itself. What was read stays on the page. */
export function OfflineBar() {
  const since = unreachableSince.value;
  const isAway = since !== null;
  useEffect(() => {
    const lost = () => (unreachableSince.value ??= Date.now());
    addEventListener("offline", lost);
    return () => removeEventListener("offline", lost);
  }, []);
  useEffect(() => {
    if (!isAway) return undefined;
    const look = async () => {
      try {
        await call("apiHealth");
        if (me.peek() === undefined) await learnMe();
        invalidate();
      } catch {
        // Still away: the bar says it.
      }
    };
    addEventListener("online", look);
    const end = poll(() => TRY_EVERY_SECONDS, look);
    return () => {
      removeEventListener("online", look);
      end();
    };
  }, [isAway]);
  return (
    <div role="status">
      {since !== null && (
        <p class="offline">
          <b>
            No answer since <Time at={since} as="clock" />.
          </b>{" "}
          What you see is of before, and nothing typed is lost. It is tried again every{" "}
          {TRY_EVERY_SECONDS} seconds.
        </p>
      )}
    </div>
  );
}
