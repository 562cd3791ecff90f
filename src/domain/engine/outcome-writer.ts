import type { BeginSend, BegunSend, SendOutcome, SendStore } from "#db/engine/index.ts";
import type { SendState } from "#db/schema/index.ts";
import type { Clock } from "#src/platform/index.ts";
import { describeError, type Log } from "#src/platform/log.ts";
import { ATTEMPTS, pause } from "./retry-read.ts";
import { record } from "./record.ts";

/** What was never handed over goes back as if it had not been claimed, whether or not its begin was committed. */
const neverHandedOver = (id: string, now: Date): SendOutcome => ({
  id,
  kind: "retry",
  reason: "The database did not answer in time; put back before anything was handed over.",
  retryAt: now,
  attemptSpent: false,
  lane: "none",
});

const OPEN: readonly SendState[] = ["claimed", "transmitting", "unknown"];

/** Records how sends ended together with the begins of the next; for one worker. */
export interface Recorder {
  ended(...outcomes: SendOutcome[]): void;
  /** Records what ended, and begins; answers what may be handed over. */
  begin(sends: BeginSend[]): Promise<BegunSend[]>;
  flush(): Promise<void>;
}

/**
 * The database's reply can be lost after the commit, or the database be away for a
 * moment. Then the worker reads its own rows once and goes on from them: a begin that
 * was committed is handed over, an outcome that was not is recorded again. A send whose
 * row it cannot read it does not hand over.
 */
export function createRecorder(
  { store, clock, log }: { store: SendStore; clock: Clock; log: Log },
  workerToken: string,
): Recorder {
  let outcomes: SendOutcome[] = [];

  async function recordAndBegin(begin: BeginSend[]): Promise<BegunSend[]> {
    const ended = outcomes;
    outcomes = [];
    try {
      return await record(store, clock.now(), workerToken, ended, begin);
    } catch (error) {
      log.error("record_unanswered", describeError(error));
      outcomes = [...ended, ...outcomes];
      return lookAgain(ended, begin);
    }
  }

  async function lookAgain(ended: SendOutcome[], begin: BeginSend[]): Promise<BegunSend[]> {
    const asked = [...ended, ...begin].map(({ id }) => id);
    const states = await store.statesOf(workerToken, asked).catch(() => null);
    if (states === null) return putBack(begin);
    const isOpen = (id: string) => OPEN.includes(states.get(id) ?? "released");
    outcomes = outcomes.filter(({ id }) => isOpen(id));
    // Still claimed: the begin was not committed.
    const notBegun = begin.filter(({ id }) => states.get(id) === "claimed");
    putBack(notBegun);
    return begin.map(({ id }) =>
      states.get(id) === "transmitting"
        ? { id, begun: true }
        : { id, begun: false, reason: "lease_lost" },
    );
  }

  function putBack(begin: BeginSend[]): BegunSend[] {
    const now = clock.now();
    outcomes.push(...begin.map(({ id }) => neverHandedOver(id, now)));
    return begin.map(({ id }) => ({ id, begun: false, reason: "lease_lost" }));
  }

  return {
    ended: (...more) => void outcomes.push(...more),
    begin: recordAndBegin,
    async flush() {
      for (let attempt = 1; outcomes.length > 0; attempt++) {
        await recordAndBegin([]);
        if (outcomes.length === 0) return;
        // What it never hears of becomes unknown, so it is worth a wait.
        if (attempt === ATTEMPTS) throw new Error("What was sent could not be recorded.");
        await pause(clock);
      }
    },
  };
}
