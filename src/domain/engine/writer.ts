/** Writes messages ahead of their turn. */
export interface Writer<Send, Written> {
  /** Has these written, in this order, if they are not yet. */
  ahead(sends: Send[], now: Date): void;
  /** What was written of it, or is written now. */
  take(send: Send, now: Date): Promise<Written>;
}

/**
 * One after another, so that between two of them whatever the database and the relays
 * answered is heard: five at once kept begun messages from the wire for as long as it
 * took to write all of them. `write` never rejects.
 */
export function createWriter<Send extends { id: string }, Written>(
  write: (send: Send, now: Date) => Promise<Written>,
): Writer<Send, Written> {
  const written = new Map<string, Promise<Written>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    ahead(sends, now) {
      for (const send of sends) {
        if (written.has(send.id)) continue;
        const next = last.then(() => write(send, now));
        written.set(send.id, next);
        last = next;
      }
    },
    take(send, now) {
      const known = written.get(send.id);
      written.delete(send.id);
      return known ?? write(send, now);
    },
  };
}
