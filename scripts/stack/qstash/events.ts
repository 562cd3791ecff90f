import type { Message } from "./model.ts";

export type EventState =
  | "CREATED"
  | "ACTIVE"
  | "RETRY"
  | "ERROR"
  | "DELIVERED"
  | "FAILED"
  | "CANCEL_REQUESTED"
  | "CANCELLED";

export interface MessageEvent {
  order: number;
  time: number;
  state: EventState;
  message: Message;
  more: Record<string, unknown>;
}

export interface EventLog {
  add(state: EventState, message: Message, more?: Record<string, unknown>): void;
  /** Newest first. */
  list(): MessageEvent[];
}

const KEPT = 10_000;

/** The newest 10,000 steps of messages, as QStash keeps them. */
export function createEventLog(): EventLog {
  let events: MessageEvent[] = [];
  let order = 0;
  return {
    add(state, message, more = {}) {
      events.push({ order: ++order, time: Date.now(), state, message: { ...message }, more });
      if (events.length > 2 * KEPT) events = events.slice(-KEPT);
    },
    list: () => events.slice(-KEPT).toReversed(),
  };
}
