import { ROLLED_AT_ONCE, type Rollovers, type SendStore } from "#db/engine/index.ts";
import { laneDayOf } from "./lane-day.ts";
import { NO_WORKER, nextStepOf } from "./outcome.ts";
import { record } from "./record.ts";
import {
  ownWindow,
  type SendingWindow,
  type WindowInterval,
  windowInterval,
  windowInZone,
} from "./window.ts";

/** An unknown send without evidence for this long counts as sent. */
export const ASSUME_SENT_AFTER_MS = 24 * 3_600_000;

/** What has to be true before lanes are claimed: no dead leases, today's counters, current window pieces. Answers as `rollOverDue` does. */
export async function maintain(
  store: SendStore,
  now: Date,
  until: Date,
  touched: Set<string>,
): Promise<boolean> {
  for (const { campaignId } of await store.sweep(now)) touched.add(campaignId);
  await assumeSent(store, now, touched);
  return rollOverDue(store, now, until, touched);
}

async function assumeSent(store: SendStore, now: Date, touched: Set<string>): Promise<void> {
  const overdue = await store.overdueUnknown(new Date(now.getTime() - ASSUME_SENT_AFTER_MS));
  if (overdue.length === 0) return;
  for (const { campaignId } of overdue) touched.add(campaignId);
  const reason = "No sign within a day of whether this message arrived; counted as sent.";
  const outcomes = overdue.map((send) => ({
    id: send.id,
    kind: "assumed" as const,
    reason,
    ...nextStepOf(send.step, send.transmittingAt, send),
  }));
  await record(store, now, NO_WORKER, outcomes);
}

/** At midnight all campaigns that are open all day are due: 50,000 of them in a tick. */
const ROUNDS = 100;

/**
 * Window arithmetic is done here, once per interval and day; SQL compares instants only. Answers whether more lanes may
 * be due: these wait for the next claim, which others' messages need not.
 */
export async function rollOverDue(
  store: SendStore,
  now: Date,
  until: Date,
  touched: Set<string>,
): Promise<boolean> {
  for (let round = 0; ; round++) {
    const { lanes, campaigns, zones } = await rollOverSome(store, now, until, touched);
    if (Math.max(campaigns, zones) < ROLLED_AT_ONCE || round === ROUNDS)
      return lanes === ROLLED_AT_ONCE;
  }
}

/** Answers how many of each were due. */
async function rollOverSome(
  store: SendStore,
  now: Date,
  until: Date,
  touched: Set<string>,
): Promise<Record<keyof Rollovers, number>> {
  const due = await store.dueRollovers(now, until);
  // Once per interval of window a campaign is asked whether it is done: its last lead may have ended outside of a tick.
  for (const { id } of due.campaigns) touched.add(id);
  const campaigns = due.campaigns.map(({ id, openUntil, ...window }) => ({
    id,
    ...intervalAt(ownWindow(window), now),
    after: openUntil,
  }));
  const zones = due.zones.map(({ campaignId, zone, openUntil, ...window }) => ({
    campaignId,
    zone,
    ...intervalAt(windowInZone(window, zone), now),
    after: openUntil,
  }));
  const lanes = due.lanes.map(laneDayOf);
  if (campaigns.length + zones.length + lanes.length > 0)
    await store.rollOver(now, lanes, campaigns, zones);
  return { lanes: lanes.length, campaigns: campaigns.length, zones: zones.length };
}

const intervalAt = (window: SendingWindow, now: Date): WindowInterval =>
  windowInterval(window, now) ?? closedInterval(now);

const LOOK_AGAIN_MS = 3_600_000;

/** For a window that never opens: an empty interval, so that the campaign is looked at once an hour and not by every tick. */
function closedInterval(now: Date): WindowInterval {
  const at = new Date(now.getTime() + LOOK_AGAIN_MS);
  return { openFrom: at, openUntil: at, day: at.toISOString().slice(0, 10) };
}
