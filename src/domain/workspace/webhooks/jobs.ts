import * as z from "zod";
import { receiversWithNews } from "#db/workspace/webhooks/rounds.ts";
import type { Deps } from "#src/deps.ts";
import { define, wakeUp } from "#src/domain/job.ts";
import { describeError } from "#src/platform/log.ts";
import { deliverToReceiver } from "./deliver.ts";
import { DELIVER_WEBHOOKS, wakeReceivers } from "./wake.ts";

/** So many receivers are served by the worker that found them; each of the others is asked for by itself. */
const SERVED_HERE = 4;
const FOUND_AT_ONCE = 500;

/** Serves the receivers that there is something for, and asks to be called again when there is more. */
export async function deliverNews(deps: Deps): Promise<{ receivers: number; delivered: number }> {
  const found = await receiversWithNews(deps.db, deps.clock.now(), FOUND_AT_ONCE);
  const others = found.slice(SERVED_HERE);
  const second = Math.ceil(deps.clock.now().getTime() / 1000);
  if (others.length > 0)
    await wakeUp(
      deps,
      others.map((receiver) => ({
        callback: DELIVER_WEBHOOKS,
        payload: { version: 1, receiver },
        deduplicationId: `webhook-${receiver}-${second}`,
      })),
    );
  const served = await Promise.all(found.slice(0, SERVED_HERE).map((id) => serve(deps, id)));
  const delivered = served.reduce((sum, each) => sum + each, 0);
  return { receivers: found.length, delivered };
}

/** Serves one, however its others fare. */
async function serve(deps: Deps, id: string): Promise<number> {
  try {
    const { delivered, failed, nextAt } = await deliverToReceiver(deps, id);
    deps.log.info("webhook", { webhook_id: id, delivered, failed });
    if (nextAt !== null) await wakeReceivers(deps, nextAt);
    // What came meanwhile, and what a long transaction held up.
    if (delivered > 0) await wakeReceivers(deps);
    return delivered;
  } catch (error) {
    deps.log.error("webhook_failed", { webhook_id: id, ...describeError(error) });
    return 0;
  }
}

export const deliveringWebhooks = define(DELIVER_WEBHOOKS, {
  payload: z.object({ version: z.literal(1), receiver: z.uuid().optional() }),
  run: (deps, { receiver }) => (receiver === undefined ? deliverNews(deps) : serve(deps, receiver)),
  lost: {
    afterMs: 0,
    find: ({ db }, before) => receiversWithNews(db, before, 1),
    requeue: (deps) => wakeReceivers(deps),
  },
});
