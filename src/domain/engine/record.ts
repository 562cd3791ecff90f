import type {
  BeginSend,
  BegunSend,
  OvertakenPlan,
  SendOutcome,
  SendStore,
} from "#db/engine/index.ts";
import { nextStepOf } from "./outcome.ts";

/** A campaign that its user changes more often while one outcome is recorded has it recorded another time. */
const ROUNDS = 5;

/**
 * Records and begins. A campaign may have been changed since a next step was planned: what the store answers as
 * overtaken is planned anew by what the campaign is then, as if its lead had not been under way, and recorded so.
 */
export async function record(
  store: SendStore,
  now: Date,
  workerToken: string,
  outcomes: SendOutcome[],
  begin: BeginSend[] = [],
): Promise<BegunSend[]> {
  const answers = await store.recordAndBegin(now, workerToken, outcomes, begin);
  const begun = answers.filter((answer) => !isOvertaken(answer));
  let overtaken = answers.filter(isOvertaken);
  for (let round = 1; overtaken.length > 0; round++) {
    if (round === ROUNDS) throw new Error("The campaign kept changing; nothing was recorded.");
    const anew = overtaken.flatMap(({ id, plan }) =>
      outcomes.filter((outcome) => outcome.id === id).map((outcome) => replanned(outcome, plan)),
    );
    const answered = await store.recordAndBegin(now, workerToken, anew, []);
    overtaken = answered.filter(isOvertaken);
  }
  return begun;
}

const isOvertaken = (answer: BegunSend | OvertakenPlan): answer is OvertakenPlan =>
  !answer.begun && answer.reason === "plan_overtaken";

function replanned(outcome: SendOutcome, plan: OvertakenPlan["plan"]): SendOutcome {
  if (!("planned" in outcome)) return outcome;
  const { nextChannel: _c, nextBudget: _b, nextHold: _h, ...ended } = outcome;
  const { step, sentAt } = outcome.planned;
  return { ...ended, ...nextStepOf(step, sentAt, plan) };
}
