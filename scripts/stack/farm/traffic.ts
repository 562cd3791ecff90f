/** What one operator's hosts were asked for, all of them together. */
export interface OperatorTraffic {
  /** The last two labels of its hosts' names. */
  operator: string;
  connections: number;
  open: number;
  /** The most that were open at the same time. */
  mostOpen: number;
  /** The shortest time between two openings, by the stack's clock; null before the second. */
  shortestGapMs: number | null;
  recipients: number;
  accepted: number;
  /** Each second in which something was opened or asked, oldest first; the newest are kept. */
  seconds: { at: string; opened: number; mostOpen: number; recipients: number }[];
}

/** Counts for judges of politeness: nothing is dropped but old seconds. */
export interface Traffic {
  opened(host: string): void;
  closed(host: string): void;
  recipient(host: string, isAccepted: boolean): void;
  operators(): OperatorTraffic[];
  /** Forgets all but what is open now. */
  clear(): void;
}

const SECONDS_KEPT = 20_000;

export const operatorOf = (host: string): string => host.split(".").slice(-2).join(".");

interface Kept {
  traffic: OperatorTraffic;
  lastOpenedAt: number | null;
}

export function createTraffic(): Traffic {
  let kept = new Map<string, Kept>();

  function of(host: string): Kept {
    const operator = operatorOf(host);
    const found = kept.get(operator) ?? { traffic: emptyTraffic(operator), lastOpenedAt: null };
    kept.set(operator, found);
    return found;
  }

  return {
    opened(host) {
      const one = of(host);
      const now = Date.now();
      const { traffic, lastOpenedAt } = one;
      if (lastOpenedAt !== null)
        traffic.shortestGapMs = Math.min(traffic.shortestGapMs ?? Infinity, now - lastOpenedAt);
      one.lastOpenedAt = now;
      traffic.connections++;
      traffic.open++;
      traffic.mostOpen = Math.max(traffic.mostOpen, traffic.open);
      secondOf(traffic, now).opened++;
    },
    closed(host) {
      of(host).traffic.open--;
    },
    recipient(host, isAccepted) {
      const { traffic } = of(host);
      traffic.recipients++;
      if (isAccepted) traffic.accepted++;
      secondOf(traffic, Date.now()).recipients++;
    },
    operators: () => [...kept.values()].map(({ traffic }) => structuredClone(traffic)),
    clear() {
      const stillOpen = [...kept.values()].filter(({ traffic }) => traffic.open > 0);
      kept = new Map(
        stillOpen.map(({ traffic: { operator, open } }) => [
          operator,
          { traffic: { ...emptyTraffic(operator), open, mostOpen: open }, lastOpenedAt: null },
        ]),
      );
    },
  };
}

const emptyTraffic = (operator: string): OperatorTraffic => ({
  operator,
  connections: 0,
  open: 0,
  mostOpen: 0,
  shortestGapMs: null,
  recipients: 0,
  accepted: 0,
  seconds: [],
});

function secondOf(traffic: OperatorTraffic, ms: number): OperatorTraffic["seconds"][number] {
  const at = new Date(Math.floor(ms / 1000) * 1000).toISOString();
  let last = traffic.seconds.at(-1);
  if (last?.at !== at) {
    last = { at, opened: 0, mostOpen: 0, recipients: 0 };
    traffic.seconds.push(last);
    if (traffic.seconds.length > SECONDS_KEPT) traffic.seconds.shift();
  }
  last.mostOpen = Math.max(last.mostOpen, traffic.open);
  return last;
}
