import type { Route } from "./channel.ts";
import type { Held } from "./connections.ts";
import type { PaceOf } from "./pace.ts";

/** A claimed send that waits for its begin. */
export interface Waiting {
  route: Route;
  beginsAt: Date;
}

/** Some places, and how many of them these handovers may hold. */
interface Limit {
  counts(route: Route): boolean;
  most: number;
}

/** A send without a connection for as long as late handovers (`behind`) hold theirs. */
export interface ShutOut<Send> {
  send: Send;
  behind: Held[];
}

/**
 * Deals out the connections on which messages are handed over. How long a mail server takes to answer is not known
 * before, so that while other accounts and workspaces have something to send
 *
 * - one account, and one workspace, holds at most half of the connections (three of five);
 * - a workspace's servers that have not proved prompt hold at most the smaller half (two), those of all workspaces
 *   together at most the larger;
 * - late servers hold at most the smaller half, over all workspaces.
 *
 * So a prompt server has room beside any number of slow ones. `hasMore`: more sends are due than those given here, and
 * the limits hold as if other workspaces and prompt servers were among them.
 */
export function assignConnections<Send extends Waiting>(
  waiting: readonly Send[],
  held: readonly Held[],
  { places, paceOf, hasMore, now }: { places: number; paceOf: PaceOf; hasMore: boolean; now: Date },
): { due: Send[]; shutOut: ShutOut<Send>[] } {
  const dueNow = waiting.filter(({ beginsAt }) => beginsAt <= now);
  // Too few to come to any limit, and no other is looked at: thousands may wait for their slots.
  if (held.length + dueNow.length < smallerOf(places)) return { due: dueNow, shutOut: [] };
  const limitsOn = createLimits(waiting, { places, paceOf, hasMore });
  const taken: { route: Route; held?: Held }[] = held.map((one) => ({
    route: one.route,
    held: one,
  }));
  const due: Send[] = [];
  const shutOut: ShutOut<Send>[] = [];
  const isAnyLate = held.some((one) => one.isLate);
  for (const send of waiting) {
    // Nothing more is due, and without a late handover nothing is shut out: of a large batch most wait like this.
    if (taken.length >= places && !isAnyLate) break;
    const inTheWay = limitsOn(send.route)
      .map(({ counts, most }) => ({ most, those: taken.filter(({ route }) => counts(route)) }))
      .filter(({ those, most }) => those.length >= most);
    if (inTheWay.length === 0) {
      if (send.beginsAt > now) continue;
      due.push(send);
      taken.push({ route: send.route });
      continue;
    }
    const behind = inTheWay
      .map(({ those }) => those.flatMap(({ held: one }) => (one?.isLate === true ? [one] : [])))
      .find((late, index) => late.length === inTheWay[index]!.those.length);
    if (behind !== undefined) shutOut.push({ send, behind });
  }
  return { due, shutOut };
}

const smallerOf = (places: number): number => Math.max(1, Math.floor(places / 2));

function createLimits(
  waiting: readonly Waiting[],
  { places, paceOf, hasMore }: { places: number; paceOf: PaceOf; hasMore: boolean },
): (route: Route) => Limit[] {
  const larger = Math.ceil(places / 2);
  const smaller = smallerOf(places);
  const routes = waiting.map(({ route }) => route);
  const isShared = (of: (route: Route) => string) => new Set(routes.map(of)).size > 1;
  const byAccount = isShared(({ account }) => account);
  const byWorkspace = isShared(({ workspaceId }) => workspaceId);
  const isPrompt = (route: Route) => paceOf(route) === "prompt";
  const isLate = (route: Route) => paceOf(route) === "late";
  const hasPrompt = hasMore || routes.some(isPrompt);
  const hasOthers = hasMore || routes.some((route) => !isLate(route));
  return (route) => {
    const { account, workspaceId } = route;
    const limits: Limit[] = [];
    const add = (applies: boolean, most: number, counts: Limit["counts"]) => {
      if (applies) limits.push({ counts, most });
    };
    const isOwn = (other: Route) => other.workspaceId === workspaceId;
    add(true, places, () => true);
    add(byAccount, larger, (other) => other.account === account);
    add(byWorkspace, larger, isOwn);
    const pace = paceOf(route);
    if (pace === "prompt") return limits;
    add(byWorkspace || hasMore, smaller, (other) => isOwn(other) && !isPrompt(other));
    add(hasPrompt, larger, (other) => !isPrompt(other));
    add(pace === "late" && hasOthers, smaller, isLate);
    return limits;
  };
}
