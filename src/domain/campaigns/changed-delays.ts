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
  before: Campaign,
  after: Pick<Campaign, "steps" | "timezone" | "useLeadTimezone">,
): Promise<DelayPiece[]> {
  const delays = changedDelays(before.steps, after.steps);
  if (delays.length === 0 || before.launchedAt === null) return [];
  const zones = after.useLeadTimezone ? await zonesOfLeads(db, before.id) : [];
  const span = { from: before.launchedAt, until: clock.now() };
  return [...new Set(["", ...zones])].flatMap((zone) => {
    const clocks = knownZone(zoneOfLead(zone, after.timezone));
    return delays.flatMap((delay) =>
      piecesOf(delay, clocks, span).map((piece) => ({ step: delay.step, zone, ...piece })),
    );
  });
}

type Piece = Omit<DelayPiece, "step" | "zone">;

/** The pieces of all time, exact between the two instants. */
export function piecesOf(
  { before, after }: Pick<ChangedDelay, "before" | "after">,
  zone: string,
  { from, until }: { from: Date; until: Date },
): Piece[] {
  const startMs = Math.floor(from.getTime() / 1000) * 1000 - DAY_MS;
  const endMs = until.getTime() + DAY_MS;
  const edges = [startMs, ...edgesWithin([before, after], zone, startMs, endMs), Infinity];
  const pieces = edges.slice(0, -1).map((fromMs, index) => {
    const lastMs = Math.min(edges[index + 1]!, endMs) - 1000;
    return {
      from: index === 0 ? null : new Date(fromMs),
      was: dueIn(fromMs, lastMs, before, zone),
      due: dueIn(fromMs, lastMs, after, zone),
    };
  });
  const joined = pieces.filter(
    (piece, index) => index === 0 || !isAsBefore(piece, pieces[index - 1]!),
  );
  return joined.map((piece, index) => ({ ...piece, until: joined[index + 1]?.from ?? null }));
}

/** Where the clocks are set in between, and what falls due when they are: in front of and behind each the delay is another. */
function edgesWithin(delays: number[], zone: string, startMs: number, endMs: number): number[] {
  const until = new Date(endMs + (Math.max(...delays) + 1) * DAY_MS);
  const changes = offsetChanges(new Date(startMs), until, zone);
  const offsets = [
    wallMsAt(startMs, zone) - startMs,
    ...changes.map(({ after: offset }) => offset),
  ];
  const edges = changes.flatMap(({ atMs, before, after }) => [
    atMs,
    ...delays.flatMap((days) =>
      offsets.flatMap((offset) =>
        [before, after].map((shown) => atMs + shown - offset - days * DAY_MS),
      ),
    ),
  ]);
  const within = edges.filter((edge) => edge > startMs && edge < endMs);
  return [...new Set(within)].toSorted((a, b) => a - b);
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
