import type { DomainOperators } from "../api/schema.ts";
import { num } from "./words.ts";

export type OperatorRow = DomainOperators["operators"][number];

/** What is written to it, where that is less; and what it says, what is by policy marked so. */
export const saidWords = ({ replies, rate }: OperatorRow): string =>
  [
    rate && `${rate.per_hour} an hour`,
    ...replies.map(({ reply, is_policy: isPolicy }) => (isPolicy ? "Policy: " : "") + reply),
  ]
    .filter(Boolean)
    .join(" · ");

/** "3 inbox, 2 promotions, 1 spam"; empty where no test went. */
export function placedWords({ placement }: OperatorRow): string {
  if (placement === null) return "";
  const { inbox, spam, other, missing, categories } = placement;
  const tabs = Object.fromEntries(categories.map(({ category, mails }) => [category, mails]));
  return Object.entries({ inbox, ...tabs, spam, other, missing })
    .filter(([, mails]) => mails > 0)
    .map(([word, mails]) => `${num(mails)} ${word}`)
    .join(", ");
}
