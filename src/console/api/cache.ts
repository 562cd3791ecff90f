import { signal, type Signal } from "@preact/signals";
import { ask, type Answer, type Input, type OperationId } from "./call.ts";
import { asProblem, type Problem } from "./problem.ts";

/** What is known of one operation with one input. A failure keeps the data of before. */
export interface Known<Id extends OperationId> {
  data?: Answer<Id>;
  problem?: Problem;
  isLoading: boolean;
  /** When the data came, in ms. */
  at?: number;
  /** Of the record, for `ifMatch`; null where it has none. */
  etag?: string | null;
  /** Of the last answer, in seconds. */
  retryAfter?: number | undefined;
}

interface Entry {
  known: Signal<Known<OperationId>>;
  etag: string | null;
  isStale: boolean;
  watchers: number;
  load(): Promise<void>;
}

const entries = new Map<string, Entry>();

/** One entry for an operation and its input, for all screens that ask. */
export function entryOf<Id extends OperationId>(id: Id, input: Input<Id> | undefined): Entry {
  const key = `${id} ${JSON.stringify(input ?? {})}`;
  const found = entries.get(key);
  if (found !== undefined) return found;
  let reading: Promise<void> | null = null;
  const entry: Entry = {
    known: signal<Known<OperationId>>({ isLoading: true }),
    etag: null,
    isStale: true,
    watchers: 0,
    load() {
      if (reading !== null) return reading;
      entry.isStale = false;
      reading = read(entry, id, input as Input<OperationId>).finally(() => {
        reading = null;
        // What was written meanwhile may be missing in what came.
        if (entry.isStale && entry.watchers > 0) void entry.load();
      });
      return reading;
    },
  };
  entries.set(key, entry);
  return entry;
}

/** What is read anew when it is older than this as a screen opens, in ms. */
const FRESH_MS = 3_000;
export function isOld({ isStale, known }: Entry): boolean {
  const { at = 0, problem } = known.peek();
  return isStale || problem !== undefined || Date.now() - at > FRESH_MS;
}

/** What was read by another way. */
export function seed<Id extends OperationId>(
  id: Id,
  input: Input<Id> | undefined,
  data: Answer<Id>,
): void {
  const entry = entryOf(id, input);
  entry.isStale = false;
  entry.known.value = { data: data as never, isLoading: false, at: Date.now() };
}

let running = 0;

/** An answer to a question is on its way. */
export const isReading = (): boolean => running > 0;

async function read(entry: Entry, id: OperationId, input: Input<OperationId>): Promise<void> {
  const before = entry.known.peek();
  if (!before.isLoading) entry.known.value = { ...before, isLoading: true };
  running++;
  try {
    const { answer, etag, retryAfter } = await ask(id, input, { etag: entry.etag });
    entry.etag = etag ?? (answer === undefined ? entry.etag : null);
    const data = answer === undefined ? before.data : answer;
    const what = { data: data as never, etag: entry.etag };
    entry.known.value = { ...what, isLoading: false, at: Date.now(), retryAfter };
  } catch (error) {
    const { data, at, etag = null } = before;
    entry.known.value = {
      ...(data === undefined ? {} : { data, at: at!, etag }),
      problem: asProblem(error),
      isLoading: false,
    };
  } finally {
    running--;
  }
}

/** After a write anything may be otherwise: what is on the page is read again at once, the rest when it is next shown. */
export function invalidate(): void {
  for (const [key, entry] of entries) {
    entry.isStale = true;
    if (entry.watchers > 0) void entry.load();
    else if (entries.size > MOST_ENTRIES) entries.delete(key);
  }
}

const MOST_ENTRIES = 200;
