import { createApp } from "#src/app.ts";
import type { Deps } from "#src/deps.ts";
import { takeHits } from "#src/domain/messages/tracking/take-hits.ts";
import { createCloudflareQueue } from "#src/providers/batching/cloudflare-queue.ts";
import { type ConsumerSettings, readWrangler } from "../../scripts/deploy/settings.ts";
import { openBatch } from "../../scripts/stack/batch.ts";
import { startQueues } from "../../scripts/stack/queues.ts";
import type { TestApi } from "./api.ts";
import { eventually } from "./service.ts";

/** The service with a queue of opens and clicks before its database, as wrangler.toml sets it up. */
export async function startHitQueue({ deps, settled, advance }: TestApi) {
  const settings: ConsumerSettings = { ...readWrangler().hitQueue!.consumer };
  /** How many messages each batch had. */
  const batches: number[] = [];
  const queues = await startQueues({
    settings,
    async deliver({ messages }) {
      batches.push(messages.length);
      const batch = openBatch(messages);
      await takeHits(deps, batch.messages);
      return batch.outcome(false);
    },
  });
  queues.resume();
  /** A message, as the Worker's binding posts it. */
  const post = async (body: string): Promise<void> => {
    const reply = await fetch(`${queues.url}/message`, {
      method: "POST",
      headers: { "x-msg-fmt": "json" },
      body,
    });
    await reply.body?.cancel();
    if (!reply.ok) throw new Error(`Queue send failed: ${reply.statusText}`);
  };
  const hitBatches = createCloudflareQueue({
    send: (message: unknown) => post(JSON.stringify(message)),
  });
  const withQueue: Deps = { ...deps, hitBatches };
  /** Time goes on for so long, and what the queue then delivers is dealt with. */
  const after = async (seconds: number) => {
    await settled();
    advance(seconds);
    await eventually("no batch is under way", () => !queues.busy());
  };
  return {
    queues,
    settings,
    batches,
    post,
    deps: withQueue,
    app: createApp({ now: () => new Date(), makeDeps: () => withQueue }),
    after,
  };
}

export type HitQueueSetting = Awaited<ReturnType<typeof startHitQueue>>;
