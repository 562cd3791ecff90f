import type { Message } from "./model.ts";
import type { Store } from "./store.ts";

/** Deliveries under way at once, over all keys. */
const GLOBAL_PARALLELISM = 100;

/**
 * What a due message must pass before it starts: its flow-control key (with a free place), and the
 * limit over all. Those that cannot pass wait here, in order, until `freed` hands them back.
 */
export interface Gates {
  /** Notes the limit that a new message brings; a key's is that of its newest message. */
  admit(message: Message): void;
  /** Takes the places that the message needs, or lets it wait. */
  enter(message: Message): boolean;
  /** Gives back what one delivery took. */
  leave(message: Message): void;
  /** Messages that waited and may try again. */
  freed(): Message[];
}

interface Gate {
  parallelism: number;
  active: number;
  waiting: Message[];
}

export function createGates(store: Store): Gates {
  const all: Gate = { parallelism: GLOBAL_PARALLELISM, active: 0, waiting: [] };
  const byKey = new Map<string, Gate>();
  const gatesOf = ({ flowControl }: Message) =>
    flowControl === null ? [all] : [byKey.get(flowControl.key)!, all];
  return {
    admit({ flowControl }) {
      if (flowControl === null) return;
      const { key, parallelism } = flowControl;
      const gate = byKey.get(key);
      if (gate === undefined) byKey.set(key, { parallelism, active: 0, waiting: [] });
      else gate.parallelism = parallelism;
    },
    enter(message) {
      const gates = gatesOf(message);
      const closed = gates.find(({ active, parallelism }) => active >= parallelism);
      if (closed === undefined) {
        for (const gate of gates) gate.active++;
        return true;
      }
      const { waiting } = closed;
      const index = waiting.findLastIndex(({ order }) => order < message.order) + 1;
      waiting.splice(index, 0, message);
      return false;
    },
    leave(message) {
      for (const gate of gatesOf(message)) gate.active--;
    },
    freed() {
      const result: Message[] = [];
      for (const { parallelism, active, waiting } of [all, ...byKey.values()]) {
        for (let free = parallelism - active; free > 0 && waiting.length > 0;) {
          const message = waiting.shift()!;
          // One that is gone leaves its place in the row to the next.
          if (store.messages.get(message.messageId) === undefined) continue;
          result.push(message);
          free--;
        }
      }
      return result;
    },
  };
}
