import { DAY_MS } from "#src/platform/durations.ts";

export interface QueueMessage {
  /** Name of the callback in `functions/`. */
  callback: string;
  payload: unknown;
  notBefore?: Date;
  /** Unique per logical attempt and never used again: the queue's sources disagree on its window (10 minutes or 90 days). */
  deduplicationId?: string;
  retries?: number;
  /** Of the messages with this key no more than so many are delivered at once; the others wait. */
  flow?: { key: string; parallelism: number };
  /** Callback that learns that every attempt failed. */
  failureCallback?: string;
}

/** A wake-up service: at least once, in any order. The state of everything lives in Postgres. */
export interface Queue {
  publish(message: QueueMessage): Promise<{ messageId: string }>;
  /** Many at once, in as few requests as the queue takes. */
  publishAll(messages: QueueMessage[]): Promise<void>;
  /** Creates or overwrites the schedule of that id. */
  schedule(schedule: {
    id: string;
    cron: string;
    callback: string;
    payload: unknown;
  }): Promise<void>;
}

/** The queue holds a message for at most 7 days on its smallest plan (Upstash QStash, "Delay"). */
const LONGEST_DELAY_MS = 7 * DAY_MS;

/** When to ask for a wake-up on the way to `due`: then, or as late as the queue can wait. */
export function nextHop(now: Date, due: Date): Date {
  return new Date(
    Math.max(now.getTime(), Math.min(due.getTime(), now.getTime() + LONGEST_DELAY_MS)),
  );
}
