import { FULL, GROWS_EACH_MS, HOUR_MS, LEAST } from "#db/engine/operator-rates.ts";
import type { Lane, Lead, OperatorRate, Send } from "./rows.ts";
import type { State } from "./state.ts";

const NOTHING: readonly string[] = [];

/** The end of the pair's slowness. */
export const fullAt = ({ perHour, changedAt }: Pick<OperatorRate, "perHour" | "changedAt">) =>
  changedAt + (FULL - perHour) * GROWS_EACH_MS;

/** Messages an hour at that instant; not above `FULL`. */
export const rateAt = (rate: OperatorRate, at: number): number =>
  fullAt(rate) > at ? rate.perHour + Math.floor((at - rate.changedAt) / GROWS_EACH_MS) : FULL;

const gapOf = (perHour: number): number => Math.floor(HOUR_MS / perHour);

const until = (rate: OperatorRate): number => Math.min(rate.nextAt, fullAt(rate));

const ratesOf = ({ rates }: State, { domainId }: Lane) =>
  domainId === null ? undefined : rates.get(domainId);

/** The operators to which the lane may not write at that instant, sorted. */
export function barredAt(state: State, lane: Lane, at: number): readonly string[] {
  const rates = ratesOf(state, lane);
  if (rates === undefined) return NOTHING;
  return [...rates].flatMap(([operator, rate]) => (until(rate) > at ? [operator] : [])).sort();
}

/** When the first of them may be written to again; null for none. */
export function barredUntil(state: State, lane: Lane, at: number): number | null {
  const ends = [...(ratesOf(state, lane)?.values() ?? [])].map(until).filter((end) => end > at);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Whether a sender of which these operators are barred may write to the lead. */
export const notBarred = ({ operator }: Lead, barred: readonly string[]): boolean =>
  !barred.includes(operator);

/** The slow pair that the send goes to. */
export function paceOf(state: State, { lane, lead }: Send, at: number): OperatorRate | null {
  if (lane.kind !== "email" || lead.emailKey === null) return null;
  const rate = ratesOf(state, lane)?.get(lead.operator);
  return rate !== undefined && fullAt(rate) > at ? rate : null;
}

export const isPacedOut = (rate: OperatorRate, at: number): boolean => until(rate) > at;

/** A message of the pair begins: the next one waits for the gap. */
export function paceOn(rate: OperatorRate, at: number): void {
  rate.nextAt = at + gapOf(rateAt(rate, at));
}

/** As the SQL: once for all messages that began before the last cut. */
export function cutPairs(state: State, at: number, refused: readonly Send[]): void {
  const begun = new Map<string, Send>();
  for (const send of refused) {
    const { lane, lead, transmittingAt } = send;
    if (lane.domainId === null || lead.emailKey === null || transmittingAt === null) continue;
    const pair = `${lane.domainId} ${lead.operator}`;
    const before = begun.get(pair)?.transmittingAt ?? -Infinity;
    if (transmittingAt > before) begun.set(pair, send);
  }
  for (const send of begun.values()) cut(state, at, send);
}

function cut(state: State, at: number, { lane, lead, transmittingAt }: Send): void {
  const ofDomain = state.rates.get(lane.domainId!) ?? new Map<string, OperatorRate>();
  state.rates.set(lane.domainId!, ofDomain);
  const known = ofDomain.get(lead.operator);
  if (known !== undefined && known.changedAt >= transmittingAt!) return;
  const perHour =
    known === undefined ? FULL / 2 : Math.max(LEAST, Math.floor(rateAt(known, at) / 2));
  const nextAt = Math.max(known?.nextAt ?? 0, at + gapOf(perHour));
  ofDomain.set(lead.operator, { perHour, changedAt: at, nextAt });
}
