/**
 * A professional network, through the provider that keeps its sessions. Ids are the provider's and opaque. No call
 * throws for what the network or the provider says: every answer is an `Answer`. No call is repeated by itself.
 */
export interface Network {
  readonly accounts: NetworkAccounts;
  readonly people: NetworkPeople;
  readonly chats: NetworkChats;
  readonly posts: NetworkPosts;
  readonly events: NetworkEvents;
}

export type Answer<Value> = { ok: true; value: Value } | { ok: false; failure: NetworkFailure };

/**
 * Why something was not done, and whose trouble that is. `code` is the provider's own word, `detail` says it to people,
 * without what was sent.
 */
export type NetworkFailure = {
  code: string;
  detail: string;
} & (
  | {
      /** The account has used up what the network allows it of this for now, mostly until tomorrow; of its notes alone, for weeks; or calls come too fast. */
      kind: "limited";
      scope: "action" | "notes" | "calls";
      retryAfterSeconds?: number;
    }
  /** The account's session is gone or restricted: its owner has to connect it again. */
  | { kind: "account" }
  /** Name or password, or the code of a checkpoint, is wrong; or the challenge is over. */
  | { kind: "refused_login"; reason: "credentials" | "code" | "expired" }
  /** This person: gone, not connected, invited already, takes no messages. */
  | { kind: "person"; reason: PersonReason }
  /** This request will never be taken as it is. */
  | { kind: "request" }
  /** Our own key or subscription. */
  | { kind: "configuration" }
  /** Nothing was done; the provider or the way to it is down. */
  | { kind: "down"; retryAfterSeconds?: number }
  /** The answer was lost after the request had left: it may have been done. */
  | { kind: "unknown" }
);

export type PersonReason =
  | "not_found"
  | "unreachable"
  | "not_connected"
  | "already_connected"
  | "already_invited";

export interface Credentials {
  username: string;
  password: string;
  /** ISO 3166-1 alpha-2: from where the session is opened. */
  country?: string;
}

export const CHECKPOINT_TYPES = [
  "otp",
  "two_factor",
  "in_app_validation",
  "captcha",
  "phone_register",
] as const;
export type CheckpointType = (typeof CHECKPOINT_TYPES)[number];

export type Connection =
  | { state: "connected"; accountId: string }
  | { state: "checkpoint"; accountId: string; type: CheckpointType };

/** `connecting`: a session is being opened, or a challenge is open. */
export type SessionStatus = "connected" | "connecting" | "disconnected" | "error";

export interface NetworkAccount {
  id: string;
  status: SessionStatus;
  /** The owner's own id at the network, the same whenever this person is connected again; null until known. */
  personId: string | null;
  displayName: string | null;
  profileUrl: string | null;
  publicIdentifier: string | null;
  /** Whether it pays the network: longer notes, more requests. */
  isPremium: boolean;
}

export interface NetworkAccounts {
  connect(credentials: Credentials): Promise<Answer<Connection>>;
  reconnect(accountId: string, credentials: Credentials): Promise<Answer<Connection>>;
  /** An empty code asks whether the owner has approved it elsewhere; it has not where the answer is that checkpoint. */
  solveCheckpoint(accountId: string, code: string): Promise<Answer<Connection>>;
  /** Null when the provider has no such account. */
  get(accountId: string): Promise<Answer<NetworkAccount | null>>;
  /** Safe to repeat. */
  remove(accountId: string): Promise<Answer<null>>;
}

export interface Person {
  id: string;
  publicIdentifier: string | null;
  name: string | null;
  profileUrl: string | null;
  headline: string | null;
  isConnected: boolean;
  /** An invitation of this account is open. */
  isInvited: boolean;
}

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

export interface SentInvitation {
  id: string;
  personId: string | null;
  publicIdentifier: string | null;
  sentAt: Date | null;
}

export interface Relation {
  personId: string;
  publicIdentifier: string | null;
  since: Date | null;
}

export interface NetworkPeople {
  /** By public identifier or id. `visit` lets the person see that the account looked. */
  profile(
    accountId: string,
    identifier: string,
    options?: { visit?: boolean },
  ): Promise<Answer<Person>>;
  invite(
    accountId: string,
    personId: string,
    note: string | null,
  ): Promise<Answer<{ invitationId: string | null }>>;
  /** Newest first. */
  sentInvitations(accountId: string, cursor?: string | null): Promise<Answer<Page<SentInvitation>>>;
  /** Safe to repeat: one that is gone is withdrawn. */
  withdrawInvitation(accountId: string, invitationId: string): Promise<Answer<null>>;
  /** Newest first. */
  relations(accountId: string, cursor?: string | null): Promise<Answer<Page<Relation>>>;
}

export interface Chat {
  id: string;
  accountId: string;
  attendee: { personId: string | null; name: string | null; profileUrl: string | null };
  lastMessage: ChatMessage | null;
  unreadCount: number;
  updatedAt: Date | null;
}

export interface ChatMessage {
  id: string;
  chatId: string;
  direction: "in" | "out";
  /** Its lines end in LF, whatever was sent. */
  text: string;
  sentAt: Date;
}

/** A message that an account received. */
export interface IncomingMessage {
  messageId: string;
  chatId: string;
  personId: string | null;
  text: string;
  at: Date;
}

export interface SentMessage {
  messageId: string;
  chatId: string;
}

export interface NetworkChats {
  /** Of one account, the latest first; the cursor says whose it is and is good for that account alone. */
  list(
    accountId: string,
    page: { limit: number; cursor: string | null },
  ): Promise<Answer<Page<Chat>>>;
  /** Null when there is none. Without its last message and its attendee's name: one call. */
  get(chatId: string): Promise<Answer<Chat | null>>;
  /** With a person, the latest first: by it one learns whether a message whose answer was lost was said. */
  messagesWith(accountId: string, personId: string, since: Date): Promise<Answer<ChatMessage[]>>;
  /** What was said to the account in all of its chats since then, the latest first. */
  heard(
    accountId: string,
    since: Date,
    cursor: string | null,
  ): Promise<Answer<Page<IncomingMessage>>>;
  send(chatId: string, text: string): Promise<Answer<SentMessage>>;
  /** Says it in the chat that there is, or opens one; only to a connected person. */
  start(accountId: string, personId: string, text: string): Promise<Answer<SentMessage>>;
}

export interface PostImage {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
  filename: string;
}

export interface PublishedPost {
  id: string;
  socialId: string | null;
  shareUrl: string | null;
  text: string;
  publishedAt: Date | null;
  isRepost: boolean;
  author: { id: string | null; name: string | null };
  attachments: Record<string, unknown>[];
  /** Null where the provider does not say. */
  impressions: number | null;
  reactions: number | null;
  comments: number | null;
  reposts: number | null;
}

export interface NetworkPosts {
  /** The id is null where the provider does not say it: then it is found by listing. */
  publish(
    accountId: string,
    text: string,
    image: PostImage | null,
  ): Promise<Answer<{ postId: string | null }>>;
  /** Of a person, the latest first. */
  list(
    accountId: string,
    personId: string,
    cursor?: string | null,
  ): Promise<Answer<Page<PublishedPost>>>;
  /** By id or social id; null when it is gone. */
  get(accountId: string, postId: string): Promise<Answer<PublishedPost | null>>;
}

/** What the provider tells by webhook. Late, twice and out of order: nothing in it is believed without a second look where that costs little. */
export type NetworkEvent =
  | { kind: "account_changed"; accountId: string }
  | {
      kind: "message";
      accountId: string;
      chatId: string;
      messageId: string;
      /** Of the other side. */
      personId: string | null;
      name: string | null;
      profileUrl: string | null;
      text: string;
      at: Date;
    }
  | {
      kind: "connected";
      accountId: string;
      personId: string;
      publicIdentifier: string | null;
      profileUrl: string | null;
    };

export interface NetworkEvents {
  /** Whether the provider sent these headers; false too while no secret is configured. */
  isAuthentic(headers: Headers): Promise<boolean>;
  /** What a body says that counts: our own messages are not in it. Throws `NetworkEventFault` for one that cannot be read. */
  eventsOf(body: string): NetworkEvent[];
  /** What a registration stands by, as a digest: one for another address, or under another secret, is another. */
  registrationOf(callbackUrl: string): Promise<string>;
  /** Registers what is not registered yet; safe to repeat. */
  ensureRegistered(callbackUrl: string): Promise<Answer<{ created: number }>>;
}

export class NetworkEventFault extends Error {}
