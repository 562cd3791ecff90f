/** What the queue needs of a draft, as the API answers it. */
export interface QueuedDraft {
  campaign_lead_id: string;
  status: string;
  body: string | null;
  /** Of a text that is there: why it is held. */
  error: string | null;
  approved: boolean;
  stale: boolean;
  claims: Claim[];
  research_sources: Source[];
}

export interface Claim {
  start: number;
  end: number;
  kind: string;
  source_index: number | null;
}

export interface Source {
  name: string;
  summary: string;
  meta: Record<string, unknown>;
}

/** In the order in which one wants them: what waits for a person, what cannot be sent as it is, what is decided. */
export type Place = "review" | "held" | "stale" | "writing" | "failed" | "approved";

export function placeOf(draft: QueuedDraft): Place {
  if (draft.status === "pending" || draft.status === "running") return "writing";
  if (draft.status !== "generated") return "failed";
  if (draft.stale) return "stale";
  if (draft.approved) return "approved";
  return draft.error === null ? "review" : "held";
}

export const countPlaces = (drafts: readonly QueuedDraft[]): Record<Place, number> => {
  const counts = { review: 0, held: 0, stale: 0, writing: 0, failed: 0, approved: 0 };
  for (const draft of drafts) counts[placeOf(draft)]++;
  return counts;
};

/** Why the lead gets nothing by this draft any more; null while they may. */
export function overOf(
  lead: { current_step: number; status: string } | undefined,
  step: number,
): string | null {
  if (lead === undefined) return null;
  if (lead.current_step >= step) return `Step ${step} is behind them`;
  return ["pending", "active"].includes(lead.status) ? null : `Not any more: ${lead.status}`;
}

const waits = (draft: QueuedDraft): boolean => ["review", "held"].includes(placeOf(draft));

/** The next after this one that waits for a person, from the beginning again; null where none does. */
export function nextToReview<Draft extends QueuedDraft>(
  drafts: readonly Draft[],
  id: string | null,
): Draft | null {
  const at = drafts.findIndex((draft) => draft.campaign_lead_id === id);
  const turned = [...drafts.slice(at + 1), ...drafts.slice(0, Math.max(at, 0))];
  return turned.find(waits) ?? null;
}

/** The one so many places on; the ends are ends. */
export function moved<Draft extends QueuedDraft>(
  drafts: readonly Draft[],
  id: string | null,
  by: number,
): Draft | undefined {
  const at = drafts.findIndex((draft) => draft.campaign_lead_id === id);
  return at < 0 ? drafts[0] : drafts[Math.min(Math.max(at + by, 0), drafts.length - 1)];
}

export interface NumberedClaim {
  n: number;
  text: string;
  source: Source | null;
}

export interface Piece {
  text: string;
  claim: NumberedClaim | null;
}

/**
 * The body in pieces, which together are its bytes, and what it claims, numbered in its order. The same words of the same
 * source have one number. Of two that overlap the first stands.
 */
export function numbered({ body, claims, research_sources: sources }: QueuedDraft): {
  pieces: Piece[];
  claims: NumberedClaim[];
} {
  const text = body ?? "";
  const pieces: Piece[] = [];
  const known = new Map<string, NumberedClaim>();
  let at = 0;
  for (const { start, end, source_index: index } of claims.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > text.length) continue;
    const words = text.slice(start, end);
    const key = `${index} ${words}`;
    const claim = known.get(key) ?? {
      n: known.size + 1,
      text: words,
      source: index === null ? null : (sources[index] ?? null),
    };
    known.set(key, claim);
    if (start > at) pieces.push({ text: text.slice(at, start), claim: null });
    pieces.push({ text: words, claim });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), claim: null });
  return { pieces, claims: [...known.values()] };
}

/** Why one is asked twice before this is approved; empty where one is not. */
export function doubts(draft: QueuedDraft): string[] {
  const open = numbered(draft).claims.filter(({ source }) => source === null);
  return [
    ...(draft.error === null ? [] : [draft.error]),
    ...open.map(({ text }) => `No source says "${text}".`),
  ];
}

const AROUND = 70;

/** What a source says around these words: their line, where that is short; its beginning where they do not stand in it letter by letter. */
export function excerpt({ summary }: Source, words: string): string {
  const line = summary
    .split("\n")
    .find((each) => each.length <= 2 * AROUND && each.toLowerCase().includes(words.toLowerCase()));
  if (line !== undefined && words !== "") return line.trim().toWellFormed();
  const at = summary.toLowerCase().indexOf(words.toLowerCase());
  const from = at < 0 ? 0 : Math.max(0, at - AROUND);
  const to = at < 0 ? 2 * AROUND : at + words.length + AROUND;
  const cut = summary.slice(from, to).replace(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${cut}${to < summary.length ? "…" : ""}`.toWellFormed();
}

const SOURCES: Record<string, string> = {
  lead_data: "Their record",
  sender: "Your profile",
  template: "The step's text",
  prompt: "The prompt",
  website: "Their website",
  search: "A search",
  profile: "Their profile",
};

/** Where that is, and its address where it has one that a browser may follow. */
export function sourceWords({ name, meta }: Source): { label: string; url: string | null } {
  const { url } = meta;
  const isWeb = typeof url === "string" && /^https?:\/\//i.test(url);
  return { label: SOURCES[name] ?? name.replaceAll("_", " "), url: isWeb ? url : null };
}
