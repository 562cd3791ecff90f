import {
  type OperatorFacts,
  operatorFacts,
  type OperatorPlaced,
  type OperatorReply,
  type OperatorSums,
  type SlowRate,
} from "#db/senders/domain-operators.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { isPolicy, type RefusalCategory } from "#src/domain/people/refusals/categories.ts";
import { refusalReason } from "#src/domain/people/refusals/reason.ts";
import { DAY_MS } from "#src/platform/durations.ts";
import { oneLine } from "#src/platform/one-line.ts";
import { requireDomain } from "../domains.ts";

export { MOST_OPERATORS } from "#db/senders/domain-operators.ts";

/** What receivers said, so many different ones of each operator. */
const SHOWN_REPLIES = 3;
const SHOWN_LETTERS = 300;

interface ReadReply extends OperatorReply {
  category: RefusalCategory;
}

/** Placement tests of the domain at one operator; null without any. */
export interface PlacedSums {
  mails: number;
  inbox: number;
  spam: number;
  other: number;
  missing: number;
  /** Of those in the inbox, by Gmail's tab. */
  categories: { category: string; mails: number }[];
  lastAt: Date;
}

export interface OperatorRow {
  operator: string;
  /** Null where only placement tests went there. */
  ledger: (OperatorSums & { refusedByPolicy: number; waitingByPolicy: number }) | null;
  replies: { reply: string; category: RefusalCategory; isPolicy: boolean; messages: number }[];
  placement: PlacedSums | null;
  /** Null where the domain writes to it as it likes. */
  rate: Omit<SlowRate, "operator"> | null;
}

export interface DomainOperators {
  domain: string;
  since: Date;
  until: Date;
  /** Of the oldest message that is counted; null for none. */
  countedSince: Date | null;
  messages: number;
  /** Operators beyond those that are told. */
  more: number;
  operators: OperatorRow[];
}

/** How receiving operators took a domain's mail in the last so many days. Throws `not_found`. */
export async function readOperators(
  deps: Deps,
  principal: Principal,
  domainId: string,
  days: number,
): Promise<DomainOperators> {
  const { domain } = await requireDomain(deps, principal, domainId);
  const now = deps.clock.now();
  const since = new Date(now.getTime() - days * DAY_MS);
  const facts = await operatorFacts(deps.db, domainId, { since, now });
  const [first] = facts.sums;
  return {
    domain,
    since,
    until: now,
    countedSince: first?.since ?? null,
    messages: first?.allMessages ?? 0,
    more: (first?.allOperators ?? 0) - facts.sums.length,
    operators: operatorRows(facts),
  };
}

/** Those with most messages first, then those that only tests went to. */
export function operatorRows({ sums, replies, placed, rates }: OperatorFacts): OperatorRow[] {
  const read = replies.map((each) => ({ ...each, category: categoryOf(each.reply) }));
  const names = new Set([...sums, ...placed, ...rates].map(({ operator }) => operator));
  return [...names].map((operator) => {
    const of = <T extends { operator: string }>(rows: readonly T[]) =>
      rows.filter((row) => row.operator === operator);
    const said = of(read);
    const ledger = of(sums)[0];
    return {
      operator,
      ledger: ledger === undefined ? null : withPolicy(ledger, said),
      replies: shown(said),
      placement: placedSums(of(placed)),
      rate: rateOf(of(rates)),
    };
  });
}

function rateOf([rate]: readonly SlowRate[]): OperatorRow["rate"] {
  if (rate === undefined) return null;
  const { operator: _, reason, ...slow } = rate;
  return { ...slow, reason: oneLine(reason, SHOWN_LETTERS) };
}

const total = (rows: readonly { messages: number }[]) =>
  rows.reduce((sum, { messages }) => sum + messages, 0);

function withPolicy(sums: OperatorSums, said: readonly ReadReply[]) {
  const byPolicy = said.filter(({ category }) => isPolicy(category));
  return {
    ...sums,
    refusedByPolicy: total(byPolicy.filter(({ how }) => how === "refused")),
    waitingByPolicy: total(byPolicy.filter(({ how }) => how === "waiting")),
  };
}

/** A receiver's words as a bounce report's are read: an SMTP reply begins with its code (RFC 5321 section 4.2), perhaps an enhanced one (RFC 3463). */
function categoryOf(reply: string): RefusalCategory {
  const [, code = ""] = /(?:^|\s)([45]\d\d)(?=[ -]|$)/.exec(reply) ?? [];
  const [status = ""] = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(reply) ?? [];
  return refusalReason({ format: "report", status, reply: code, diagnostic: reply }).category;
}

/** The same words, whatever stood beyond what is shown of them, once. */
function shown(said: readonly ReadReply[]): OperatorRow["replies"] {
  const known = new Map<string, OperatorRow["replies"][number]>();
  for (const { reply, category, messages } of said) {
    const line = oneLine(reply, SHOWN_LETTERS);
    const before = known.get(line)?.messages ?? 0;
    known.set(line, {
      ...{ reply: line, category, isPolicy: isPolicy(category) },
      messages: before + messages,
    });
  }
  return [...known.values()].toSorted((a, b) => b.messages - a.messages).slice(0, SHOWN_REPLIES);
}

function placedSums(placed: readonly OperatorPlaced[]): PlacedSums | null {
  if (placed.length === 0) return null;
  const mails = (rows: readonly OperatorPlaced[]) => rows.reduce((sum, row) => sum + row.mails, 0);
  const at = (place: OperatorPlaced["place"]) =>
    mails(placed.filter((row) => row.state === "found" && row.place === place));
  const tabs = Map.groupBy(
    placed.filter(({ place, category }) => place === "inbox" && category !== null),
    ({ category }) => category!,
  );
  return {
    mails: mails(placed),
    inbox: at("inbox"),
    spam: at("spam"),
    other: at("other"),
    missing: mails(placed.filter(({ state }) => state === "missing")),
    categories: [...tabs].map(([category, rows]) => ({ category, mails: mails(rows) })),
    lastAt: new Date(Math.max(...placed.map(({ lastAt }) => lastAt.getTime()))),
  };
}
