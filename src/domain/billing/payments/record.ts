import { findOrder, type OrderRow, recordOrderChange } from "#db/billing/payments.ts";
import type { Deps } from "#src/deps.ts";
import { retryWhileChanged } from "#src/domain/owned.ts";
import { type News, planChange } from "./plan-change.ts";

/** The effect of news about an order: `unchanged` when it was known, `unknown` when there is no such order. */
export type Recorded = "recorded" | "replayed" | "unchanged" | "unknown";

/**
 * The only writer of a provider's news to order, credits and plan: from a webhook, from an answer, from a
 * reconciliation. An event is stored even if it changes nothing, so that its repeat is recognised.
 */
export async function recordNews(
  deps: Deps,
  by: Parameters<typeof findOrder>[1],
  event: { id?: string; type: string },
  news: News,
): Promise<Recorded> {
  return retryWhileChanged(
    async () => {
      const order = await findOrder(deps.db, by);
      if (order === undefined) return "unknown";
      const { alarms, changes, ...change } = planChange(order, news);
      if (!changes && event.id === undefined) return "unchanged";
      const row = { id: event.id ?? deps.ids.uuid(), type: event.type, now: deps.clock.now() };
      const newId = () => deps.ids.uuid();
      const became = await recordOrderChange(deps.db, order, { ...row, newId }, change);
      if (became === "overtaken") return undefined;
      if (became === "recorded") logRecorded(deps, order, event, change, alarms);
      return became;
    },
    "PAYMENT_CHANGED",
    "The purchase is being changed by others; try again.",
  );
}

function logRecorded(
  { log }: Deps,
  order: OrderRow,
  { type }: { type: string },
  change: { status: string; moves: { kind: string; amount: number }[] },
  alarms: string[],
): void {
  const fields = { order_id: order.id, workspace_id: order.workspaceId, type };
  const moves = change.moves.map(({ kind, amount }) => ({ kind, amount }));
  log.info("payment_recorded", { ...fields, status: change.status, moves });
  if (alarms.length > 0) log.error("payment_mismatch", { ...fields, alarms });
}
