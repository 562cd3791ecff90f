import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ask } from "./call.ts";
import { poll } from "./poll.ts";
import { asProblem, type Problem } from "./problem.ts";
import type { Event } from "./schema.ts";
import { me } from "../session.ts";

export interface FeedFilter {
  types?: string;
  actor?: string;
  campaign_id?: string;
}

export interface Feed {
  /** The newest first; absent until the first answer. */
  data?: Event[];
  problem?: Problem | undefined;
  isLoading: boolean;
  at?: number;
  hasMore: boolean;
  more(): void;
  reload(): void;
}

interface Known {
  data?: Event[];
  problem?: Problem | undefined;
  isLoading: boolean;
  at?: number;
  /** Where it is read on from, and how far back it was read. */
  newest?: string;
  oldest?: string | null;
}

const PAGE = 50;
const AFTER_S = 5;

/** What happened, from the newest on back, and what happens from here on as the feed says when to ask again. */
export function useFeed(filter: FeedFilter): Feed {
  const key = JSON.stringify([filter, me.value?.workspace.id]);
  const state = useSignal<Known>({ isLoading: true });
  const again = useRef<() => void>(() => {});
  const further = useRef<() => void>(() => {});
  useEffect(() => {
    let isOver = false;
    let isAsking = false;
    let pause = AFTER_S;
    state.value = { isLoading: true };
    async function read(query: { before?: string; after?: string }): Promise<void> {
      if (isAsking) return;
      isAsking = true;
      state.value = { ...state.peek(), isLoading: true };
      try {
        const { answer, retryAfter } = await ask("listEvents", {
          query: { ...filter, ...query, limit: PAGE },
        });
        if (isOver || answer === undefined) return;
        pause = retryAfter ?? AFTER_S;
        const { data = [], newest, oldest } = state.peek();
        const isNew = query.after !== undefined;
        const back = answer.has_more ? answer.next_cursor : null;
        const [first] = answer.items;
        const begin = isNew ? answer.next_cursor : (newest ?? first?.cursor);
        state.value = {
          data: isNew ? [...answer.items.toReversed(), ...data] : [...data, ...answer.items],
          isLoading: false,
          at: Date.now(),
          ...(begin === undefined ? {} : { newest: begin }),
          oldest: isNew ? (oldest ?? null) : back,
        };
      } catch (error) {
        if (!isOver) state.value = { ...state.peek(), isLoading: false, problem: asProblem(error) };
      } finally {
        isAsking = false;
      }
    }
    /** Where nothing was found there is no place yet to go on from. */
    async function goOn(): Promise<void> {
      const { newest, data = [] } = state.peek();
      if (newest !== undefined) return read({ after: newest });
      if (data.length === 0) return read({ before: "now" });
    }
    again.current = () => void goOn();
    further.current = () => {
      const { oldest } = state.peek();
      if (oldest != null) void read({ before: oldest });
    };
    void read({ before: "now" });
    const end = poll(() => pause, goOn);
    return () => {
      isOver = true;
      end();
    };
  }, [key]);
  const { oldest, ...known } = state.value;
  return {
    ...known,
    hasMore: oldest != null,
    more: () => further.current(),
    reload: () => again.current(),
  };
}
