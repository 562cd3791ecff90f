import { newId, type State } from "./books.ts";
import { type ErrorName, NetworkRefusal } from "./errors.ts";
import type { Account, Act, Limits } from "./model.ts";

const DAY_MS = 86_400_000;

/** Unless a test or the page sets others: https://www.linkedin.com/help is silent on them, so these are what its users report. */
const NORMAL: Limits = {
  invitations_per_day: 100,
  invitations_per_week: 200,
  notes_per_month: 5,
  messages_per_day: null,
  views_per_day: null,
};

export function limitsOf({ books }: State, { owner, isPremium }: Account): Limits {
  const premium = isPremium ? { notes_per_month: null } : {};
  return { ...NORMAL, ...premium, ...books.limits.get(owner) };
}

/** Acts of a member that one limit counts, over a window that rolls. */
const WINDOWS = [
  ["invitations_per_day", 1, "cannot_resend_yet", ({ kind }) => kind === "invite"],
  ["invitations_per_week", 7, "cannot_resend_yet", ({ kind }) => kind === "invite"],
  [
    "notes_per_month",
    30,
    "insufficient_credits",
    ({ kind, text }) => kind === "invite" && text !== null,
  ],
  ["messages_per_day", 1, "limit_exceeded", ({ kind }) => kind === "message"],
  ["views_per_day", 1, "limit_exceeded", ({ kind }) => kind === "visit" || kind === "view"],
] as const satisfies [keyof Limits, number, ErrorName, (act: Act) => boolean][];

const WORDS: Partial<Record<ErrorName, string>> = {
  cannot_resend_yet: "You have reached a temporary provider limit. Try again later.",
  insufficient_credits: "You don't have enough credits to perform this action.",
  limit_exceeded: "You have exceeded the limit of this action.",
};

export const limitRefusal = (errorName: ErrorName) =>
  new NetworkRefusal(errorName, WORDS[errorName] ?? "");

/** Writes down what a member does, or refuses it where the network allows no more of it. */
export function act(state: State, account: Account, what: Pick<Act, "kind" | "person" | "text">) {
  const { id, owner } = account;
  const doing: Act = { at: Date.now(), account: id, owner, ...what };
  const limits = limitsOf(state, account);
  for (const [name, days, errorName, counts] of WINDOWS) {
    const limit = limits[name];
    if (limit === null || !counts(doing)) continue;
    const since = doing.at - days * DAY_MS;
    if (recentActs(state, owner, since).filter(counts).length >= limit)
      throw limitRefusal(errorName);
  }
  state.books.acts.add(newId(), doing);
}

function recentActs({ books }: State, owner: string, since: number): readonly Act[] {
  const all = books.acts.of(owner);
  return all.slice(all.findLastIndex(({ at }) => at <= since) + 1);
}
