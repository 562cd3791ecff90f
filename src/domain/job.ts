import type * as z from "zod";
import type { JobClaim } from "#db/base/job-queue.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import type { QueueMessage } from "#src/providers/queue/index.ts";

/** How jobs are found and asked for again that nothing wakes any more. */
export interface Lost<Found> {
  /** A job that has been due, or has not moved, for so long has lost its message. */
  afterMs: number;
  /** Those that were due before then, as many as are asked for at once. */
  find(deps: Deps, before: Date): Promise<Found[]>;
  requeue(deps: Deps, found: Found[], before: Date): Promise<void>;
}

/** What a message of the queue is about, and what is done about it. Safe to repeat, safe to lose. */
export interface Job<S extends z.ZodType = z.ZodType> {
  /** The last part of the path that the queue calls. */
  name: string;
  payload: S;
  run(deps: Deps, payload: z.output<S>): Promise<unknown>;
  /** Part of the regular full check: asks again for what the queue lost, and answers how many jobs that was. */
  requeueLost(deps: Deps): Promise<number>;
}

/** Defines a job, once: what it is called by, its message, its work, and what is done where the message is lost. */
export function define<S extends z.ZodType, Found>(
  name: string,
  { payload, run, lost }: Pick<Job<S>, "payload" | "run"> & { lost?: Lost<Found> },
): Job {
  const requeueLost = async (deps: Deps): Promise<number> => {
    if (lost === undefined) return 0;
    const before = new Date(deps.clock.now().getTime() - lost.afterMs);
    const found = await lost.find(deps, before);
    if (found.length > 0) await lost.requeue(deps, found, before);
    return found.length;
  };
  return { name, payload, run, requeueLost } as unknown as Job;
}

/** Asks for each of the lost by itself. */
export const oneByOne =
  <Found>(ask: (deps: Deps, found: Found) => Promise<void>) =>
  async (deps: Deps, lost: Found[]): Promise<void> => {
    for (const each of lost) await ask(deps, each);
  };

/** A new claim, which is believed for so long. */
export function newClaim({ clock, ids }: Pick<Deps, "clock" | "ids">, leaseMs: number): JobClaim {
  const now = clock.now();
  return { token: ids.uuid(), now, until: new Date(now.getTime() + leaseMs) };
}

/**
 * Asks the queue to call. What a message is about is committed before, so a queue that fails loses nothing:
 * `requeueLost` asks again.
 */
export async function wakeUp(
  { queue, log }: Pick<Deps, "queue" | "log">,
  messages: QueueMessage | QueueMessage[],
): Promise<void> {
  try {
    await (Array.isArray(messages) ? queue.publishAll(messages) : queue.publish(messages));
  } catch (error) {
    const [first, ...others] = [messages].flat();
    const { callback, payload } = first ?? {};
    log.error("message_lost", {
      callback,
      payload,
      others: others.length,
      ...describeError(error),
    });
  }
}
