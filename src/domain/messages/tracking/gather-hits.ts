import type { Deps } from "#src/deps.ts";
import { within } from "#src/platform/deadline.ts";
import { describeError } from "#src/platform/log.ts";
import { publishHits, MOST_PUBLISHED } from "./publish-hits.ts";
import type { Hit } from "./hit.ts";
import { keepHits } from "./keep-hits.ts";

const MAX_BATCH = 1_000;
/** Building a statement takes longer than a redirect; this lets the answer go before it. */
const ANSWER_FIRST_MS = 1;
/** Hits of 2 kB at most each. More wait only if the database has been away for a while. */
const MAX_WAITING = 10_000;
/** The request whose write it is may end before the write: after this long another request writes the same batch. */
const PATIENCE_MS = 5_000;
/**
 * After the answer a Worker has 30 s (https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil):
 * if the database is away that long, QStash gets the hits (`publish-hits.ts`).
 */
const GIVE_UP_MS = 20_000;
/** A request that gives up takes along the hits whose requests would give up this soon. */
const SOON_MS = 5_000;
/** A database that answers no more is as good as away. */
const LONGEST_WRITE_MS = 8_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

interface Entry {
  hit: Hit;
  giveUpAt: number;
  isWritten: boolean;
  /** The batch that has it in hand; null while it waits. */
  flight: Flight | null;
}

interface Flight {
  /** Empty until it takes off. */
  batch: Entry[];
  /** Never rejects. */
  landed: Promise<void>;
}

export interface HitGatherer {
  /** Resolves when the hit is in the database, with the batching queue, or with QStash. Each request waits for its own, so that no hit hangs on another request's life. */
  note(deps: Deps, hit: Hit): Promise<void>;
}

/**
 * Writes hits of an isolate together: the first as soon as its answer is out, those that come
 * meanwhile as one batch when it is done. No hit waits to fill a batch, and none is forgotten before
 * it is written: if the request that writes fails or ends, the waiting ones write its hits along,
 * perhaps a second time, which is safe.
 */
export function createHitGatherer(
  write: typeof keepHits = keepHits,
  publish: typeof publishHits = publishHits,
): HitGatherer {
  let waiting: Entry[] = [];
  let current: Flight | null = null;
  let failures = 0;
  let pausedUntil = 0;

  function depart(deps: Deps): Flight {
    const flight: Flight = { batch: [], landed: Promise.resolve() };
    const { clock } = deps;
    flight.landed = clock
      .sleepUntil(new Date(clock.now().getTime() + ANSWER_FIRST_MS))
      .then(() => {
        flight.batch = waiting.slice(0, MAX_BATCH);
        waiting = waiting.slice(MAX_BATCH);
        for (const entry of flight.batch) entry.flight = flight;
        const hits = flight.batch.map(({ hit }) => hit);
        return within(clock, LONGEST_WRITE_MS, write(deps, hits));
      })
      .then(
        () => {
          for (const entry of flight.batch) entry.isWritten = true;
          // A request that took some of them over meanwhile must not write them again.
          waiting = waiting.filter((entry) => !entry.isWritten);
          failures = 0;
          if (current === flight) current = null;
        },
        (error: unknown) => {
          const count = flight.batch.length;
          deps.log.error("hits_not_written", { count, ...describeError(error) });
          const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++);
          pausedUntil = clock.now().getTime() + pauseMs;
          abandon(flight);
        },
      );
    return flight;
  }

  function abandon(flight: Flight): void {
    const back = flight.batch.filter((entry) => entry.flight === flight && !entry.isWritten);
    for (const entry of back) entry.flight = null;
    waiting = [...back, ...waiting];
    if (current === flight) current = null;
  }

  async function giveUp(deps: Deps, entry: Entry): Promise<void> {
    const others = waiting.filter(
      (one) => one !== entry && one.giveUpAt <= entry.giveUpAt + SOON_MS,
    );
    const batch = [entry, ...others].slice(0, MOST_PUBLISHED);
    for (const one of batch) one.isWritten = true;
    waiting = waiting.filter((one) => !one.isWritten);
    await publish(
      deps,
      batch.map(({ hit }) => hit),
    );
  }

  return {
    async note(deps, hit) {
      if (waiting.length >= MAX_WAITING) throw new Error("too many hits are waiting");
      const { clock } = deps;
      const giveUpAt = clock.now().getTime() + GIVE_UP_MS;
      const entry: Entry = { hit, giveUpAt, isWritten: false, flight: null };
      waiting.push(entry);
      while (!entry.isWritten) {
        const nowMs = clock.now().getTime();
        if (nowMs >= entry.giveUpAt) return giveUp(deps, entry);
        if (current === null && nowMs < pausedUntil) {
          await clock.sleepUntil(new Date(Math.min(pausedUntil, giveUpAt)));
          continue;
        }
        if (current === null) {
          current = depart(deps);
          await current.landed;
          continue;
        }
        const flight = current;
        const patienceEndsAt = nowMs + PATIENCE_MS;
        await Promise.race([
          flight.landed,
          clock.sleepUntil(new Date(Math.min(patienceEndsAt, giveUpAt))),
        ]);
        if (current === flight && clock.now().getTime() >= patienceEndsAt) abandon(flight);
      }
    },
  };
}
