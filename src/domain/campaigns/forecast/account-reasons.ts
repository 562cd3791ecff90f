import type { AccountInputs, QueueInputs, SenderInputs } from "#db/engine/sending-inputs.ts";
import type { AccountState } from "#db/schema/index.ts";
import { because, type Reason } from "./reason.ts";

const NOT_CONNECTED: Record<Exclude<AccountState, "connected">, string> = {
  disconnected: "is not connected any more; connect it again",
  error: "cannot be reached at the network's provider, which is asked again",
  reconnecting: "is being connected again",
};

/** Why an account that is not connected does nothing. */
export function accountWords({
  name,
  status,
  checkpointPending,
  lastError,
}: Omit<AccountInputs, "day" | "rateLimitedUntil" | "notesRefusal">): string {
  if (checkpointPending) return `${name} waits for its owner to answer the network's challenge.`;
  const why = lastError === null ? "" : ` ${lastError}`;
  return status === "connected"
    ? `${name} is closed.${why}`
    : `${name} ${NOT_CONNECTED[status]}.${why}`;
}

/** An account's limits and uses of today, by budget. */
export interface BudgetsToday {
  connections: { used: number; cap: number };
  messages: { used: number; cap: number };
}

export function budgetsOf(
  { used, connectionsUsed }: Pick<SenderInputs, "used" | "connectionsUsed">,
  { capToday, connectionCapToday }: { capToday: number; connectionCapToday: number },
): BudgetsToday {
  return {
    connections: { used: connectionsUsed, cap: connectionCapToday },
    messages: { used: used - connectionsUsed, cap: capToday - connectionCapToday },
  };
}

const isSpent = ({ used, cap }: { used: number; cap: number }): boolean => used >= cap;

/** The budgets that an account has used up, where no step is due that takes from its other budget. */
export function budgetReasons(
  name: string,
  budgets: BudgetsToday,
  { connectionsDue, messagesDue }: Pick<QueueInputs, "connectionsDue" | "messagesDue">,
  { dayUntil, lastError }: { dayUntil: Date | null; lastError: string | null },
): Reason[] {
  const { connections, messages } = budgets;
  const wants = { connections: connectionsDue > 0, messages: messagesDue > 0 };
  const isFree =
    (wants.connections && !isSpent(connections)) || (wants.messages && !isSpent(messages));
  const isIdle = !wants.connections && !wants.messages;
  if (isFree || (isIdle && !(isSpent(connections) && isSpent(messages)))) return [];
  const spent = (budget: BudgetsToday["messages"], of: string) =>
    because("sender_cap_reached", spentWords(name, budget, of, lastError), dayUntil);
  const reasons: Reason[] = [];
  if ((wants.connections || isIdle) && isSpent(connections))
    reasons.push(spent(connections, "connection requests"));
  if ((wants.messages || isIdle) && isSpent(messages))
    reasons.push(spent(messages, "messages and profile views"));
  return reasons;
}

/** A budget that the network closed before anything was taken from it is none that was used up. */
function spentWords(
  name: string,
  { used, cap }: { used: number; cap: number },
  of: string,
  lastError: string | null,
): string {
  if (cap > 0) return `${name} has used ${used} of its ${cap} ${of} of today.`;
  return `${name} has no ${of} left today${lastError === null ? "" : `: ${lastError}`}.`;
}
