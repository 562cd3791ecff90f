import { Receiver } from "@upstash/qstash";
import * as z from "zod";
import type { Deps } from "#src/deps.ts";
import { READ_INBOXES } from "#src/domain/replies/inbound/inbox/queue.ts";
import { DELIVER_WEBHOOKS } from "#src/domain/workspace/webhooks/wake.ts";
import { TICK_CALLBACK } from "#src/domain/jobs/tick.ts";
import { AppError, badRequest, unauthenticated } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import { describeError } from "#src/platform/log.ts";
import { MIB, readCapped } from "./body.ts";
import type { Callback } from "./callback.ts";
import type { App } from "./context.ts";
import { readJson } from "#src/platform/json.ts";

const CLOCK_TOLERANCE_SECONDS = 10;
/** QStash's signatures live 5 minutes (https://upstash.com/docs/qstash/features/security). */
const SIGNATURE_SECONDS = 5 * 60 + 2 * CLOCK_TOLERANCE_SECONDS;

/**
 * They know what they left; inboxes are read all day, and mostly nothing is in them. A delivery of events makes no work
 * for the engine: a wake would make a tick, the tick a delivery, and the database would never sleep.
 */
const WAKES_ITSELF = new Set([TICK_CALLBACK, READ_INBOXES, DELIVER_WEBHOOKS]);

/** POST /functions/<name>: signature, then payload, then the domain. Never limited, never in the API's description. */
export function mountCallbacks(app: App, callbacks: Callback[]): void {
  for (const { name, payload, run } of callbacks) {
    app.post(`/functions/${name}`, async (c) => {
      c.set("envelope", "coded");
      const deps = c.get("deps");
      const body = new TextDecoder().decode(await readCapped(c.req.raw, MIB));
      const signature = c.req.header("upstash-signature") ?? "";
      await verifySignature(deps, signature, `/functions/${name}`, body);
      const parsed = payload.safeParse(readJson(body));
      if (!parsed.success) {
        throw badRequest(
          "INVALID_PAYLOAD",
          `Not a payload of ${name}: ${z.prettifyError(parsed.error)}`,
        );
      }
      const result = await runOnce(deps, signature, () => run(deps, parsed.data));
      // What a job changed may have made something due.
      if (!WAKES_ITSELF.has(name)) await deps.wake();
      return c.json({ ok: true, result: result ?? null });
    });
  }
}

/** The URL signed is the configured one, never what the Host header says. */
async function verifySignature(
  deps: Deps,
  signature: string,
  path: string,
  body: string,
): Promise<void> {
  const { currentSigningKey, nextSigningKey } = deps.settings.queueKeys;
  // devMode: false because the SDK otherwise accepts well-known development keys when QSTASH_DEV is set.
  const receiver = new Receiver({ currentSigningKey, nextSigningKey, devMode: false });
  const genuine = await receiver
    .verify({
      signature,
      body,
      url: deps.settings.cellBaseUrl + path,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    })
    .catch(() => false);
  if (!genuine)
    throw unauthenticated(
      "UNAUTHENTICATED",
      "The Upstash-Signature header is missing, wrong or expired.",
    );
}

/**
 * A signature is good for one delivery: QStash signs each attempt anew, so the
 * same one twice is a replay. After a failure it may come again. Without the
 * cache replays are let in; what callbacks do is safe to repeat.
 */
async function runOnce(deps: Deps, signature: string, run: () => Promise<unknown>) {
  const { cache, log } = deps;
  const key = `callback:${await sha256Hex(signature)}`;
  try {
    const [count] = await cache.count([{ key, ttlSeconds: SIGNATURE_SECONDS }]);
    if (count !== 1) throw unauthenticated("UNAUTHENTICATED", "This delivery was taken before.");
  } catch (error) {
    if (error instanceof AppError) throw error;
    log.error("replays_unchecked", describeError(error));
  }
  try {
    return await run();
  } catch (error) {
    await cache.delete(key).catch(() => {});
    throw error;
  }
}
