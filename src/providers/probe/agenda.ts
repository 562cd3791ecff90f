import type { ProbePlan, ReplyVerdict } from "./index.ts";

export interface Question {
  recipient: string;
  isRandom: boolean;
}

/** What a plan has asked so far, over all of its connections. */
export interface Agenda {
  plan: ProbePlan;
  /** Index of the next recipient. */
  next: number;
  accepted: boolean;
  /** Some address was taken, whether it exists or not. */
  unverified: boolean;
  /** Some address was refused as unknown: the host does not take everything. */
  refusedUnknown: boolean;
  refusals: number;
  /** What is to be asked beside the address that was just accepted. */
  beside: string | null;
  randomDone: boolean;
  randomGreylisted: boolean;
  /** The host refuses us, so that whatever else is asked says nothing. */
  over: boolean;
  /** Indexes of recipients that a greylist deferred. */
  greylisted: number[];
}

export const startAgenda = (plan: ProbePlan): Agenda => ({
  plan,
  next: 0,
  accepted: false,
  unverified: false,
  refusedUnknown: false,
  refusals: 0,
  beside: null,
  randomDone: plan.random === null,
  randomGreylisted: false,
  over: false,
  greylisted: [],
});

/** What to ask next; null when nothing more would tell anything. */
export function nextQuestion(agenda: Agenda): Question | null {
  const { plan, next, accepted } = agenda;
  if (agenda.over) return null;
  if (agenda.beside !== null) return { recipient: agenda.beside, isRandom: false };
  const stops = (accepted && plan.stopAtFirstAccept) || agenda.refusals >= plan.maxRefusals;
  if (!stops && next < plan.recipients.length)
    return { recipient: plan.recipients[next]!, isRandom: false };
  // The random address goes last, and only where an acceptance is in doubt, or where a greylist has to see it first.
  const wantsRandom = accepted || agenda.unverified || agenda.greylisted.length > 0;
  if (wantsRandom && !agenda.refusedUnknown && !agenda.randomDone)
    return { recipient: plan.random!, isRandom: true };
  return null;
}

const REFUSALS: readonly ReplyVerdict[] = ["no_such_user", "disabled"];

/** Takes in an answer to `nextQuestion`. */
export function heard(
  agenda: Agenda,
  { recipient, isRandom }: Question,
  verdict: ReplyVerdict,
): void {
  if (agenda.beside === recipient) {
    agenda.beside = REFUSALS.includes(verdict) ? (agenda.plan.beside?.[recipient] ?? null) : null;
    if (verdict === "no_such_user") agenda.refusedUnknown = true;
    return;
  }
  if (isRandom) {
    agenda.randomDone = true;
    agenda.randomGreylisted = verdict === "greylisted";
    return;
  }
  if (verdict === "greylisted") agenda.greylisted.push(agenda.next);
  agenda.next++;
  if (verdict === "accepted") {
    agenda.accepted = true;
    agenda.beside = agenda.plan.beside?.[recipient] ?? null;
  }
  if (verdict === "unverified") agenda.unverified = true;
  if (verdict === "no_such_user") agenda.refusedUnknown = true;
  if (REFUSALS.includes(verdict)) agenda.refusals++;
  if (verdict === "policy") agenda.over = true;
}

/** Puts what a greylist deferred back in its place; false when that would tell nothing more. */
export function askGreylistedAgain(agenda: Agenda): boolean {
  const { accepted, greylisted, randomGreylisted } = agenda;
  if (agenda.over || (accepted ? !randomGreylisted : greylisted.length === 0)) return false;
  if (!accepted) agenda.next = greylisted[0]!;
  agenda.greylisted = [];
  if (randomGreylisted) agenda.randomDone = false;
  agenda.randomGreylisted = false;
  return true;
}
