import { setTimeout as delay } from "node:timers/promises";
import type { TimedPart } from "./part.ts";
import { setWarpOffsetMs, warpOffsetMs } from "./warp.ts";
import type { WorkerLink } from "./worker-link.ts";

/** The clock of the whole stack: it runs with real time, and can be moved ahead. */
export interface StackClock {
  now(): Date;
  /** True while a move is under way. */
  isMoving(): boolean;
  /** From now on the clock stops at each instant at which this part acts. */
  watch(part: TimedPart): void;
  /** The Worker to move along; null while there is none. Resolves when it has this clock's time. */
  attach(worker: WorkerLink | null): Promise<void>;
  /** Moves ahead by that much; see `moveTo`. */
  advance(ms: number): Promise<ClockMove>;
  /**
   * Moves to `at`, stopping at every instant at which a part or the Worker acts, and going on when that work is
   * done, so that everything happens in the order of its time. Moves queue up. Throws when work does not end.
   */
  moveTo(at: Date): Promise<ClockMove>;
}

export interface ClockMove {
  from: Date;
  now: Date;
  /** How many instants it stopped at. */
  hops: number;
}

/** Work at some instant did not end, so the clock stays there. */
export class ClockStuck extends Error {
  constructor(detail: string) {
    super(`The clock waits for work that does not end: ${detail}`);
    this.name = "ClockStuck";
  }
}

export interface StackClockOptions {
  /** How long work at one instant may take, in real milliseconds. */
  settleLimitMs?: number;
  /** Told when a move begins and ends, and when the Worker was called from outside the stack. */
  onChange?(): void;
}

/** A part may be kept from acting (a paused queue); then what it owes no longer holds up the clock. */
const OVERDUE_GRACE_MS = 2_000;
/** A call on its way to the Worker shows neither here nor there; it has this long to arrive. */
const IN_TRANSIT_MS = 30;
/** Looks become rarer the longer the work takes: on a busy machine they would only slow it down. */
const POLL_MS = 2;
const POLL_SHARE = 1 / 16;
const MOST_POLL_MS = 16;

export function createStackClock(options: StackClockOptions = {}): StackClock {
  const settleLimitMs = options.settleLimitMs ?? 60_000;
  const parts: TimedPart[] = [];
  let worker: WorkerLink | null = null;
  /** The offset that this Worker was told last, if it was told any. */
  let toldMs: number | null = null;
  let moves = 0;
  let callsFromOutside = 0;
  let queue: Promise<unknown> = Promise.resolve();

  const dueAtMs = (part: TimedPart) => part.nextDueAt()?.getTime() ?? Infinity;

  async function tell(offsetMs: number): Promise<void> {
    const link = worker;
    await link?.setOffset(offsetMs);
    if (link === worker) toldMs = offsetMs;
  }

  async function setOffset(offsetMs: number): Promise<void> {
    const whole = Math.round(offsetMs);
    // The Worker first: what the stack signs or schedules at the new time must not lie in the Worker's future.
    await tell(whole);
    setWarpOffsetMs(whole);
  }

  /** Waits until everything that fell due is done, or sleeps. Resolves with the Worker's next instant. */
  async function settle(): Promise<number> {
    const startedAt = performance.now();
    let restingSince: number | null = null;
    for (;;) {
      // A wake-up reaches its sleeper in the turns after the move.
      await new Promise((resolve) => setImmediate(resolve));
      const state = await worker?.state();
      noteCalls(state?.from_outside ?? 0);
      const isBusy = parts.some((part) => part.busy());
      const elapsedMs = performance.now() - startedAt;
      const isOverdue =
        elapsedMs < OVERDUE_GRACE_MS && parts.some((part) => dueAtMs(part) <= Date.now());
      const isAsleep = (state?.asleep ?? 0) > 0;
      if ((state?.running ?? 0) > 0 || isOverdue || (isBusy && !isAsleep)) {
        restingSince = null;
      } else {
        restingSince ??= performance.now();
        // A queue that waits for a sleeping Worker is busy and at rest.
        const isSure = !isBusy || performance.now() - restingSince >= IN_TRANSIT_MS;
        if (isSure) return state?.next_wake_at ? Date.parse(state.next_wake_at) : Infinity;
      }
      if (elapsedMs > settleLimitMs) throw new ClockStuck(describe(state?.running ?? 0));
      await delay(Math.min(MOST_POLL_MS, POLL_MS + elapsedMs * POLL_SHARE));
    }
  }

  function noteCalls(fromOutside: number): void {
    if (fromOutside !== callsFromOutside) options.onChange?.();
    callsFromOutside = fromOutside;
  }

  function describe(running: number): string {
    const busy = parts
      .filter((part) => part.busy())
      .map((part) => (part as { name?: string }).name ?? "a part");
    const waits = [...(running > 0 ? [`${running} requests in the Worker`] : []), ...busy];
    return `${waits.join(", ")} at ${new Date().toISOString()}`;
  }

  async function travel(target: () => Date): Promise<ClockMove> {
    const from = new Date();
    const targetMs = target().getTime();
    let hops = 0;
    moves += 1;
    options.onChange?.();
    try {
      for (;;) {
        // The offset is the process's: another stack in it may have moved it, and a Worker may have been attached meanwhile.
        if (toldMs !== warpOffsetMs()) await tell(warpOffsetMs());
        const wakeMs = await settle();
        const nowMs = Date.now();
        if (nowMs >= targetMs) return { from, now: new Date(), hops };
        const ahead = [wakeMs, ...parts.map(dueAtMs)].filter((ms) => ms > nowMs);
        const nextMs = Math.min(targetMs, ...ahead);
        await setOffset(warpOffsetMs() + nextMs - nowMs);
        hops += 1;
      }
    } finally {
      moves -= 1;
      options.onChange?.();
    }
  }

  function enqueue(target: () => Date): Promise<ClockMove> {
    const move = queue.then(() => travel(target));
    queue = move.catch(() => {});
    return move;
  }

  return {
    now: () => new Date(),
    isMoving: () => moves > 0,
    watch: (part) => void parts.push(part),
    async attach(link) {
      worker = link;
      toldMs = null;
      // Its time is that of its launch, and the clock may have moved while it started.
      await tell(warpOffsetMs());
    },
    advance: (ms) => enqueue(() => new Date(Date.now() + ms)),
    moveTo: (at) => enqueue(() => at),
  };
}
