import { oneLine } from "#src/platform/one-line.ts";

export const ASKERS = ["google", "yahoo", "microsoft"] as const;
export type Asker = (typeof ASKERS)[number];

/**
 * The rules of a domain's mail, in the order in which they are shown, with who asks for each:
 * https://support.google.com/a/answer/81126, https://senders.yahooinc.com/best-practices/ and Microsoft's
 * "Outlook's New Requirements for High-Volume Senders" of April 2025. Nobody asks for TLS towards the domain's own
 * mail hosts; without it replies may be lost.
 */
export const ASKED_BY = {
  spf: ["google", "yahoo", "microsoft"],
  dkim: ["google", "yahoo", "microsoft"],
  dmarc: ["google", "yahoo", "microsoft"],
  from_alignment: ["google", "yahoo", "microsoft"],
  dmarc_alignment: ["google", "yahoo", "microsoft"],
  one_click: ["google", "yahoo"],
  complaint_rate: ["google", "yahoo"],
  bounce_rate: ["yahoo", "microsoft"],
  tls: ["google"],
  reverse_dns: ["google", "yahoo"],
  reply_address: ["microsoft"],
  tls_replies: [],
} as const satisfies Record<string, readonly Asker[]>;
export type Rule = keyof typeof ASKED_BY;
export const RULES = Object.keys(ASKED_BY) as [Rule, ...Rule[]];

export const RULE_STATUSES = ["ok", "failing", "unknown"] as const;
export type RuleStatus = (typeof RULE_STATUSES)[number];

export interface Figure {
  name: string;
  value: number;
  /** What the value is held against; null for one that is only told. */
  limit: number | null;
}

export interface Period {
  since: Date;
  until: Date;
}

/** How a domain stands by one rule. */
export interface HealthRow {
  rule: Rule;
  askedBy: readonly Asker[];
  status: RuleStatus;
  /** What was seen, as a sentence. */
  evidence: string;
  figures: Figure[];
  /** What the figures and the evidence are about; both ends are one instant where something was looked at. Null before the first look. */
  period: Period | null;
  /** What mends it, or makes it known; null where nothing is to be done. */
  whatToDo: string | null;
  /** The kind of the thing in need of its owner that says it already; null mostly. */
  toldBy: string | null;
}

type Told = Partial<Pick<HealthRow, "figures" | "period" | "whatToDo" | "toldBy">>;

export const row = (
  rule: Rule,
  status: RuleStatus,
  evidence: string,
  { figures = [], period = null, whatToDo = null, toldBy = null }: Told = {},
): HealthRow => ({
  ...{ rule, askedBy: ASKED_BY[rule], status, evidence, figures, period },
  ...{ whatToDo, toldBy },
});

export const figure = (name: string, value: number, limit: number | null = null): Figure => ({
  ...{ name, value, limit },
});

export const atOnce = (at: Date | null): Period | null => at && { since: at, until: at };

const QUOTED = 200;

/** What strangers wrote, as part of a sentence. */
export const quoted = (text: string): string => oneLine(text, QUOTED);

/** Names, three of them at most. */
export function list(names: readonly string[]): string {
  const all = [...new Set(names)];
  const shown = all.slice(0, 3);
  return all.length > shown.length
    ? `${shown.join(", ")} and ${all.length - shown.length} more`
    : shown.join(" and ");
}

/** `2 messages`. */
export const counted = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? "" : "s"}`;

/** Of a whole, in percent with two places, cut: 0.299 % is not 0.3. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.floor((10_000 * part) / whole) / 100;

/** A rule that is not kept, for readers that are given only its words. */
export const wordsOfRule = ({
  evidence,
  whatToDo,
}: Pick<HealthRow, "evidence" | "whatToDo">): string =>
  [evidence, whatToDo].filter(Boolean).join(" ");
