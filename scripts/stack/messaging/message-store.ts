import * as fs from "node:fs";

/** A message on a telephone. */
export interface TelephoneMessage {
  id: string;
  /** E.164, with the plus sign. */
  to: string;
  template: string;
  language: string;
  parameters: string[];
  text: string;
  /** What the sender gave along, for its own books. */
  reference: string | null;
  /** ISO 8601, by the stack's clock. */
  received_at: string;
  status: "accepted" | "sent" | "delivered" | "read" | "failed";
  failure: { code: number; title: string; details: string } | null;
}

export interface TelephoneStore {
  /** Oldest first. */
  all(): TelephoneMessage[];
  find(id: string): TelephoneMessage | undefined;
  /** Adds it, or keeps its change. */
  put(message: TelephoneMessage): void;
  clear(): void;
  close(): void;
}

/**
 * Messages in memory and, with a file, in a journal of JSON lines: written before the sender hears
 * of it, the last line of a message counts, and one that a crash cut short is dropped at the next start.
 */
export function openTelephoneStore(file: string | undefined): TelephoneStore {
  const messages = new Map<string, TelephoneMessage>();
  if (file !== undefined && fs.existsSync(file))
    for (const message of readLines(fs.readFileSync(file, "utf8")))
      messages.set(message.id, message);
  let log = file === undefined ? undefined : rewrite(file, messages.values());

  return {
    all: () => [...messages.values()],
    find: (id) => messages.get(id),
    put(message) {
      if (log !== undefined) fs.writeSync(log, lineOf(message));
      messages.set(message.id, message);
    },
    clear() {
      messages.clear();
      if (file === undefined || log === undefined) return;
      fs.closeSync(log);
      log = rewrite(file, []);
    },
    close() {
      if (log !== undefined) fs.closeSync(log);
      log = undefined;
    },
  };
}

const lineOf = (message: TelephoneMessage) => `${JSON.stringify(message)}\n`;

function* readLines(text: string): Generator<TelephoneMessage> {
  for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n"))
    if (line !== "") yield JSON.parse(line) as TelephoneMessage;
}

/** Writes the journal anew and atomically; returns a descriptor for appending to it. */
function rewrite(file: string, messages: Iterable<TelephoneMessage>): number {
  const fresh = `${file}.new`;
  const log = fs.openSync(fresh, "w", 0o600);
  for (const message of messages) fs.writeSync(log, lineOf(message));
  fs.renameSync(fresh, file);
  return log;
}
