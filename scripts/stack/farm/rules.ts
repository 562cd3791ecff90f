import type { Conditions, Rule } from "./format.ts";

/** What a host knows when it is about to answer. */
export interface Moment {
  /** The recipient's local part, where the command has one. */
  toLocal: string;
  /** Empty for the null sender. */
  from: string;
  helo: string;
  isTls: boolean;
  /** Of this session, before the command in question. */
  rcpts: number;
  refused: number;
  accepted: number;
  /** 0 for what is seen for the first time now. */
  firstSeenMsAgo: number;
  /** This connection included. */
  open: number;
  openedInAMinute: number;
}

type Wanted<Key extends keyof Conditions> = NonNullable<Conditions[Key]>;

const CONDITIONS: {
  [Key in keyof Required<Conditions>]: (wanted: Wanted<Key>, now: Moment) => boolean;
} = {
  to: (locals, { toLocal }) => locals.some((local) => local.toLowerCase() === toLocal),
  to_like: (like, { toLocal }) => like.test(toLocal),
  from: (senders, { from }) => senders.some((sender) => isSender(sender.toLowerCase(), from)),
  helo: (pattern, { helo }) => pattern.test(helo),
  tls: (wanted, { isTls }) => wanted === isTls,
  rcpts_over: (limit, { rcpts }) => rcpts >= limit,
  refused_over: (limit, { refused }) => refused >= limit,
  accepted_over: (limit, { accepted }) => accepted >= limit,
  first_seen_within_ms: (limit, { firstSeenMsAgo }) => firstSeenMsAgo < limit,
  open_over: (limit, { open }) => open > limit,
  opened_in_a_minute_over: (limit, { openedInAMinute }) => openedInAMinute > limit,
};

function isSender(wanted: string, from: string): boolean {
  if (wanted === "<>") return from === "";
  return wanted.startsWith("@") ? from.endsWith(wanted) : from === wanted;
}

/** The first rule that fits. */
export function chooseRule(rules: readonly Rule[], now: Moment): Rule | undefined {
  return rules.find(({ when = {} }) =>
    Object.entries(when).every(
      ([name, wanted]) =>
        wanted === undefined || CONDITIONS[name as keyof Conditions](wanted as never, now),
    ),
  );
}
