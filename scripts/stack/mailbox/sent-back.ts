import { randomUUID } from "node:crypto";
import { openJournal } from "../journal.ts";
import type { Returned } from "./return-mail.ts";

/** How a message was answered, as the conversation shows it. */
export interface SentBack {
  id: string;
  /** The message that it answers. */
  message: string;
  at: string;
  action: "reply" | "out-of-office" | "bounce" | "complain";
  to: string;
  subject: string;
  /** What the person wrote; null where a mail system speaks. */
  text: string | null;
}

export interface SentBackBook {
  add(message: string, action: SentBack["action"], returned: Returned, text: string | null): void;
  /** Oldest first. */
  about(message: string): SentBack[];
  clear(): void;
  close(): void;
}

/** What went back from the mailbox's people; with a file it outlives the process, as the messages do. */
export function openSentBackBook(file: string | undefined): SentBackBook {
  const journal = openJournal(file);
  const kept = journal.table<SentBack>("sent_back");
  return {
    add(message, action, { to, subject }, text) {
      const id = randomUUID();
      const at = new Date().toISOString();
      kept.put(id, { id, message, at, action, to, subject, text });
    },
    about: (message) => kept.values().filter((each) => each.message === message),
    clear() {
      for (const { id } of kept.values()) kept.delete(id);
    },
    close: () => journal.close(),
  };
}
