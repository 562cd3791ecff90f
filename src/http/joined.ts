import type { Principal } from "#src/deps.ts";
import type { AppContext } from "./context.ts";
import { enforceQuota } from "./rate-limit.ts";

const isSame = (a: Principal, b: Principal): boolean =>
  a.workspaceId === b.workspaceId &&
  a.userId === b.userId &&
  a.plan === b.plan &&
  a.role === b.role;

/**
 * Works on a request while its key is checked and counted, so that a read waits for the database once. Nothing of the
 * work is told before both agree: 401 comes before 429, and 429 before what the work found. What was begun for another
 * user or plan than the key has now is thrown away, and done anew.
 */
export async function joined<T>(c: AppContext, work: () => Promise<T>): Promise<T> {
  const checked = c.get("checked");
  if (checked === undefined) return work();
  const remembered = c.get("principal")!;
  const begun = work();
  // It may fail before the others agree; what failed is told behind them.
  begun.catch(() => {});
  try {
    const principal = await checked;
    await enforceQuota(c, principal, undefined);
    if (isSame(principal, remembered)) return await begun;
    c.set("principal", principal);
  } catch (error) {
    drop(begun);
    throw error;
  }
  drop(begun);
  return work();
}

/** What it would stream is not read. */
function drop(begun: Promise<unknown>): void {
  void begun
    .then((result) => (result instanceof Response ? result.body?.cancel() : undefined))
    .catch(() => {});
}
