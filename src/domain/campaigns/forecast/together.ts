import { loadSnapshot } from "#db/engine/snapshot.ts";
import type { FirstLeads } from "#db/engine/snapshot-places.ts";
import { closedNotes } from "#db/network/notes.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { type PlannedSend, runAhead } from "#src/domain/engine/run-ahead.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { knownZone, localDate } from "#src/platform/time-zone.ts";
import {
  countDays,
  type ForecastDay,
  LEADS_PER_CAMPAIGN,
  MAX_SENDS,
  modelOf,
  ranOut,
} from "./forecast.ts";
import { because, type Reason } from "./reason.ts";

/** What all running campaigns of a workspace send, in one look ahead. */
export interface Ahead {
  generatedAt: Date;
  /** Up to here every message is known; beyond, none is told. */
  until: Date;
  timezone: string;
  sends: PlannedSend[];
  /** Why it is not all of what was asked for, or not exact; none where it is both. */
  reasons: Reason[];
}

/** How far into the leads of each queue, the nearest first. */
const DEPTHS: readonly Omit<FirstLeads, "days">[] = [
  { newLeads: 200, followUps: 20 },
  { newLeads: 600, followUps: 60 },
  { newLeads: 2_000, followUps: 200 },
  { newLeads: LEADS_PER_CAMPAIGN, followUps: LEADS_PER_CAMPAIGN },
];

/** Of all campaigns together: what a Worker has room for, and reads within a second. */
const MOST_LEADS = 50_000;

interface AheadLook {
  days: number;
  maxSends: number;
  /** Made for each run: asked after each tick, true when the caller knows enough. */
  enough?: () => (sends: readonly PlannedSend[]) => boolean;
  mostLeads?: number;
  depths?: readonly Omit<FirstLeads, "days">[];
}

/**
 * The engine run ahead over every running campaign at once, so that they share their senders as they will. Where that is
 * too much, it is answered as far as it is exact.
 */
export async function lookAheadTogether(
  { db, clock, settings }: Pick<Deps, "db" | "clock" | "settings">,
  workspaceId: string,
  {
    days,
    maxSends,
    enough = () => () => false,
    mostLeads = MOST_LEADS,
    depths: asDeep = DEPTHS,
  }: AheadLook,
  load = loadSnapshot,
): Promise<Ahead> {
  const now = clock.now();
  const asked = new Date(now.getTime() + days * DAY_MS);
  const notes = await closedNotes(db, workspaceId, now);
  // What waits for notes moves between queues, so that the first leads of each are others: all are read, where they fit.
  const depths = [
    ...(notes.size > 0 ? [null] : []),
    ...asDeep.map((depth) => ({ ...depth, days: days + 1 })),
  ];
  let known: Ahead | null = null;
  for (const first of depths) {
    const snapshot = await load(db, {
      ...{ workspaceId, campaignId: null, notLaunchedDueAt: null, now, first, mostLeads },
      leadsPerCampaign: LEADS_PER_CAMPAIGN,
    });
    const isGuess = notes.size > 0 && first !== null;
    const upTo = (until: Date, sends: readonly PlannedSend[], why: Reason[]): Ahead => ({
      generatedAt: now,
      until,
      timezone: knownZone(snapshot.workspaceTimezone),
      sends: sends.filter(({ at }) => at < until),
      reasons: isGuess ? [NOTES, ...why] : why,
    });
    if (snapshot.isCut || snapshot.cutCampaigns.length > 0) {
      known ??= upTo(now, [], [tooMany("leads", mostLeads, now)]);
      if (first === null) continue;
      break;
    }
    const model = modelOf(snapshot, notes);
    const isEnough = enough();
    let last = now;
    const sends = await runAhead(model, now, {
      until: asked,
      periodSeconds: settings.tick.periodSeconds,
      maxSends,
      isEnough(all, firedAt) {
        last = firedAt;
        return ranOut(model) || isEnough(all);
      },
    });
    if (ranOut(model)) known = upTo(last, sends, [tooMany("leads", mostLeads, last)]);
    else if (sends.length >= maxSends)
      return upTo(last, sends, [tooMany("messages", maxSends, last)]);
    else return upTo(asked, sends, []);
  }
  return known!;
}

const tooMany = (what: "leads" | "messages", most: number, until: Date): Reason =>
  because(
    `too_many_${what}`,
    `More than ${most} ${what} would have to be looked at; what comes after this instant is not counted.`,
    until,
  );

const NOTES = because(
  "notes_used_up",
  "A network takes no notes of an account for now, and too many leads wait to look at each: some messages may be missing.",
);

export interface WorkspaceForecast extends Omit<Ahead, "sends"> {
  days: WorkspaceDay[];
}

export interface WorkspaceDay extends ForecastDay {
  /** Campaigns, the one that sends most first. */
  campaigns: { campaignId: string; sends: number }[];
}

/** What the engine will send for all running campaigns, by the dates of the workspace's zone. */
export async function forecastWorkspace(
  deps: Deps,
  { workspaceId }: Principal,
  days: number,
): Promise<WorkspaceForecast> {
  const { sends, ...ahead } = await lookAheadTogether(deps, workspaceId, {
    days,
    maxSends: MAX_SENDS,
  });
  const byDate = new Map<string, PlannedSend[]>();
  for (const send of sends) {
    const date = localDate(send.at, ahead.timezone);
    const ofDay = byDate.get(date) ?? [];
    ofDay.push(send);
    byDate.set(date, ofDay);
  }
  return {
    ...ahead,
    days: [...byDate.values()].flatMap((ofDay) =>
      countDays(ofDay, ahead.timezone).map((day) => ({ ...day, campaigns: byCampaign(ofDay) })),
    ),
  };
}

function byCampaign(sends: readonly PlannedSend[]): WorkspaceDay["campaigns"] {
  const counts = new Map<string, number>();
  for (const { campaignId } of sends) counts.set(campaignId, (counts.get(campaignId) ?? 0) + 1);
  return [...counts]
    .map(([campaignId, count]) => ({ campaignId, sends: count }))
    .sort((a, b) => b.sends - a.sends || (a.campaignId < b.campaignId ? -1 : 1));
}
