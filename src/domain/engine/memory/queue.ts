/**
 * Binary heaps whose items know their place, so that an item moves or leaves in
 * O(log n). An item waits in at most one queue at a time.
 */
export interface Queued {
  queue: Queued[] | null;
  place: number;
  key: number;
  /** Orders items of the same key. */
  rank: number;
}

export const notQueued = (rank: number): Queued => ({ queue: null, place: -1, key: 0, rank });

/** Puts the item into the queue at `key`, from wherever it was. */
export function enqueue<T extends Queued>(queue: T[], item: T, key: number): void {
  if (item.queue === queue) {
    if (item.key === key) return;
    item.key = key;
    settle(queue, item.place);
    return;
  }
  dequeue(item);
  item.queue = queue;
  item.key = key;
  item.place = queue.length;
  queue.push(item);
  rise(queue, item.place);
}

/** Takes the item out of its queue, if it is in one. */
export function dequeue(item: Queued): void {
  const { queue, place } = item;
  if (queue === null) return;
  const last = queue.pop()!;
  item.queue = null;
  item.place = -1;
  if (last === item) return;
  queue[place] = last;
  last.place = place;
  settle(queue, place);
}

/** Items with a key of at most `limit`, in order, at most `max`; they stay where they are. */
export function upTo<T extends Queued>(queue: T[], limit: number, max: number): T[] {
  if (queue.length === 0 || queue[0]!.key > limit) return [];
  const found: T[] = [];
  const open = [0];
  while (open.length > 0) {
    const place = open.pop()!;
    const item = queue[place];
    if (item === undefined || item.key > limit) continue;
    found.push(item);
    open.push(2 * place + 1, 2 * place + 2);
  }
  found.sort((a, b) => a.key - b.key || a.rank - b.rank);
  return found.length > max ? found.slice(0, max) : found;
}

/** The first `count` items in order, found by taking them out and putting them back. */
export function firstOf<T extends Queued>(queue: T[], count: number): T[] {
  if (count <= 1) return queue.slice(0, Math.max(0, count));
  const found: T[] = [];
  while (found.length < count && queue.length > 0) {
    const item = queue[0]!;
    dequeue(item);
    found.push(item);
  }
  for (const item of found) enqueue(queue, item, item.key);
  return found;
}

/** The same of those alone that are wanted; `passed` sees the others that come before them. */
export function firstWanted<T extends Queued>(
  queue: T[],
  count: number,
  isWanted: (item: T) => boolean,
  passed: (item: T) => void,
): T[] {
  const seen: T[] = [];
  const found: T[] = [];
  while (found.length < count && queue.length > 0) {
    const item = queue[0]!;
    dequeue(item);
    seen.push(item);
    if (isWanted(item)) found.push(item);
    else passed(item);
  }
  for (const item of seen) enqueue(queue, item, item.key);
  return found;
}

/** The first of several queues, each with what `first` takes of it. */
export function firstOfAll<T extends Queued>(
  queues: T[][],
  count: number,
  first: (queue: T[], count: number) => T[] = firstOf,
): T[] {
  const [only, ...others] = queues;
  if (only === undefined) return [];
  if (others.length === 0) return first(only, count);
  const firsts = queues.flatMap((queue) => first(queue, count));
  return firsts.sort((a, b) => (isBefore(a, b) ? -1 : 1)).slice(0, Math.max(0, count));
}

export const isBefore = (a: Queued, b: Queued): boolean =>
  a.key < b.key || (a.key === b.key && a.rank < b.rank);

function settle(queue: Queued[], place: number): void {
  if (!rise(queue, place)) sink(queue, place);
}

function rise(queue: Queued[], from: number): boolean {
  let place = from;
  const item = queue[place]!;
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = queue[above]!;
    if (!isBefore(item, parent)) break;
    queue[place] = parent;
    parent.place = place;
    place = above;
  }
  queue[place] = item;
  item.place = place;
  return place !== from;
}

function sink(queue: Queued[], from: number): void {
  let place = from;
  const item = queue[place]!;
  for (;;) {
    let below = 2 * place + 1;
    if (below >= queue.length) break;
    if (below + 1 < queue.length && isBefore(queue[below + 1]!, queue[below]!)) below++;
    const child = queue[below]!;
    if (!isBefore(child, item)) break;
    queue[place] = child;
    child.place = place;
    place = below;
  }
  queue[place] = item;
  item.place = place;
}
