import type {
  BegunSend,
  OvertakenPlan,
  ClaimedSend,
  SendOutcome,
  SendStore,
  SweptSend,
} from "#db/engine/index.ts";

/** Told of what took effect, at the instant at which it did. */
export interface Effects {
  onSwept(swept: SweptSend[]): void;
  onIsolated(sendId: string): void;
  onClaimed(claimed: ClaimedSend[]): void;
  /** Before anything else happens. */
  onNextWake(at: Date | null): Promise<void>;
  onSettled(now: Date, outcomes: SendOutcome[], begun: BegunSend[]): void;
}

const isOvertaken = (answer: BegunSend | OvertakenPlan): answer is OvertakenPlan =>
  !answer.begun && answer.reason === "plan_overtaken";

/** A store behind something that may fail each call. */
export function portOf(
  store: SendStore,
  call: <T>(work: () => Promise<T>) => Promise<T>,
  effects: Effects,
  /** Whether a proxy repeats the next statement that records and begins. */
  isRepeated: () => boolean = () => false,
): SendStore {
  return {
    dueRollovers: (...args) => call(() => store.dueRollovers(...args)),
    rollOver: (...args) => call(() => store.rollOver(...args)),
    sweep: (now) =>
      call(async () => {
        const swept = await store.sweep(now);
        effects.onSwept(swept);
        return swept;
      }),
    overdueUnknown: (...args) => call(() => store.overdueUnknown(...args)),
    unknownOf: (...args) => call(() => store.unknownOf(...args)),
    isolate: (token, sendId) =>
      call(async () => {
        const isAlone = await store.isolate(token, sendId);
        if (isAlone) effects.onIsolated(sendId);
        return isAlone;
      }),
    claim: (order) =>
      call(async () => {
        const claimed = await store.claim(order);
        effects.onClaimed(claimed);
        return claimed;
      }),
    rest: (...args) => call(() => store.rest(...args)),
    recordAndBegin: (now, token, outcomes, begin) =>
      call(async () => {
        const answers = await store.recordAndBegin(now, token, outcomes, begin);
        const overtaken = new Set(answers.filter(isOvertaken).map(({ id }) => id));
        const recorded = outcomes.filter(({ id }) => !overtaken.has(id));
        effects.onSettled(
          now,
          recorded,
          answers.filter((answer) => !isOvertaken(answer)),
        );
        return isRepeated() ? store.recordAndBegin(now, token, outcomes, begin) : answers;
      }),
    historyOf: (...args) => call(() => store.historyOf(...args)),
    statesOf: (...args) => call(() => store.statesOf(...args)),
    complete: (...args) => call(() => store.complete(...args)),
    nextWakeAt: (...args) =>
      call(async () => {
        const at = await store.nextWakeAt(...args);
        await effects.onNextWake(at);
        return at;
      }),
    lastTickAt: () => call(() => store.lastTickAt()),
    recordTick: (...args) => call(() => store.recordTick(...args)),
  };
}
