import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { entryOf, isOld, type Known } from "./cache.ts";
import { type Answer, type Input, type OperationId, signedOut } from "./call.ts";
import { isClockMoving } from "./clock.ts";
import { poll } from "./poll.ts";
import type { Problem } from "./problem.ts";
import { MOVING_PACE_S } from "./use.ts";

interface Page<Item> {
  items: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Operations that answer pages. */
export type PagedId = {
  [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never;
}[OperationId];
export type ItemOf<Id extends PagedId> =
  Answer<Id> extends { items: Array<infer Item> } ? Item : never;

export interface Pages<Item> {
  /** Of all pages that were asked for; absent until the first is there. */
  data?: Item[];
  problem: Problem | undefined;
  isLoading: boolean;
  at?: number | undefined;
  hasMore: boolean;
  more(): void;
  reload(): void;
}

/** A list by cursors: the first page, and one more with each `more()`. `every` reads what is there again after so many seconds. */
export function usePages<Id extends PagedId>(
  id: Id,
  input?: Input<Id>,
  { every }: { every?: number } = {},
): Pages<ItemOf<Id>> {
  const key = JSON.stringify(input ?? {});
  const asked = useSignal({ key, count: 1 });
  const count = asked.value.key === key ? asked.value.count : 1;
  const wish = (input ?? {}) as { query?: Record<string, unknown> };
  const chain: ReturnType<typeof entryOf>[] = [];
  const known: Known<Id>[] = [];
  /** Where its pages begin: what a write changes on one may be another page after it. */
  const cursors: (string | null)[] = [];
  let cursor: string | null = null;
  do {
    const query = { ...wish.query, ...(cursor === null ? {} : { cursor }) };
    const entry = entryOf(id, { ...wish, query } as unknown as Input<Id>);
    chain.push(entry);
    cursors.push(cursor);
    known.push(entry.known.value as unknown as Known<Id>);
    cursor = pageOf(known.at(-1))?.next_cursor ?? null;
  } while (cursor !== null && chain.length < count);
  const opened = useRef<typeof chain>([]);
  useEffect(() => {
    for (const entry of chain) {
      entry.watchers++;
      // Those above a page that is asked for stay as they are.
      if (!opened.current.includes(entry) && isOld(entry)) void entry.load();
    }
    opened.current = chain;
    return () => chain.forEach((entry) => entry.watchers--);
  }, [id, key, cursors.join(" ")]);
  const reload = () => Promise.all(chain.map((entry) => entry.load()));
  const again = useRef(reload);
  again.current = reload;
  useEffect(() => {
    if (every === undefined) return undefined;
    const pace = () => (signedOut.peek() ? null : isClockMoving() ? MOVING_PACE_S : every);
    return poll(pace, async () => void (await again.current()));
  }, [every]);
  const pages = known.map(pageOf).filter((page) => page !== undefined);
  return {
    ...(pages.length === 0 ? {} : { data: pages.flatMap(({ items }) => items) }),
    problem: known.find(({ problem }) => problem !== undefined)?.problem,
    isLoading: known.some(({ isLoading }) => isLoading),
    at: known[0]?.at,
    hasMore: pages.at(-1)?.has_more ?? false,
    more: () => (asked.value = { key, count: count + 1 }),
    reload: () => void reload(),
  };

  function pageOf(each: Known<Id> | undefined): Page<ItemOf<Id>> | undefined {
    return each?.data as unknown as Page<ItemOf<Id>> | undefined;
  }
}
