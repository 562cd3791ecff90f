import type { Table } from "../journal.ts";
import type { Plan } from "./model.ts";

/** What is to happen at later instants; asking for the next one costs nothing, however much there is. */
export interface Agenda {
  put(id: string, plan: Plan): void;
  delete(id: string): void;
  /** When the next is due; Infinity where nothing is. */
  nextAt(): number;
  /** What is due by then, in its order. Each is off the agenda as it is given, so that what it does may plan anew. */
  takeDue(now: number): Iterable<Plan>;
}

export function createAgenda(plans: Table<Plan>): Agenda {
  /** Null: to be looked for among all. */
  let earliest: number | null = null;

  function nextAt(): number {
    earliest ??= plans.values().reduce((least, { dueAt }) => Math.min(least, dueAt), Infinity);
    return earliest;
  }
  function remove(id: string): void {
    if (plans.get(id)?.dueAt === earliest) earliest = null;
    plans.delete(id);
  }

  return {
    put(id, plan) {
      remove(id);
      plans.put(id, plan);
      if (earliest !== null) earliest = Math.min(earliest, plan.dueAt);
    },
    delete: remove,
    nextAt,
    *takeDue(now) {
      if (nextAt() > now) return;
      const due = [...plans.entries()].filter(([, { dueAt }]) => dueAt <= now);
      for (const [id, plan] of due.toSorted(([, a], [, b]) => a.dueAt - b.dueAt)) {
        if (plans.get(id) !== plan) continue;
        remove(id);
        yield plan;
      }
    },
  };
}
