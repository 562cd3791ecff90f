import { isMoving } from "#db/base/moving.ts";
import { findSentById } from "#db/replies/sent-messages.ts";
import {
  type MessageChange,
  readTrackedMessages,
  type TrackedMessage,
  writeTrackedMessages,
} from "#db/messages/tracked-hits.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import { confirmArrived } from "#src/domain/replies/feedback/apply.ts";
import type { Hit } from "./hit.ts";
import { planMessage } from "./plan.ts";
import { packHits } from "./packed-hits.ts";

/** So often another writer may change a message between the read and the write. */
const MAX_ROUNDS = 10;

/**
 * Records opens and clicks, of any number of messages, with two statements: one reads, one writes. Safe
 * to repeat, and safe beside other writers: a message changed between is read again. Hits of unknown
 * messages are left to the other cells, where there are any: their workspace may have moved. A hit proves that a message whose fate was unknown did arrive. Fails, once the others are written,
 * where a message's workspace is being moved: its hits are to be brought again.
 */
export async function recordHits(deps: Deps, hits: readonly Hit[]): Promise<void> {
  const unknown = await recordOwnHits(deps, hits);
  if (unknown.length > 0) await deps.otherCells?.bringHits(packHits(unknown));
}

/** The same of messages of this cell alone; answers the hits of all others. */
export async function recordOwnHits(deps: Deps, hits: readonly Hit[]): Promise<Hit[]> {
  let left = Map.groupBy(hits, ({ sendId }) => sendId);
  let unproven = true;
  const moving: unknown[] = [];
  let elsewhere: Hit[] | undefined;
  for (let round = 0; left.size > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error(`${left.size} tracked messages kept changing`);
    const messages = await readTrackedMessages(deps.db, [...left.keys()]);
    elsewhere ??= unknownOf(hits, messages);
    const unknown = messages.filter(({ isUnknown }) => isUnknown);
    if (unproven && unknown.length > 0) {
      unproven = false;
      await Promise.all(unknown.map(({ id }) => prove(deps, id)));
      continue;
    }
    left = await writePlans(deps, messages, left, moving);
  }
  if (moving.length > 0) throw moving[0];
  return elsewhere ?? [];
}

function unknownOf(hits: readonly Hit[], messages: readonly TrackedMessage[]): Hit[] {
  const known = new Set(messages.map(({ id }) => id));
  return hits.filter(({ sendId }) => !known.has(sendId));
}

/** Writes what can be written; answers what has to be read again. */
async function writePlans(
  deps: Deps,
  messages: TrackedMessage[],
  hits: Map<string, Hit[]>,
  moving: unknown[],
): Promise<Map<string, Hit[]>> {
  const plans = messages.map((message) => planMessage(message, hits.get(message.id)!));
  const changes = plans.flatMap(({ change }) => change ?? []);
  const droppedCount = plans.reduce((sum, plan) => sum + plan.droppedCount, 0);
  if (droppedCount > 0) deps.log.info("hits_dropped", { count: droppedCount });
  if (changes.length === 0) return new Map();
  const written = await writeTrackedMessages(deps.db, changes).catch((error: unknown) => {
    if (!isMoving(error)) throw error;
    return writeApart(deps, changes, moving);
  });
  return new Map(
    changes.flatMap(({ id }) => (written.has(id) ? [] : [[id, hits.get(id)!] as const])),
  );
}

/** Each by itself, so that a workspace that is being moved holds up no other's hits; its own are done with here. */
async function writeApart(
  { db }: Deps,
  changes: MessageChange[],
  moving: unknown[],
): Promise<Set<string>> {
  const done = new Set<string>();
  for (const change of changes) {
    try {
      for (const id of await writeTrackedMessages(db, [change])) done.add(id);
    } catch (error) {
      if (!isMoving(error)) throw error;
      moving.push(error);
      done.add(change.id);
    }
  }
  return done;
}

/** A message whose arrival cannot be confirmed must not keep the batch's hits from being written. */
async function prove(deps: Deps, id: string): Promise<void> {
  try {
    const message = await findSentById(deps.db, id);
    if (message !== undefined) await confirmArrived(deps, message);
  } catch (error) {
    deps.log.error("arrival_not_proven", { send_id: id, ...describeError(error) });
  }
}
