import { type DelayPiece, type PieceDue, zonesOfLeads } from "#db/campaigns/settle-delays.ts";
import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { Step } from "#db/schema/index.ts";
import type { Deps } from "#src/deps.ts";
import { stepDueAt, zoneOfLead } from "#src/domain/engine/window.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { knownZone, offsetChanges, wallMsAt } from "#src/platform/time-zone.ts";

/** Of a step: how long one was to wait in its place, and how long now. */
interface ChangedDelay {
  step: number;
  before: number;
  after: number;
}

/** The places behind the first whose step waits for another time than before; what the first counts from is long over. */
export const changedDelays = (before: readonly Step[], after: readonly Step[]): ChangedDelay[] =>
  after.slice(1).flatMap(({ step, delay_days }) => {
    const was = before[step - 1]?.delay_days;
    return was === undefined || was === delay_days
      ? []
      : [{ step, before: was, after: delay_days }];
  });

/**
 * When leads that wait for these steps fall due, by when their last message went out: in each of their zones the pieces
 * of time within which a delay is as many seconds. Time zones are known here and not in the database, which has the leads.
 */
export async function delayPieces(
  { db, clock }: Pick<Deps, "db" | "clock">,
  before: Clocked & Pick<Campaign, "id" | "steps" | "launchedAt">,
  after: Clocked & Pick<Campaign, "steps">,
): Promise<DelayPiece[]> {
  const delays = changedDelays(before.steps, after.steps);
  if (delays.length === 0 || before.launchedAt === null) return [];
  const goesByLeads = before.useLeadTimezone || after.useLeadTimezone;
  const zones = goesByLeads ? await zonesOfLeads(db, before.id) : [];
  const span = { from: before.launchedAt, until: clock.now() };
  return [...new Set(["", ...zones])].flatMap((zone) => {
    const clocks = { before: clocksIn(zone, before), after: clocksIn(zone, after) };
    return delays.flatMap((delay) =>
      piecesOf(delay, clocks, span).map((piece) => ({ step: delay.step, zone, ...piece })),
    );
  });
}

type Clocked = Pick<Campaign, "timezone" | "useLeadTimezone">;

/** The zone by whose clocks leads of `zone` are planned. */
const clocksIn = (zone: string, { timezone, useLeadTimezone }: Clocked): string =>
  knownZone(useLeadTimezone ? zoneOfLead(zone, timezone) : timezone);

type Piece = Omit<DelayPiece, "step" | "zone">;

/** The pieces of all time, exact between the two instants; each delay by the clocks of its own zone. */
export function piecesOf(
  { before, after }: Pick<ChangedDelay, "before" | "after">,
  zones: { before: string; after: string },
  { from, until }: { from: Date; until: Date },
): Piece[] {
  const startMs = Math.floor(from.getTime() / 1000) * 1000 - DAY_MS;
  const endMs = until.getTime() + DAY_MS;
  const within = new Set([
    ...edgesWithin(before, zones.before, startMs, endMs),
    ...edgesWithin(after, zones.after, startMs, endMs),
  ]);
  const edges = [startMs, ...[...within].toSorted((a, b) => a - b), Infinity];
  const pieces = edges.slice(0, -1).map((fromMs, index) => {
    const lastMs = Math.min(edges[index + 1]!, endMs) - 1000;
    return {
      from: index === 0 ? null : new Date(fromMs),
      was: dueIn(fromMs, lastMs, before, zones.before),
      due: dueIn(fromMs, lastMs, after, zones.after),
    };
  });
  const joined = pieces.filter(
    (piece, index) => index === 0 || !isAsBefore(piece, pieces[index - 1]!),
  );
  return joined.map((piece, index) => ({ ...piece, until: joined[index + 1]?.from ?? null }));
}

/** Where the clocks are set in between, and what falls due when they are: in front of and behind each the delay is another. */
function edgesWithin(days: number, zone: string, startMs: number, endMs: number): number[] {
  const until = new Date(endMs + (days + 1) * DAY_MS);
  const changes = offsetChanges(new Date(startMs), until, zone);
  const offsets = [
    wallMsAt(startMs, zone) - startMs,
    ...changes.map(({ after: offset }) => offset),
  ];
  const edges = changes.flatMap(({ atMs, before, after }) => [
    atMs,
    ...offsets.flatMap((offset) =>
      [before, after].map((shown) => atMs + shown - offset - days * DAY_MS),
    ),
  ]);
  return edges.filter((edge) => edge > startMs && edge < endMs);
}

/** So long after each message of a piece, or, where the clocks skip what would be its time, at one instant. */
function dueIn(fromMs: number, lastMs: number, days: number, zone: string): PieceDue {
  const first = stepDueAt(new Date(fromMs), days, zone).getTime();
  const last = stepDueAt(new Date(lastMs), days, zone).getTime();
  return last > first || lastMs <= fromMs
    ? { afterMs: first - fromMs, at: null }
    : { afterMs: null, at: new Date(first) };
}

const isAsBefore = (a: Pick<Piece, "was" | "due">, b: Pick<Piece, "was" | "due">): boolean =>
  [
    [a.was, b.was],
    [a.due, b.due],
  ].every(
    ([one, other]) =>
      one!.afterMs === other!.afterMs && one!.at?.getTime() === other!.at?.getTime(),
  );
