import { setTimeout as delay } from "node:timers/promises";
import type { Event, Overture } from "../sdk/index.ts";

export interface FollowOptions {
  /** A cursor, or `now`; without one from the first that is kept. */
  after?: string | undefined;
  query: { types?: string; campaign_id?: string };
  /** Goes on when it has told all that there was. */
  isFollowing: boolean;
  signal?: AbortSignal | undefined;
}

/** Events in the order in which they happened, each once. Asks again when the service says that it may. */
export async function* follow(
  { events }: Overture,
  { after, query, isFollowing, signal }: FollowOptions,
): AsyncGenerator<Event> {
  let cursor = after;
  for (;;) {
    let wait = 5;
    const onHeaders = (headers: Headers) => (wait = Number(headers.get("retry-after")) || wait);
    const asked = { ...query, ...(cursor === undefined ? {} : { after: cursor }) };
    const call = { onHeaders, ...(signal === undefined ? {} : { signal }) };
    const page = await events.list(asked, call).page();
    yield* page.items;
    cursor = page.next_cursor ?? cursor;
    if (page.has_more) continue;
    if (!isFollowing) return;
    await delay(wait * 1000, undefined, signal === undefined ? {} : { signal });
  }
}

/** What ends with Ctrl+C, or after so many seconds. */
export function untilStopped(seconds: string | undefined): AbortSignal {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  if (seconds !== undefined) setTimeout(() => stop.abort(), Number(seconds) * 1000).unref();
  return stop.signal;
}
