import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { entryOf, isOld, type Known } from "./cache.ts";
import { isClockMoving } from "./clock.ts";
import { type Answer, type Input, type OperationId, signedOut } from "./call.ts";
import { poll } from "./poll.ts";
import { asProblem, type Problem } from "./problem.ts";
import { type Asked, writer, type Write } from "./write.ts";

export interface Query<Id extends OperationId> extends Known<Id> {
  reload(): void;
}

/** While the service's clock is moved. */
export const MOVING_PACE_S = 3;

/** Reads for as long as the component is there. `null` as input asks nothing yet; `every` asks again after so many seconds. */
export function useQuery<Id extends OperationId>(
  id: Id,
  ...[input, options = {}]: Record<never, never> extends Input<Id>
    ? [input?: Input<Id> | null, options?: QueryOptions<Id>]
    : [input: Input<Id> | null, options?: QueryOptions<Id>]
): Query<Id> {
  const isAsked = input !== null;
  const key = JSON.stringify(input ?? {});
  const entry = entryOf(id, input ?? undefined);
  const { every } = options;
  const pause = useRef<() => number | null>(() => null);
  pause.current = () => {
    const { data, retryAfter, problem } = entry.known.peek();
    const wish = typeof every === "function" ? every(data as Answer<Id> | undefined) : every;
    // A signed-out page would be refused again and again.
    if (wish === undefined || wish === null || signedOut.peek()) return null;
    // Where hours pass in a second, one wants to see it.
    const soon = isClockMoving() ? Math.min(wish, MOVING_PACE_S) : wish;
    return Math.max(retryAfter ?? soon, problem?.retryAfter ?? 0);
  };
  const isPolled = every !== undefined;
  useEffect(() => {
    if (!isAsked) return undefined;
    entry.watchers++;
    if (isOld(entry)) void entry.load();
    return () => {
      entry.watchers--;
    };
  }, [id, key, isAsked]);
  // Another pace, as of a campaign that is being launched now, does not wait for the end of the one before.
  const pace = isAsked && isPolled && entry.known.value !== undefined ? pause.current() : null;
  useEffect(
    () => (isAsked && isPolled ? poll(() => pause.current(), entry.load) : undefined),
    [id, key, isAsked, isPolled, pace],
  );
  if (!isAsked) return { isLoading: false, reload: () => {} };
  const known = entry.known.value as unknown as Known<Id>;
  return { ...known, reload: () => void entry.load() };
}

export interface QueryOptions<Id extends OperationId> {
  every?: number | ((data: Answer<Id> | undefined) => number | null);
}

export interface Action<Id extends OperationId> {
  /** Undefined where it failed: then `problem` says why. */
  run(...asked: Asked<Id>): Promise<Answer<Id> | undefined>;
  isRunning: boolean;
  problem: Problem | undefined;
  /** Of the last run that went well. */
  answer: Answer<Id> | undefined;
  clear(): void;
}

/** A write, by a button. What is on the page is read again after it. */
export function useAction<Id extends OperationId>(id: Id): Action<Id> {
  const state = useSignal<{ isRunning: boolean; problem?: Problem; answer?: Answer<Id> }>({
    isRunning: false,
  });
  const write = useWrite(id);
  return {
    ...state.value,
    problem: state.value.problem,
    answer: state.value.answer,
    clear: () => (state.value = { isRunning: false }),
    async run(...asked) {
      if (state.peek().isRunning) return undefined;
      state.value = { isRunning: true };
      try {
        const answer = await write(...asked);
        state.value = { isRunning: false, answer };
        return answer;
      } catch (error) {
        state.value = { isRunning: false, problem: asProblem(error) };
        return undefined;
      }
    },
  };
}

/** A write that throws, for `Form`. */
export const useWrite = <Id extends OperationId>(id: Id): Write<Id> =>
  useMemo(() => writer(id), [id]);
