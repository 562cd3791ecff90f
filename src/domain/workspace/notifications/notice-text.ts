import type { NoticeItem } from "#db/workspace/notice-content.ts";
import type { OutboxKind } from "#db/base/fragments/outbox.ts";
import { firstLines, oneLine } from "#src/platform/one-line.ts";
import { nameOf, WORDS } from "./notice-copy.ts";

/** A notice in words, before it is a mail or a template. */
export interface NoticeText {
  title: string;
  /** The campaign it is about; null for single messages. */
  campaign: string | null;
  /** `2 replies, 120 hard bounces`; null where there is but one thing to tell. */
  counts: string | null;
  entries: NoticeEntry[];
  /** What is counted and not shown. */
  unshown: number;
}

export interface NoticeEntry {
  kind: OutboxKind;
  happened: string;
  /** The first lines of what was said. */
  quote: string[];
  advice: string;
}

/** So many notices of each kind are named; the rest is counted. */
export const SHOWN_OF_EACH = 5;
const QUOTED_LINES = 8;
const LINE = 200;
const TITLE = 150;

/** What happened, in which campaign, to which lead, and what to do. Pure; null where nothing is left to tell. */
export function noticeText(items: readonly NoticeItem[], baseUrl: string): NoticeText | null {
  const [first] = items;
  if (first === undefined) return null;
  const api = `${baseUrl}/api/v1`;
  const totals = new Map(items.map(({ kind, total }) => [kind, total]));
  const count = [...totals.values()].reduce((sum, total) => sum + total, 0);
  const counts =
    count === 1 ? null : [...totals].map(([kind, total]) => WORDS[kind].counted(total)).join(", ");
  const campaign = first.campaignId === null ? null : nameOf(first.campaignName, "without a name");
  return {
    title: titleOf(first, campaign, counts),
    campaign,
    counts,
    entries: items.map((item) => ({
      kind: item.kind,
      happened: WORDS[item.kind].happened(item),
      quote: firstLines(item.said ?? "", QUOTED_LINES, LINE),
      advice: WORDS[item.kind].advice(item, api),
    })),
    unshown: count - items.length,
  };
}

function titleOf(first: NoticeItem, campaign: string | null, counts: string | null): string {
  if (counts !== null) return oneLine(`${campaign ?? "Single messages"}: ${counts}`, TITLE);
  const happened = WORDS[first.kind].happened(first);
  const isAboutLead = first.campaignLeadId !== null && campaign !== null;
  return oneLine(isAboutLead ? `${happened} (${campaign})` : happened, TITLE);
}
