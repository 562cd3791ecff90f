/**
 * The rules of the lanes of a professional network, as pure functions: what an
 * account may do on a day, and when a step that waits for somebody may go.
 */

export type NetworkAction = "connection_request" | "message" | "profile_view";

export const ACCOUNT_STATUSES = [
  "connected",
  "rate_limited",
  "disconnected",
  "reconnecting",
  "error",
] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export interface AccountLimits {
  dailyConnectionLimit: number;
  dailyMessageLimit: number;
  weeklyConnectionLimit: number;
  /** Days over which a new account grows into its limits; 0: at once. */
  warmupDays: number;
}

export const DEFAULT_LIMITS: AccountLimits = {
  dailyConnectionLimit: 20,
  dailyMessageLimit: 50,
  weeklyConnectionLimit: 100,
  warmupDays: 14,
};

const DAY_MS = 86_400_000;

/** The first day of an account is day 1. */
export const accountDay = (connectedAt: Date, at: Date): number =>
  Math.max(1, Math.floor((at.getTime() - connectedAt.getTime()) / DAY_MS) + 1);

/** A daily limit while the account warms up: a share that grows by the day, at least one. */
export function warmedUp(limit: number, day: number, warmupDays: number): number {
  if (limit === 0 || warmupDays <= 0 || day >= warmupDays) return limit;
  return Math.max(1, Math.floor((limit * day) / warmupDays));
}

export interface AccountUse {
  /** Actions of the kind today, by the workspace's calendar. */
  today: number;
  /** Connection requests of the last seven days, today's included. */
  connectionsThisWeek: number;
}

/** How many more actions of a kind the account may do today. Looking at a profile counts as a message. */
export function roomToday(
  action: NetworkAction,
  limits: AccountLimits,
  day: number,
  use: AccountUse,
): number {
  const isConnection = action === "connection_request";
  const limit = isConnection ? limits.dailyConnectionLimit : limits.dailyMessageLimit;
  const room = warmedUp(limit, day, limits.warmupDays) - use.today;
  const week = isConnection ? limits.weeklyConnectionLimit - use.connectionsThisWeek : Infinity;
  return Math.max(0, Math.min(room, week));
}

export type LaneOpening = { open: true } | { open: false; until: Date | null };

/** Whether an account's lanes may act: one that the network limits comes back by itself, any other needs somebody. */
export function laneOpening(
  status: AccountStatus,
  limitedUntil: Date | null,
  at: Date,
): LaneOpening {
  if (status === "connected") return { open: true };
  if (status !== "rate_limited") return { open: false, until: null };
  if (limitedUntil !== null && limitedUntil <= at) return { open: true };
  return { open: false, until: limitedUntil };
}

/** A message to somebody who was asked to connect waits this long for the answer. */
const ACCEPTANCE_MS = 14 * DAY_MS;

export interface WaitingMessage {
  /** When the connection was asked for; null when no earlier step asked. */
  requestedAt: Date | null;
  acceptedAt: Date | null;
  /** When the step is due by its own delay. */
  dueAt: Date;
  /** The steps that follow, by their channel. */
  laterSteps: readonly { step: number; channel: "email" | "socialnet" }[];
}

export type MessagePlan =
  /** May go from then on. */
  | { do: "send"; at: Date }
  /** Nothing to do before then, unless the person accepts. */
  | { do: "wait"; until: Date }
  /** Nobody accepted: the lead goes on with its next email. */
  | { do: "skip_to"; step: number }
  /** Nobody accepted, and no email is left. */
  | { do: "end" };

/** What becomes of a message step: it follows an acceptance, and is given up after 14 days without one. */
export function planMessage(message: WaitingMessage, at: Date): MessagePlan {
  const { requestedAt, acceptedAt, dueAt, laterSteps } = message;
  if (requestedAt === null) return { do: "send", at: dueAt };
  if (acceptedAt !== null) return { do: "send", at: acceptedAt > dueAt ? acceptedAt : dueAt };
  const until = new Date(requestedAt.getTime() + ACCEPTANCE_MS);
  if (at < until) return { do: "wait", until };
  const email = laterSteps.find(({ channel }) => channel === "email");
  return email === undefined ? { do: "end" } : { do: "skip_to", step: email.step };
}
