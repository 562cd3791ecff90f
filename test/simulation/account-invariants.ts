import { type AccountDay, budgetOf } from "#db/engine/index.ts";
import type { Budget } from "#db/schema/index.ts";
import { type EngineView, MAYBE, NOTHING, type SendView } from "./end-invariants.ts";
import type { BudgetTrace, LaneTrace, LeadTrace, Traces } from "./traces.ts";
import { wallOf } from "./wall-clock.ts";
import type { AttemptEntry, Violation, WireEntry } from "./wire.ts";

const DAY_MS = 86_400_000;
const WEEK = 7;
/** Networks leave an account that pays nothing so many in a week. */
const WEEKLY_CONNECTIONS = 100;
/** What was claimed before it was known, or came back after, may try the network once more. */
const TRIES_AFTER_SPENT = 2;

type Violate = (invariant: string, text: string, entry: AttemptEntry) => void;

/** The parts of an account's day and week, by what reached the network and by nothing that the engine keeps. */
export function createAccountChecks({ timezone, leads, lanes }: Traces, violate: Violate) {
  const budgetIn = ({ campaign }: LeadTrace, { step }: AttemptEntry): Budget =>
    budgetOf(campaign.data.steps[step - 1]);
  /** Null for mail. */
  const partOf = (entry: AttemptEntry, lead: LeadTrace, lane: LaneTrace): BudgetTrace | null => {
    const budget = budgetIn(lead, entry);
    return lane.data.account === null || budget === "" ? null : lane.budgets[budget];
  };
  const hasMoved = () => timezone.since(-Infinity).length > 1;
  const zoneAt = (no: number) => timezone.at(no);

  function onTry(entry: AttemptEntry, lead: LeadTrace, lane: LaneTrace): void {
    const part = partOf(entry, lead, lane);
    if (part?.spent == null || entry.beganNo < part.spent.no || hasMoved()) return;
    if (wallOf(entry.beganAt, zoneAt(entry.beganNo)).date !== part.spent.date) return;
    part.spent.triedSince++;
    if (part.spent.triedSince > TRIES_AFTER_SPENT)
      violate(
        "a used-up budget rests",
        `try ${part.spent.triedSince} after it was called so`,
        entry,
      );
  }

  function onAction(entry: WireEntry, lead: LeadTrace, lane: LaneTrace): void {
    onTry(entry, lead, lane);
    const part = partOf(entry, lead, lane);
    if (part === null) return;
    const [zone, ...later] = timezone.since(entry.claimNo) as [string, ...string[]];
    const day = part.sent.add(entry.beganAt, later.at(-1) ?? zone);
    if (day === null || later.length > 0) return;
    const budget = budgetIn(lead, entry) as "connection" | "message";
    const cap = capOn(lane.data.account!, budget, day.date, { zone, slack: hasMoved() ? 1 : 0 });
    if (day.count > cap)
      violate("budgets per day", `${budget} ${day.count} of ${cap} on ${day.date}`, entry);
    part.byDate.set(day.date, day.count);
    if (budget === "connection" && !hasMoved()) checkWeek(entry, part, day.date);
  }

  function checkWeek(entry: WireEntry, { byDate }: BudgetTrace, date: string): void {
    const last = Date.parse(date);
    let count = 0;
    for (let back = 0; back < WEEK; back++)
      count += byDate.get(new Date(last - back * DAY_MS).toISOString().slice(0, 10)) ?? 0;
    if (count > WEEKLY_CONNECTIONS)
      violate("budgets per week", `${count} connections in the seven dates to ${date}`, entry);
  }

  function onSpent(entry: AttemptEntry, no: number): void {
    const part = partOf(entry, leads.get(entry.leadId)!, lanes.get(entry.laneId)!);
    const { date } = wallOf(entry.at, zoneAt(no));
    const isToday = wallOf(entry.beganAt - 200_000, zoneAt(no)).date === date;
    if (part !== null && isToday && part.spent?.date !== date)
      part.spent = { date, no, triedSince: 0 };
  }

  return { onAction, onTry, onSpent };
}

const PLACES: Record<"used" | "connectionsUsed", (send: SendView) => boolean> = {
  used: () => true,
  connectionsUsed: ({ budget }) => budget === "connection",
};

/**
 * What accounts have used of their days, and of those as connections, is what the ledger has; each attempt that was
 * refused and counted may have taken a place of its own. With another time zone the days are others.
 */
export function checkAccounts(
  { lanes, sends }: EngineView,
  { timezone, violations }: Pick<Traces, "timezone"> & { violations: Violation[] },
  refusedSince: (laneId: string, from: number) => number,
): void {
  if (timezone.since(-Infinity).length > 1) return;
  const own = new Map<string, SendView[]>();
  for (const send of sends) own.set(send.laneId, [...(own.get(send.laneId) ?? []), send]);
  for (const lane of lanes) {
    if (lane.kind !== "socialnet" || lane.dayFrom === null) continue;
    const today = (own.get(lane.id) ?? []).filter((send) => send.laneDayUntil === lane.dayUntil);
    const refused = refusedSince(lane.id, lane.dayFrom);
    for (const [column, counts] of Object.entries(PLACES) as [
      keyof typeof PLACES,
      (send: SendView) => boolean,
    ][]) {
      const places = today.filter(counts).map(({ state }) => state);
      const least = places.filter((state) => MAYBE.has(state)).length;
      const most = places.filter((state) => !NOTHING.has(state)).length + refused;
      if (lane[column] >= least && lane[column] <= most) continue;
      const text = `${column} of the account's day is ${lane[column]}; the ledger has ${least} to ${most}`;
      violations.push({ invariant: "counters, ledger and wire agree", text, laneId: lane.id });
    }
  }
}

/** A fifth of the limit on the date on which its warm-up begins, all of it when that is over. */
function capOn(
  account: AccountDay,
  budget: "connection" | "message",
  date: string,
  { zone, slack }: { zone: string; slack: number },
): number {
  const limit = budget === "connection" ? account.dailyConnectionLimit : account.dailyMessageLimit;
  const { warmupDays, warmupFrom } = account;
  const first = warmupFrom === null ? date : wallOf(warmupFrom.getTime(), zone).date;
  const day = Math.max(0, (Date.parse(date) - Date.parse(first)) / DAY_MS) + slack;
  const share = warmupDays === 0 ? 1 : 0.2 + 0.8 * Math.min(1, day / warmupDays);
  return Math.ceil(limit * share - 1e-6);
}
