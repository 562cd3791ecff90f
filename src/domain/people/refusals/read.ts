import type { RefusalCategory } from "./categories.ts";
import type { Words } from "./bounce-patterns.ts";

/** Enhanced status codes without their class (RFC 3463, 5248, 7372, 7505; Exchange's beyond .300). */
const STATUS: Readonly<Record<string, RefusalCategory>> = {
  "1.1": "no_such_user",
  "1.2": "no_domain",
  "1.3": "no_such_user",
  "1.4": "no_such_user",
  "1.6": "moved",
  "1.7": "sender_rejected",
  "1.8": "sender_rejected",
  "1.10": "no_such_user",
  "1.351": "no_such_user",
  "2.1": "disabled",
  "2.2": "mailbox_full",
  "2.3": "too_big",
  "2.4": "recipient_filter",
  "3.1": "mailbox_full",
  "3.2": "system",
  "3.4": "too_big",
  "3.5": "system",
  "4.1": "timeout",
  "4.2": "network",
  "4.3": "system",
  "4.4": "no_domain",
  "4.5": "rate_limited",
  "4.6": "loop",
  "4.7": "timeout",
  "4.14": "loop",
  "4.300": "timeout",
  "4.310": "no_domain",
  "4.316": "timeout",
  "5.1": "protocol",
  "5.2": "protocol",
  "5.3": "rate_limited",
  "5.4": "protocol",
  "6.0": "content",
  "7.13": "disabled",
  "7.17": "no_such_user",
  "7.18": "no_domain",
  "7.25": "ip_blocked",
  "7.27": "sender_rejected",
  "7.28": "rate_limited",
  "7.509": "authentication",
  "7.515": "authentication",
};

const MAX_WORDS = 4_000;

/** The form in which words are looked for: lower case, single spaces, straight quotes, the first 4,000 characters. */
export const plainWords = (text: string): string =>
  text
    .slice(0, MAX_WORDS)
    .toLowerCase()
    .replace(/[\s"*_|]+/g, " ")
    .replace(/[’`´]/g, "'")
    .trim();

/** The first category whose words a plain text has. */
export function categoryByWords(words: Words, text: string): RefusalCategory | null {
  if (text === "") return null;
  return words.find(([, patterns]) => patterns.some((each) => each.test(text)))?.[0] ?? null;
}

/** By an enhanced status code (RFC 3463) such as `5.1.1`. */
export function categoryByStatus(status: string): RefusalCategory | null {
  const detail = status.slice(2);
  const isAuthentication = /^7\.(2[0-6]|3\d)$/.test(detail);
  return STATUS[detail] ?? (isAuthentication ? "authentication" : null);
}
