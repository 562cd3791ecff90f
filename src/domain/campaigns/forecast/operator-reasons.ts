import type { LeadSendInputs, SlowPair } from "#db/engine/sending-inputs.ts";
import { oneLine } from "#src/platform/one-line.ts";
import { because, type Reason } from "./reason.ts";

/** What is written less to an operator that put a sending domain off, or refused it, by policy; of pairs with leads that wait. */
export const operatorReasons = (pairs: readonly SlowPair[]): Reason[] =>
  pairs
    .filter(({ leads }) => leads > 0)
    .map((pair) =>
      because("operator_slowed", `${slowWords(pair)} ${leadWords(pair)}`, pair.fullAt),
    );

const slowWords = ({ domain, operator, perHour, reason }: SlowPair): string =>
  `${domain} writes at most ${perHour} an hour to ${operator}, which answered: ${oneLine(reason, 200)}.`;

const leadWords = ({ leads }: SlowPair): string =>
  leads === 1 ? "One lead waits for its turn there." : `${leads} leads wait for their turn there.`;

/** Nothing but leads at operators to which no domain of the campaign may write now is due; null where something else is. */
export function barredReason(pairs: readonly SlowPair[], due: number, now: Date): Reason | null {
  const barred = barredForAll(pairs, now);
  const atThem = [...Map.groupBy(barred, ({ operator }) => operator).values()];
  const dueThere = atThem.reduce((sum, [pair]) => sum + pair!.due, 0);
  if (due === 0 || dueThere < due) return null;
  const next = new Date(Math.min(...barred.map(({ nextAt }) => nextAt.getTime())));
  return because("operator_slowed", "What is due waits for the turn of its operator.", next);
}

/** Why the next message to the lead waits; none where one of the senders that may write to it is free to. */
export function leadBarredReason(
  pairs: readonly SlowPair[],
  { operator, aliasId }: LeadSendInputs,
  now: Date,
): Reason[] {
  const there = pairs.filter((pair) => pair.operator === operator && isBarred(pair, now));
  const barring =
    aliasId === null
      ? barredForAll(there, now)
      : there.filter(({ aliasIds }) => aliasIds.includes(aliasId));
  const [first] = barring.toSorted((a, b) => a.nextAt.getTime() - b.nextAt.getTime());
  return first === undefined ? [] : [because("operator_slowed", slowWords(first), first.nextAt)];
}

const isBarred = ({ nextAt }: SlowPair, now: Date): boolean => nextAt > now;

/** Those of operators to which none of the campaign's domains may write. */
function barredForAll(pairs: readonly SlowPair[], now: Date): SlowPair[] {
  const barred = pairs.filter((pair) => isBarred(pair, now));
  return barred.filter(
    ({ operator, domains }) =>
      barred.filter((pair) => pair.operator === operator).length >= domains,
  );
}
