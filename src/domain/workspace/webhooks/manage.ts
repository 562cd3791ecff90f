import type { WebhookDeliveryState } from "#db/schema/index.ts";
import {
  type DeliveryRow,
  listDeliveries as selectDeliveries,
  redeliver as makeDue,
  replayEvents,
} from "#db/workspace/webhooks/deliveries.ts";
import {
  deleteWebhook,
  getWebhook,
  insertWebhook,
  listWebhooks as selectWebhooks,
  restartWebhook,
  updateWebhook,
  type WebhookRow,
} from "#db/workspace/webhooks/webhooks.ts";
import type { Deps, Principal } from "#src/deps.ts";
import {
  inWorkspace,
  newOwned,
  requireFound,
  requires,
  retryWhileChanged,
} from "#src/domain/owned.ts";
import { conflict, notFound, unprocessable } from "#src/errors.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import type { WebhookOutcome } from "#src/providers/webhooks/index.ts";
import { sendEvent } from "./deliver.ts";
import { afterRotation, contextOf, openSecrets, typesToSend } from "./receiver.ts";
import { newSecret } from "./sign.ts";
import { announceReceiver, wakeReceivers } from "./wake.ts";

export type { DeliveryRow } from "#db/workspace/webhooks/deliveries.ts";
export type { WebhookRow } from "#db/workspace/webhooks/webhooks.ts";

export const MOST_WEBHOOKS = 10;
const SIGNS_ON_MS = DAY_MS;
export const REPLAYED_AT_ONCE = 10_000;

export interface WebhookContent {
  url: string;
  description: string | null;
  /** As they are written; null: all but opens and clicks. */
  types: string[] | null;
}

export const listWebhooks = inWorkspace(selectWebhooks);
export const requireWebhook = requires<WebhookRow>("Webhook", getWebhook);

/** Answers the secret, which is shown this once. */
export async function createWebhook(
  deps: Deps,
  principal: Principal,
  content: WebhookContent,
): Promise<WebhookRow & { plainSecret: string }> {
  await refuseUnlessPublic(deps, content.url);
  const owner = newOwned(deps, principal);
  const plainSecret = newSecret(deps);
  const secret = await deps.vault.seal(plainSecret, contextOf(owner.id));
  const row = await insertWebhook(deps.db, owner, { ...content, secret }, MOST_WEBHOOKS);
  if (row === undefined)
    throw conflict(
      "TOO_MANY_WEBHOOKS",
      `A workspace has ${MOST_WEBHOOKS} webhooks at most: delete one that is not used any more.`,
    );
  await announceReceiver(deps);
  return { ...row, plainSecret };
}

async function refuseUnlessPublic({ webhooks }: Deps, url: string): Promise<void> {
  const fault = await webhooks.check(url);
  if (fault !== null) throw unprocessable("WEBHOOK_URL_REFUSED", fault);
}

export async function changeWebhook(
  deps: Deps,
  principal: Principal,
  id: string,
  change: Partial<WebhookContent> & { status?: "active" | "paused" },
): Promise<WebhookRow> {
  const { db, clock } = deps;
  if (change.url !== undefined) await refuseUnlessPublic(deps, change.url);
  const row = await requireWebhook(deps, principal, id);
  if (change.status !== undefined && row.status === "disabled")
    throw conflict(
      "WEBHOOK_DISABLED",
      "This webhook is disabled: mend its receiver, then POST /enable.",
    );
  // What the old address answers, in the middle of a round too, says nothing of the new one.
  const changed =
    change.url === undefined || change.url === row.url
      ? await updateWebhook(db, principal.workspaceId, id, change, clock.now())
      : await restartWebhook(
          db,
          principal.workspaceId,
          id,
          { ...change, workerToken: null, leaseUntil: null },
          clock.now(),
        );
  await announceReceiver(deps);
  return requireFound(changed, "Webhook");
}

export async function removeWebhook({ db }: Deps, { workspaceId }: Principal, id: string) {
  if (!(await deleteWebhook(db, workspaceId, id))) throw notFound("Webhook");
}

/** Whatever stopped it, it is sent what it missed from now on. */
export async function enableWebhook(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<WebhookRow> {
  const active = { status: "active", disabledReason: null } as const;
  const row = await restartWebhook(deps.db, principal.workspaceId, id, active, deps.clock.now());
  await announceReceiver(deps);
  return requireFound(row, "Webhook");
}

/** The new secret, shown this once; the one before signs as well for a day. */
export async function rotateSecret(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<{ secret: string; previousUntil: Date }> {
  const secret = newSecret(deps);
  const now = deps.clock.now();
  const previousUntil = new Date(now.getTime() + SIGNS_ON_MS);
  const sealed = await deps.vault.seal(secret, contextOf(id));
  const attempt = async () => {
    const row = await requireWebhook(deps, principal, id);
    const set = afterRotation(row, sealed, previousUntil, now);
    return updateWebhook(deps.db, principal.workspaceId, id, set, now, { secret: row.secret });
  };
  const message = "The webhook's secret is being replaced by others; try again.";
  await retryWhileChanged(attempt, "CONFLICT", message);
  return { secret, previousUntil };
}

/** Sends an event of the type `webhook.test`, which stands in no feed, and answers what came back. */
export async function testWebhook(
  deps: Deps,
  principal: Principal,
  id: string,
): Promise<WebhookOutcome> {
  const row = await requireWebhook(deps, principal, id);
  return sendEvent(deps, row.url, await openSecrets(deps, row), {
    id: deps.ids.uuid(),
    type: "webhook.test",
    timestamp: deps.clock.now(),
    actor: {
      type: principal.via === "key" ? "key" : "user",
      id: principal.actor.split(":")[1] ?? null,
      name: null,
    },
    data: { webhook_id: id, url: `/api/v2/webhooks/${id}` },
  });
}

/** Answers how many; throws 422 where they are too many, and sends none. */
export async function replay(
  deps: Deps,
  principal: Principal,
  id: string,
  { since, until }: { since: Date; until: Date | null },
): Promise<number> {
  const now = deps.clock.now();
  const row = await requireWebhook(deps, principal, id);
  const order = { since, until: until ?? now, types: typesToSend(row), now };
  const count = await replayEvents(deps.db, row, { ...order, limit: REPLAYED_AT_ONCE });
  if (count > REPLAYED_AT_ONCE)
    throw unprocessable(
      "TOO_MANY_EVENTS",
      `These are more than ${REPLAYED_AT_ONCE} events: ask for a shorter time, by since and until.`,
    );
  await wakeReceivers(deps);
  return count;
}

export async function listDeliveries(
  deps: Deps,
  principal: Principal,
  id: string,
  order: {
    state?: WebhookDeliveryState | undefined;
    before?: { at: Date; id: string } | undefined;
    limit: number;
  },
): Promise<DeliveryRow[]> {
  await requireWebhook(deps, principal, id);
  return selectDeliveries(deps.db, id, order);
}

export async function redeliver(
  deps: Deps,
  principal: Principal,
  id: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  await requireWebhook(deps, principal, id);
  const row = await makeDue(deps.db, id, deliveryId, deps.clock.now());
  await wakeReceivers(deps);
  return requireFound(row, "Webhook delivery");
}
