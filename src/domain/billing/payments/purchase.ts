import { openOrder, type OrderColumns } from "#db/billing/payments.ts";
import { isClosed } from "#db/billing/order-checks.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { type Pack, PACKS } from "#src/domain/billing/credits/packs.ts";
import { newOwned, retryWhileChanged } from "#src/domain/owned.ts";
import { unprocessable } from "#src/errors.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import {
  type CheckoutSession,
  type Payments,
  PaymentsFailure,
} from "#src/providers/payments/index.ts";
import { attendToOrder } from "./attend.ts";
import { faultsOf } from "./plan-change.ts";
import { failed, orUpstreamError, requirePayments } from "./provider.ts";
import { recordNews } from "./record.ts";

export interface PurchaseInput {
  packId: Pack["id"];
  successUrl: string;
  cancelUrl: string;
}

export interface Purchase {
  order: Pick<OrderColumns, "packId" | "credits" | "amountCents" | "currency" | "expiresAt">;
  sessionId: string;
  checkoutUrl: string;
}

/** Stripe takes at most 24 hours from when it makes the session, by its own clock. */
const SESSION_MS = 23 * 3_600_000;
/** From then on the provider is asked, and not only listened to. */
const FIRST_CHECK_MS = 15 * 60_000;
/** A click gets a session with as much time left: Stripe makes none that ends within half an hour. */
const LEAST_LEFT_MS = 3_600_000;

/**
 * Opens the page on which a pack is paid. The order stands before the provider hears of it, and its id is the
 * idempotency key: whatever is lost on the way, and however often it is clicked, one purchase has one session
 * until that is paid, ends, or the customer asks for something else.
 */
export async function purchaseCredits(
  deps: Deps,
  principal: Principal,
  input: PurchaseInput,
): Promise<Purchase> {
  const payments = requirePayments(deps);
  refuseOtherHosts(deps, input);
  return retryWhileChanged(
    async () => {
      const order = await takeOrder(deps, principal, input);
      if (order === undefined) return undefined;
      const session = await sessionOf(deps, payments, order);
      if (session?.state !== "open") return undefined;
      if (order.sessionId === null && (await wasClosed(deps, payments, order.id))) return undefined;
      // A customer is never sent to a session that differs from the order.
      if (session.url === null || faultsOf(order, session).length > 0) throw failed();
      return { order, sessionId: session.id, checkoutUrl: session.url };
    },
    "PAYMENT_CHANGED",
    "This purchase is being changed by others; try again.",
  );
}

function refuseOtherHosts({ settings }: Deps, { successUrl, cancelUrl }: PurchaseInput): void {
  const hosts = settings.purchaseReturnHosts;
  const isForeign = (url: string) =>
    !(hosts ?? [new URL(url).hostname]).includes(new URL(url).hostname);
  if (isForeign(successUrl) || isForeign(cancelUrl))
    throw unprocessable(
      "VALIDATION_ERROR",
      "success_url and cancel_url must be on a host that this deployment lets customers return to.",
    );
}

/** The order of this click, or of an earlier one that meant the same. */
async function takeOrder(
  deps: Deps,
  principal: Principal,
  input: PurchaseInput,
): Promise<OrderColumns | undefined> {
  const { credits, amountCents, currency } = PACKS.find(({ id }) => id === input.packId)!;
  const { packId, successUrl, cancelUrl } = input;
  const terms = { packId, credits, amountCents, currency, successUrl, cancelUrl };
  const owned = newOwned(deps, principal);
  const after = (ms: number) => new Date(Math.floor((owned.now.getTime() + ms) / 1000) * 1000);
  return openOrder(
    deps.db,
    {
      ...owned,
      ...terms,
      clickKey: await sha256Hex(JSON.stringify([owned.workspaceId, ...Object.values(terms)])),
      expiresAt: after(SESSION_MS),
      checkAt: new Date(owned.now.getTime() + FIRST_CHECK_MS),
    },
    after(LEAST_LEFT_MS),
  );
}

/** The order's session as it is now, recorded; null when the order has ended with it. */
async function sessionOf(
  deps: Deps,
  payments: Payments,
  order: OrderColumns,
): Promise<CheckoutSession | null> {
  const record = (type: string, news: Parameters<typeof recordNews>[3]) =>
    recordNews(deps, { id: order.id }, { type }, news);
  const isNew = order.sessionId === null;
  try {
    const session = await (order.sessionId === null
      ? payments.createSession({ ...order, orderId: order.id })
      : payments.getSession(order.sessionId));
    await record("session_read", { session });
    return session;
  } catch (error) {
    const isOver =
      error instanceof PaymentsFailure && (isNew ? NO_SESSION : NO_MORE_SESSION).has(error.kind);
    if (isOver) await record("session_refused", { ended: "failed" });
    if (isOver && !isNew) return null;
    return orUpstreamError(deps, Promise.reject(error));
  }
}

/** A workspace's deletion while the provider made the page could not know of the page: then it is ended here. */
async function wasClosed(deps: Deps, payments: Payments, id: string): Promise<boolean> {
  const isGone = await isClosed(deps.db, id);
  if (isGone) deps.background(attendToOrder(deps, payments, id));
  return isGone;
}

/** After these the key of an order never brings a session: the next click begins with another. */
const NO_SESSION = new Set<PaymentsFailure["kind"]>(["refused", "not_found", "broken"]);
const NO_MORE_SESSION = new Set<PaymentsFailure["kind"]>(["not_found"]);
