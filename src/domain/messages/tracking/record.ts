import { findSentById } from "#db/replies/sent-messages.ts";
import {
  readTrackedMessages,
  type TrackedMessage,
  writeTrackedMessages,
} from "#db/messages/tracked-hits.ts";
import type { Deps } from "#src/deps.ts";
import { describeError } from "#src/platform/log.ts";
import { confirmArrived } from "#src/domain/replies/feedback/apply.ts";
import type { Hit } from "./hit.ts";
import { planMessage } from "./plan.ts";

/** So often another writer may change a message between the read and the write. */
const MAX_ROUNDS = 10;

/**
 * Records opens and clicks, of any number of messages, with two statements: one reads, one writes. Safe
 * to repeat, and safe beside other writers: a message changed between is read again. Hits of unknown
 * messages are ignored. A hit proves that a message whose fate was unknown did arrive.
 */
export async function recordHits(deps: Deps, hits: readonly Hit[]): Promise<void> {
  let left = Map.groupBy(hits, ({ sendId }) => sendId);
  let unproven = true;
  for (let round = 0; left.size > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error(`${left.size} tracked messages kept changing`);
    const messages = await readTrackedMessages(deps.db, [...left.keys()]);
    const unknown = messages.filter(({ isUnknown }) => isUnknown);
    if (unproven && unknown.length > 0) {
      unproven = false;
      await Promise.all(unknown.map(({ id }) => prove(deps, id)));
      continue;
    }
    left = await writePlans(deps, messages, left);
  }
}

/** Writes what can be written; answers what has to be read again. */
async function writePlans(
  deps: Deps,
  messages: TrackedMessage[],
  hits: Map<string, Hit[]>,
): Promise<Map<string, Hit[]>> {
  const plans = messages.map((message) => planMessage(message, hits.get(message.id)!));
  const changes = plans.flatMap(({ change }) => change ?? []);
  const droppedCount = plans.reduce((sum, plan) => sum + plan.droppedCount, 0);
  if (droppedCount > 0) deps.log.info("hits_dropped", { count: droppedCount });
  if (changes.length === 0) return new Map();
  const written = await writeTrackedMessages(deps.db, changes);
  return new Map(
    changes.flatMap(({ id }) => (written.has(id) ? [] : [[id, hits.get(id)!] as const])),
  );
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
