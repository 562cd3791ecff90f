import type { OutboxEffect } from "#db/base/fragments/outbox.ts";
import type { WebhookRow, WebhookSet } from "#db/workspace/webhooks/webhooks.ts";
import type { Deps } from "#src/deps.ts";
import { DAY_MS } from "#src/platform/durations.ts";

const TOLD_AFTER_MS = 2 * DAY_MS;

/** What the owner of a receiver hears of its failures: after two days, and as it is disabled; each once. */
export function noticesOf(
  { ids }: Pick<Deps, "ids">,
  { id, workspaceId, url }: WebhookRow,
  set: WebhookSet,
  now: Date,
): OutboxEffect<"webhook_failing" | "webhook_disabled">[] {
  const payload = { webhook_id: id, webhook_url: url };
  const effect = { id: ids.uuid(), workspaceId, now };
  if (set.status === "disabled") {
    const why =
      set.disabledReason === "gone"
        ? "it answered 410, which says that it is gone"
        : "nothing has reached it for five days";
    const dedupKey = `webhook:${id}:disabled:${now.getTime()}`;
    return [{ ...effect, kind: "webhook_disabled", dedupKey, payload: { ...payload, why } }];
  }
  const since = set.failingSince ?? null;
  if (since === null || now.getTime() - since.getTime() < TOLD_AFTER_MS) return [];
  const dedupKey = `webhook:${id}:failing:${since.getTime()}`;
  return [{ ...effect, kind: "webhook_failing", dedupKey, payload }];
}
