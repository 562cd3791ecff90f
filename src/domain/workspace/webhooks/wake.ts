import { hasActiveWebhooks } from "#db/workspace/webhooks/webhooks.ts";
import type { Deps } from "#src/deps.ts";
import { wakeUp } from "#src/domain/job.ts";
import { describeError } from "#src/platform/log.ts";

export const DELIVER_WEBHOOKS = "deliver-webhooks";

type Waking = Pick<Deps, "db" | "queue" | "clock" | "log">;

/** Events of so long are sent together: a million a day take 17,280 messages of the queue. */
const TOGETHER_MS = 5_000;
/** Ahead of the clock by so much, so that workers whose clocks differ a little name the same mark. */
const AHEAD_MS = 500;
/** Whether there are receivers at all is asked this often: where there are none, nothing is asked of the queue. */
const KNOWN_MS = 30_000;

/** Of this isolate. */
const known = new WeakMap<object, { any: boolean; at: number; mark: number }>();

/**
 * Asks for the deliverer at the next mark of five seconds, of which the queue takes one message, however many ask. A
 * deliverer of that mark sees whatever was committed before it was asked for.
 */
export function wakeReceivers(deps: Waking, at?: Date): Promise<void> {
  const earliest = Math.max(deps.clock.now().getTime() + AHEAD_MS, at?.getTime() ?? 0);
  const mark = Math.ceil(earliest / TOGETHER_MS) * TOGETHER_MS;
  const state = known.get(deps.queue);
  if (state?.mark === mark) return Promise.resolve();
  known.set(deps.queue, { any: true, at: deps.clock.now().getTime(), mark });
  return wakeUp(deps, {
    callback: DELIVER_WEBHOOKS,
    payload: { version: 1 },
    notBefore: new Date(mark),
    deduplicationId: `webhooks-${mark}`,
  });
}

/** After a receiver was made or goes on: other isolates may not know of it for a while, and wake none for what they do. */
export async function announceReceiver(deps: Waking): Promise<void> {
  await wakeReceivers(deps, new Date(deps.clock.now().getTime() + KNOWN_MS));
  await wakeReceivers(deps);
}

/** After what may have made events; never throws. What is not told so is found by the full check. */
export async function tellReceivers(deps: Waking): Promise<void> {
  const now = deps.clock.now().getTime();
  let state = known.get(deps.queue);
  try {
    if (state === undefined || now - state.at > KNOWN_MS || now < state.at) {
      state = { any: await hasActiveWebhooks(deps.db), at: now, mark: 0 };
      known.set(deps.queue, state);
    }
    if (state.any) await wakeReceivers(deps);
  } catch (error) {
    deps.log.error("receivers_not_told", describeError(error));
  }
}
