/** Ids by the instant at which they fall due, then by order: a binary heap. */
export interface Timeline {
  add(entry: TimelineEntry): void;
  peek(): TimelineEntry | undefined;
  pop(): TimelineEntry | undefined;
}

export interface TimelineEntry {
  dueAt: number;
  order: number;
  messageId: string;
}

const isBefore = (a: TimelineEntry, b: TimelineEntry) =>
  a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);

export function createTimeline(): Timeline {
  const heap: TimelineEntry[] = [];

  const swap = (i: number, j: number) => {
    [heap[i], heap[j]] = [heap[j]!, heap[i]!];
  };

  const sink = (from: number) => {
    let index = from;
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      let first = index;
      if (left < heap.length && isBefore(heap[left]!, heap[first]!)) first = left;
      if (right < heap.length && isBefore(heap[right]!, heap[first]!)) first = right;
      if (first === index) return;
      swap(index, first);
      index = first;
    }
  };

  return {
    add(entry) {
      heap.push(entry);
      let index = heap.length - 1;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (!isBefore(heap[index]!, heap[parent]!)) return;
        swap(index, parent);
        index = parent;
      }
    },
    peek: () => heap[0],
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length > 0) {
        heap[0] = last!;
        sink(0);
      }
      return first;
    },
  };
}
