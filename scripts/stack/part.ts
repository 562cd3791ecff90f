/** What every part of the local stack has in common: a name, an address, faults to order, and a log of the calls it received. */
export interface Part {
  name: string;
  url: string;
  faults: Faults;
  log: CallLog;
  close(): Promise<void>;
}

/** A part that does work of its own at later instants; the stack's clock stops at each of them when it is moved. */
export interface TimedPart {
  /** The earliest instant at which the part will act by itself, or null. */
  nextDueAt(): Date | null;
  /** True while the part is acting on something that already fell due. */
  busy(): boolean;
}

export interface Faults {
  /** The faults this part can be ordered to show, each with what it does. */
  known: Readonly<Record<string, string>>;
  /** Orders a fault for the next `times` occasions; throws on a name the part does not know. */
  order(fault: string, times: number): void;
  /** Uses up one occasion of the fault, if one was ordered. */
  take(fault: string): boolean;
  pending(): Record<string, number>;
  clear(): void;
}

export function createFaults(known: Record<string, string>): Faults {
  const left = new Map<string, number>();
  return {
    known,
    order(fault, times) {
      if (!Object.hasOwn(known, fault)) {
        throw new Error(`unknown fault "${fault}"; known: ${Object.keys(known).join(", ")}`);
      }
      left.set(fault, (left.get(fault) ?? 0) + times);
    },
    take(fault) {
      const count = left.get(fault) ?? 0;
      if (count === 0) return false;
      if (count === 1) left.delete(fault);
      else left.set(fault, count - 1);
      return true;
    },
    pending: () => Object.fromEntries(left),
    clear: () => left.clear(),
  };
}

export interface Call {
  at: string;
  summary: string;
  detail?: unknown;
}

export interface CallLog {
  add(summary: string, detail?: unknown): void;
  entries(): Call[];
  clear(): void;
}

/** Keeps the newest `limit` calls. */
export function createCallLog(limit = 2000): CallLog {
  let calls: Call[] = [];
  return {
    add(summary, detail) {
      calls.push({
        at: new Date().toISOString(),
        summary,
        ...(detail === undefined ? {} : { detail }),
      });
      if (calls.length > limit * 2) calls = calls.slice(-limit);
    },
    entries: () => calls.slice(-limit),
    clear: () => {
      calls = [];
    },
  };
}
