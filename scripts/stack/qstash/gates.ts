import {
  configureFlow,
  type FlowKeys,
  flowKey,
  freePlaces,
  periodEnd,
  takePlace,
} from "./flow-control.ts";
import type { Message } from "./model.ts";
import type { Store } from "./store.ts";

/** Deliveries under way at once, over all keys and queues. */
export const GLOBAL_PARALLELISM = 100;

/**
 * What a due message must pass before it starts: its queue (running, with a free place), its
 * flow-control key, and the limit over all. Those that cannot pass wait here, in order, until
 * `freed` hands them back.
 */
export interface Gates {
  flowKeys: FlowKeys;
  /** Deliveries under way. */
  active(): number;
  waiting(flowControlKey: string): number;
  /** Notes the limits that a new message brings, and the queue place it may hold. */
  admit(message: Message): void;
  /** Takes every place the message needs, or lets it wait. */
  enter(message: Message, now: number): boolean;
  /** Gives back what one delivery took. */
  leave(message: Message): void;
  /** Gives back the place that a message which is over held in a queue. */
  finish(message: Message): void;
  /** Messages that waited and may try again. */
  freed(now: number): Message[];
  /** The next end of a rate period that somebody waits for. */
  nextFreedAt(): number | null;
}

type GateKind = "paused" | "queue" | "flow" | "global";

interface Gate {
  kind: GateKind;
  key: string;
  messages: Message[];
}

export function createGates(store: Store): Gates {
  const flowKeys: FlowKeys = new Map();
  const held = new Map<string, number>();
  const gates = new Map<string, Gate>();
  let active = 0;

  const hold = (queue: string, change: number) => held.set(queue, (held.get(queue) ?? 0) + change);
  const isPaused = (queue: string) => store.queues.get(queue)?.paused ?? false;

  const places: Record<GateKind, (key: string, now: number) => number> = {
    paused: (queue) => (isPaused(queue) ? 0 : Infinity),
    queue: (queue) => (store.queues.get(queue)?.parallelism ?? 1) - (held.get(queue) ?? 0),
    flow: (key, now) => freePlaces(flowKey(flowKeys, key), now),
    global: () => GLOBAL_PARALLELISM - active,
  };

  /** The first gate at which the message has to wait. */
  const closedGate = (message: Message, now: number): [GateKind, string] | null => {
    const { queueName, flowControl } = message;
    if (queueName !== null) {
      if (isPaused(queueName)) return ["paused", queueName];
      if (message.holdsQueue === null) {
        if (places.queue(queueName, now) < 1) return ["queue", queueName];
        hold(queueName, 1);
        message.holdsQueue = queueName;
        store.messages.put(message.messageId, message);
      }
    }
    if (flowControl !== null && places.flow(flowControl.key, now) < 1)
      return ["flow", flowControl.key];
    return places.global("", now) < 1 ? ["global", ""] : null;
  };

  const wait = (kind: GateKind, key: string, message: Message) => {
    const id = `${kind}:${key}`;
    const gate = gates.get(id) ?? { kind, key, messages: [] };
    gates.set(id, gate);
    const index = gate.messages.findLastIndex((other) => other.order < message.order) + 1;
    gate.messages.splice(index, 0, message);
  };

  return {
    flowKeys,
    active: () => active,
    waiting: (key) => gates.get(`flow:${key}`)?.messages.length ?? 0,
    admit(message) {
      if (message.flowControl !== null) configureFlow(flowKeys, message.flowControl);
      if (message.holdsQueue !== null) hold(message.holdsQueue, 1);
    },
    enter(message, now) {
      const closed = closedGate(message, now);
      if (closed !== null) {
        wait(...closed, message);
        return false;
      }
      if (message.flowControl !== null) takePlace(flowKey(flowKeys, message.flowControl.key), now);
      active++;
      return true;
    },
    leave(message) {
      active--;
      if (message.flowControl !== null) flowKey(flowKeys, message.flowControl.key).active--;
    },
    finish(message) {
      if (message.holdsQueue !== null) hold(message.holdsQueue, -1);
    },
    freed(now) {
      const result: Message[] = [];
      for (const [id, { kind, key, messages }] of gates) {
        let free = places[kind](key, now);
        while (free > 0 && messages.length > 0) {
          const message = messages.shift()!;
          // A cancelled message leaves its place in the row to the next.
          if (store.messages.get(message.messageId) === undefined) continue;
          result.push(message);
          free--;
        }
        if (messages.length === 0) gates.delete(id);
      }
      return result;
    },
    nextFreedAt() {
      const ends = [...flowKeys.values()]
        .filter((flow) => gates.has(`flow:${flow.key}`) && !flow.paused)
        .filter((flow) => flow.parallelism === null || flow.active < flow.parallelism)
        .map(periodEnd);
      return ends.length === 0 ? null : Math.min(...ends);
    },
  };
}
