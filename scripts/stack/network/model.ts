/** What `sources[].status` of an account says (Unipile, API v1). */
export const SOURCE_STATUSES = [
  "OK",
  "STOPPED",
  "ERROR",
  "CREDENTIALS",
  "PERMISSIONS",
  "CONNECTING",
] as const;
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

/** What a login may have to pass before its session opens. */
export type Challenge = "OTP" | "2FA_APP" | "IN_APP" | "CAPTCHA" | "PHONE";

/** A session that the provider keeps for a member. Neither password nor code is in it. */
export interface Account {
  id: string;
  /** Public identifier of the member whose session it is. */
  owner: string;
  isPremium: boolean;
  createdAt: number;
  status: SourceStatus;
  /** The network has restricted the member: whatever is asked is refused. */
  isRestricted: boolean;
  /** It has never been connected. */
  isNew: boolean;
  /** What is still to be passed; the first is open now. */
  challenges: Challenge[];
  /** When the open challenge is over; null without one. */
  challengeEndsAt: number | null;
  wrongCodes: number;
  /** How often the service asked whether the owner said yes in the app. */
  polls: number;
}

/** Between a member and a person; only the latest is kept. */
export interface Invitation {
  id: string;
  owner: string;
  person: string;
  note: string | null;
  at: number;
  /** `ignored` looks like `pending` to the member who sent it. */
  state: "pending" | "ignored" | "accepted" | "withdrawn";
  endedAt: number | null;
}

export interface Relation {
  owner: string;
  person: string;
  since: number;
}

/** The one conversation of a member with a person. */
export interface Chat {
  id: string;
  owner: string;
  person: string;
  lastAt: number;
  unread: number;
}

export interface Message {
  id: string;
  chat: string;
  /** Public identifier. */
  sender: string;
  text: string;
  at: number;
}

export interface Post {
  /** Digits of the activity. */
  id: string;
  owner: string;
  text: string;
  at: number;
  image: ImageFacts | null;
}

export interface ImageFacts {
  id: string;
  type: string;
  bytes: number;
  width: number;
  height: number;
}

/** What a member did, by the API or the page; nothing is ever taken out. */
export interface Act {
  at: number;
  account: string;
  owner: string;
  kind: "view" | "visit" | "invite" | "withdraw" | "message" | "post";
  /** Null for a post. */
  person: string | null;
  text: string | null;
}

/** What a person does, where it differs from what the public identifier says. Seconds of stack time; null: never. */
export interface Manners {
  accepts_after?: number | null;
  answers_after?: number | null;
  answer?: string;
  /** How long the provider takes to tell of an acceptance. */
  told_after?: number;
}

/** Something that a person does, or that is told, at a later instant. */
export type Plan = { dueAt: number } & (
  | { kind: "accept"; invitation: string }
  | { kind: "answer"; chat: string; text: string }
  | { kind: "tell_relation"; owner: string; person: string }
);

export const WEBHOOK_SOURCES = ["messaging", "account_status", "users"] as const;
export type WebhookSource = (typeof WEBHOOK_SOURCES)[number];

export interface Webhook {
  id: string;
  source: WebhookSource;
  name: string | null;
  request_url: string;
  events: string[];
  headers: { key: string; value: string }[];
  account_ids: string[];
  enabled: boolean;
}

/** One call of a webhook that is owed. */
export interface Delivery {
  webhook: string;
  body: string;
  attempts: number;
  dueAt: number;
  /** It waits for the next one to pass it. */
  isSwapped: boolean;
}

/** What the network allows a member; null: as much as he likes. */
export interface Limits {
  invitations_per_day: number | null;
  invitations_per_week: number | null;
  notes_per_month: number | null;
  messages_per_day: number | null;
  views_per_day: number | null;
}
