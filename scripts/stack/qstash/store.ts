import { openJournal, type Table } from "../journal.ts";
import type { DeadLetter, Deduplication, Message, Queue, Schedule } from "./model.ts";

export interface Store {
  messages: Table<Message>;
  schedules: Table<Schedule>;
  queues: Table<Queue>;
  deadLetters: Table<DeadLetter>;
  deduplications: Table<Deduplication>;
  /** The next number for `order` fields. */
  nextOrder(): number;
  close(): void;
}

/** What outlives the process, kept in the file if one is named. */
export function createStore(file?: string): Store {
  const journal = openJournal(file);
  const { table } = journal;
  const messages = table<Message>("messages");
  const deadLetters = table<DeadLetter>("deadLetters");
  const ordered = [...messages.values(), ...deadLetters.values()];
  let lastOrder = ordered.reduce((highest, { order }) => Math.max(highest, order), 0);
  return {
    messages,
    schedules: table<Schedule>("schedules"),
    queues: table<Queue>("queues"),
    deadLetters,
    deduplications: table<Deduplication>("deduplications"),
    nextOrder: () => ++lastOrder,
    close: journal.close,
  };
}
