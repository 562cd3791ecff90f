import { openJournal, type Table } from "../journal.ts";
import type { Deduplication, Message, Schedule } from "./model.ts";

export interface Store {
  messages: Table<Message>;
  schedules: Table<Schedule>;
  deduplications: Table<Deduplication>;
  /** The next number for `order` fields. */
  nextOrder(): number;
  close(): void;
}

/** What outlives the process, kept in the file if one is named. */
export function createStore(file?: string): Store {
  const journal = openJournal(file);
  const messages = journal.table<Message>("messages");
  let lastOrder = messages.values().reduce((highest, { order }) => Math.max(highest, order), 0);
  return {
    messages,
    schedules: journal.table<Schedule>("schedules"),
    deduplications: journal.table<Deduplication>("deduplications"),
    nextOrder: () => ++lastOrder,
    close: journal.close,
  };
}
