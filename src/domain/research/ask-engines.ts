import type { Deps } from "#src/deps.ts";
import type { SearchAnswer, SearchEngine, SearchHit } from "#src/providers/search/index.ts";

export interface Queries {
  /** As it is most likely written. */
  exact: string;
  /** For what is written otherwise. */
  loose: string;
  country: string | null;
}

/** An engine that has said nothing for so long gets company. */
const HEDGE_MS = 2_500;
const MAX_SEARCHES = 3;
const MAX_PAID = 2;

/** What the hits so far are worth. */
export type Judge = (hits: readonly SearchHit[]) => "enough" | "good" | "look_further";

interface Searches {
  engines: readonly SearchEngine[];
  asked: SearchEngine[];
  failed: Set<SearchEngine>;
  running: Map<SearchEngine, Promise<Outcome>>;
  /** Null as long as no engine has answered. */
  hits: SearchHit[] | null;
}

type Outcome = { engine: SearchEngine; answer: SearchAnswer };
type Next = "stop" | "wait" | "exact" | "loose";

/**
 * Asks the engines in their order until what they found is enough: the next one joins when one fails, is slow, or finds
 * nothing that fits. Null when no engine answered at all; what one has said counts, whatever happens to the next.
 */
export async function askEngines(
  deps: Pick<Deps, "clock" | "log">,
  engines: readonly SearchEngine[],
  queries: Queries,
  judge: Judge,
  deadline: Date,
  signal?: AbortSignal,
): Promise<SearchHit[] | null> {
  const stop = new AbortController();
  const ended = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  const searches: Searches = {
    engines,
    asked: [],
    failed: new Set(),
    running: new Map(),
    hits: null,
  };
  let next: Next = "exact";
  while (next !== "stop") {
    if (next !== "wait") start(searches, { text: queries[next], country: queries.country }, ended);
    if (searches.running.size === 0) break;
    const outcome = await firstOutcome(deps, searches, deadline);
    next = outcome === "late" ? "stop" : takeIn(deps, searches, outcome, judge);
  }
  stop.abort();
  return searches.hits;
}

function start(
  searches: Searches,
  query: Parameters<SearchEngine["search"]>[0],
  signal: AbortSignal,
): void {
  const engine = nextEngine(searches);
  if (engine === null) return;
  searches.asked.push(engine);
  searches.running.set(
    engine,
    engine.search(query, signal).then((answer) => ({ engine, answer })),
  );
}

/** Each once in their order, then again one that answered; few searches, and fewer of those that cost something. */
function nextEngine({ engines, asked, failed, running }: Searches): SearchEngine | null {
  if (asked.length >= MAX_SEARCHES) return null;
  const mayPay = asked.filter(({ isPaid }) => isPaid).length < MAX_PAID;
  const able = engines.filter(
    (engine) => !failed.has(engine) && !running.has(engine) && (mayPay || !engine.isPaid),
  );
  return able.find((engine) => !asked.includes(engine)) ?? able[0] ?? null;
}

async function firstOutcome(
  { clock }: Pick<Deps, "clock">,
  searches: Searches,
  deadline: Date,
): Promise<Outcome | "slow" | "late"> {
  const hedgeAt = new Date(clock.now().getTime() + HEDGE_MS);
  const hedges = searches.hits === null && hedgeAt < deadline && nextEngine(searches) !== null;
  const done = new AbortController();
  const late = clock
    .sleepUntil(hedges ? hedgeAt : deadline, done.signal)
    .then(() => (hedges ? ("slow" as const) : ("late" as const)));
  try {
    return await Promise.race([...searches.running.values(), late]);
  } finally {
    done.abort();
  }
}

function takeIn(
  { log }: Pick<Deps, "log">,
  searches: Searches,
  outcome: Outcome | "slow",
  judge: Judge,
): Next {
  if (outcome === "slow") return "exact";
  const { engine, answer } = outcome;
  searches.running.delete(engine);
  const isLast = searches.running.size === 0;
  if (answer.kind === "failed") {
    const { reason, detail } = answer;
    log.info("search_failed", { engine: engine.name, reason, detail });
    searches.failed.add(engine);
    if (!isLast) return "wait";
    return searches.hits === null ? "exact" : "loose";
  }
  searches.hits = [...(searches.hits ?? []), ...answer.hits];
  const verdict = judge(searches.hits);
  if (verdict === "enough") return "stop";
  if (!isLast) return "wait";
  return verdict === "good" ? "stop" : "loose";
}
