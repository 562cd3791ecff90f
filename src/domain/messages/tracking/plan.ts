import type {
  MessageChange,
  MessageCounts,
  StoredHit,
  TrackedMessage,
} from "#db/messages/tracked-hits.ts";
import { classifyHits, countsAsPerson, type Verdict } from "./classify.ts";
import { type Hit, MAX_HITS_PER_MESSAGE } from "./hit.ts";

export interface MessagePlan {
  /** Null when everything is noted already. */
  change: MessageChange | null;
  /** Hits beyond `MAX_HITS_PER_MESSAGE`. */
  droppedCount: number;
}

/**
 * What to write so that the message's hits and counts are those of all hits, old and new, as if they had come at once;
 * what was counted of hits that are kept no more stays. Hits that are stored already change nothing.
 */
export function planMessage(message: TrackedMessage, hits: readonly Hit[]): MessagePlan {
  const known = new Set(message.hits.map(({ id }) => id));
  const fresh = [...new Map(hits.map((hit) => [hit.id, hit])).values()].filter(
    ({ id }) => !known.has(id),
  );
  const added = fresh.slice(0, Math.max(0, MAX_HITS_PER_MESSAGE - message.hits.length));
  const droppedCount = fresh.length - added.length;
  if (added.length === 0) return { change: null, droppedCount };

  const old = message.hits.map((hit) => ({ ...hit, prefetch: hit.reasons.includes("prefetch") }));
  const all = [...old, ...added];
  const verdicts = classifyHits(message.acceptedAt, all);
  const judged = all.map((hit, index) => ({ ...hit, ...verdicts[index]! }));
  return {
    droppedCount,
    change: {
      id: message.id,
      version: message.version,
      ...countsWith(message, tallyHits(old as (StoredHit & Verdict)[]), tallyHits(judged)),
      added: added.map((hit, index) => ({ ...hit, ...verdicts[old.length + index]! })),
      rejudged: message.hits.flatMap((hit, index) =>
        isSame(hit, verdicts[index]!) ? [] : [{ id: hit.id, ...verdicts[index]! }],
      ),
    },
  };
}

const isSame = (stored: StoredHit, verdict: Verdict): boolean =>
  stored.classification === verdict.classification &&
  stored.reasons.length === verdict.reasons.length &&
  verdict.reasons.every((reason, index) => stored.reasons[index] === reason);

/** The message's counts, where its known hits come to `after` in place of `before`. */
function countsWith(
  message: MessageCounts,
  before: MessageCounts,
  after: MessageCounts,
): MessageCounts {
  const count = (name: "opens" | "clicks" | "machineOpens" | "machineClicks") =>
    message[name] + after[name] - before[name];
  return {
    opens: count("opens"),
    clicks: count("clicks"),
    machineOpens: count("machineOpens"),
    machineClicks: count("machineClicks"),
    firstOpenedAt: firstOf(message.firstOpenedAt, before.firstOpenedAt, after.firstOpenedAt),
    firstClickedAt: firstOf(message.firstClickedAt, before.firstClickedAt, after.firstClickedAt),
  };
}

/** An instant that is not the first of the known hits is that of one that is kept no more. */
function firstOf(stored: Date | null, before: Date | null, after: Date | null): Date | null {
  if (stored === null || stored.getTime() === before?.getTime()) return after;
  return after !== null && after < stored ? after : stored;
}

/**
 * People's and machines' hits, each link (and the pixel) once a minute: mail programs ask again. A
 * machine's hit does not hide a person's in the same minute.
 */
export function tallyHits(
  hits: readonly (Pick<Hit, "kind" | "at" | "linkIndex"> & Verdict)[],
): MessageCounts {
  const slots = {
    open: { people: new Set<string>(), machines: new Set<string>() },
    click: { people: new Set<string>(), machines: new Set<string>() },
  };
  const first: Record<Hit["kind"], Date | null> = { open: null, click: null };
  for (const hit of hits) {
    const isPerson = countsAsPerson(hit);
    const slot = `${hit.linkIndex} ${Math.floor(hit.at.getTime() / 60_000)}`;
    slots[hit.kind][isPerson ? "people" : "machines"].add(slot);
    const earliest = first[hit.kind];
    if (isPerson && (earliest === null || hit.at < earliest)) first[hit.kind] = hit.at;
  }
  return {
    opens: slots.open.people.size,
    clicks: slots.click.people.size,
    machineOpens: slots.open.machines.size,
    machineClicks: slots.click.machines.size,
    firstOpenedAt: first.open,
    firstClickedAt: first.click,
  };
}
