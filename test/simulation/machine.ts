import { enqueue, dequeue, notQueued, type Queued } from "#src/domain/engine/memory/queue.ts";
import type { Random } from "../support/random.ts";

/**
 * Virtual time. Everything that waits is an event; one event happens at a time,
 * and what it sets off runs until it waits again. Events of the same instant
 * happen in an order drawn by the seed, so any interleaving can come up, and a
 * seed replays exactly.
 */
export interface Machine {
  now(): number;
  /** Resolves at the instant. Never, for a task that has died meanwhile. */
  turn(at: number, task?: Task): Promise<void>;
  /** Does the work before anything else happens, whatever real input and output it needs. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Runs events until none is left or the next lies at `until` or later. */
  run(until: number): Promise<void>;
}

/** A worker: when it dies, whatever it waits for never comes. */
export interface Task {
  dead: boolean;
}

interface Event extends Queued {
  task: Task | undefined;
  happen(): void;
}

const immediate = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createMachine(start: number, random: Random): Machine {
  let now = start;
  let busy = 0;
  let idle: (() => void) | null = null;
  const events: Event[] = [];
  return {
    now: () => now,
    turn(at, task) {
      return new Promise((resolve) => {
        const event = { ...notQueued(random.next()), task, happen: resolve };
        enqueue(events, event, Math.max(at, now));
      });
    },
    async alone(work) {
      busy++;
      try {
        return await work();
      } finally {
        busy--;
        if (busy === 0) idle?.();
      }
    },
    async run(until) {
      for (;;) {
        await immediate();
        while (busy > 0) {
          await new Promise<void>((resolve) => {
            idle = resolve;
          });
          idle = null;
          await immediate();
        }
        const event = events[0];
        if (event === undefined || event.key >= until) break;
        dequeue(event);
        now = event.key;
        if (event.task?.dead !== true) event.happen();
      }
      now = Math.max(now, until);
    },
  };
}
