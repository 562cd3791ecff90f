import { isRefused } from "#db/base/client.ts";
import type { Deps } from "#src/deps.ts";
import { within } from "#src/platform/deadline.ts";
import { describeError } from "#src/platform/log.ts";
import type { BatchedMessage } from "#src/providers/batching/index.ts";
import type { Hit } from "./hit.ts";
import { packedHits } from "./packed-hits.ts";
import { recordHits } from "./record.ts";

const MOST_HITS_AT_ONCE = 1_000;
/** A database that answers no more is as good as away. */
const LONGEST_WRITE_MS = 20_000;
const FIRST_PAUSE_SECONDS = 5;
/** With a hundred retries a message waits for a day, and is then among the dead letters. */
const LONGEST_PAUSE_SECONDS = 15 * 60;

interface Readable {
  message: BatchedMessage;
  hits: Hit[];
}

/**
 * Writes a batch of the queue, and acknowledges each message when its hits are in the database. What cannot be written,
 * or is not to be read (a later release may have made it), comes again, and holds up nothing else. Never rejects.
 */
export async function takeHits(deps: Deps, batch: readonly BatchedMessage[]): Promise<void> {
  const readable: Readable[] = [];
  for (const message of batch) {
    const { success, data } = packedHits.safeParse(message.body);
    if (success) readable.push({ message, hits: data.hits });
    else {
      deps.log.error("hits_unreadable", { attempts: message.attempts });
      putOff(message);
    }
  }
  for (const part of partsOf(readable)) await write(deps, part);
}

/** As many messages at a time as one statement takes. */
function partsOf(readable: readonly Readable[]): Readable[][] {
  const parts: Readable[][] = [];
  let count = MOST_HITS_AT_ONCE;
  for (const each of readable) {
    count += each.hits.length;
    if (count > MOST_HITS_AT_ONCE) {
      parts.push([]);
      count = each.hits.length;
    }
    parts.at(-1)!.push(each);
  }
  return parts;
}

async function write(deps: Deps, part: readonly Readable[]): Promise<void> {
  const hits = part.flatMap((each) => each.hits);
  try {
    await within(deps.clock, LONGEST_WRITE_MS, recordHits(deps, hits));
    for (const { message } of part) message.ack();
  } catch (error) {
    // Of what Postgres refuses by its content the rest is told apart by halves; when it is away, that is true of all.
    if (part.length > 1 && isRefused(error)) {
      const middle = Math.ceil(part.length / 2);
      await write(deps, part.slice(0, middle));
      await write(deps, part.slice(middle));
      return;
    }
    deps.log.error("hits_not_written", { count: hits.length, ...describeError(error) });
    for (const { message } of part) putOff(message);
  }
}

/** Later each time: a database that comes back is not met by all of it at once. */
export function putOff(message: BatchedMessage): void {
  const seconds = FIRST_PAUSE_SECONDS * 2 ** (message.attempts - 1);
  message.retry({ delaySeconds: Math.min(LONGEST_PAUSE_SECONDS, seconds) });
}
