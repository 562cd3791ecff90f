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
 * What to write so that the message's hits and counts are those of all hits known, old and new, as if
 * they had come at once. Hits that are stored already change nothing.
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
      ...tallyHits(judged),
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
