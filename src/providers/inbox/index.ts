/** The server of an inbox and the login to it. */
export interface InboxAccount {
  host: string;
  port: number;
  username: string;
  login: { password: string } | { accessToken: string };
  /** As people write it; the server's own spelling of it is the adapter's affair. */
  folder: string;
}

/** What a message says above its text, as far as was asked. */
export interface MessageHeader {
  uid: number;
  /** When it came into the folder, by the server's clock; null when the server does not say. */
  receivedAt: Date | null;
  /** Its first bytes, if it is long. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** A folder opened to read in: nothing in it is marked, moved or deleted. */
export interface OpenedInbox {
  /** UIDs hold as long as this stays what it is (RFC 9051 section 2.3.1.1). */
  readonly uidValidity: number;
  /** Every message that is there has a smaller one. */
  readonly uidNext: number;
  readonly messages: number;
  /** The UIDs that are there from this one on, ascending. */
  uidsFrom(first: number): Promise<number[]>;
  /** The UIDs of what came on that date or later, ascending. */
  uidsSince(date: Date): Promise<number[]>;
  /** These fields of these messages, by ascending UID; what is not there any more is left out. */
  headers(uids: readonly number[], fields: readonly string[]): Promise<MessageHeader[]>;
  /** The message's first bytes; null when it is not there any more. */
  message(uid: number, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Connects, logs in and opens the folder; throws InboxError, and so does whatever is asked then. */
export type OpenInbox = (account: InboxAccount) => Promise<OpenedInbox>;

export type InboxStage = "connect" | "greeting" | "login" | "folder" | "reading";

/** The inbox could not be read. `message` is in plain words, fit for its owner, and names no secret. */
export class InboxError extends Error {
  override readonly name = "InboxError";
  readonly stage: InboxStage;
  /** `account`: its owner has to act. `line`: connection and server may recover. */
  readonly fault: "account" | "line";

  constructor(stage: InboxStage, message: string, fault: "account" | "line") {
    super(message);
    this.stage = stage;
    this.fault = fault;
  }
}

export const PLACES = ["inbox", "spam", "other"] as const;
export type Place = (typeof PLACES)[number];

/** Tabs of Gmail's inbox. */
export const CATEGORIES = ["primary", "social", "promotions", "updates", "forums"] as const;
export type Category = (typeof CATEGORIES)[number];

/** A message where it lies. */
export interface Sighting {
  place: Place;
  /** The folder's name as people read it. */
  folder: string;
  /** Null where the provider has no categories, or the message lies outside of the inbox. */
  category: Category | null;
  uid: number;
  uidValidity: number;
  /** When it came into the folder, by the server's clock; null when the server does not say. */
  receivedAt: Date | null;
  /** The fields that were asked for, or their beginning. */
  header: Uint8Array<ArrayBuffer>;
}

/** A mailbox in which single messages are looked for, in every folder that a provider files mail into. */
export interface SearchedMailbox {
  /** Whether it has a folder for spam: without one, spam is not told from what never came. */
  readonly hasSpamFolder: boolean;
  /**
   * What carries these Message-IDs (without brackets), by them: in the inbox and in folders for spam, and where it is in
   * neither and `everywhere` is asked, in any other. Nothing is marked by it.
   */
  find(wish: {
    messageIds: readonly string[];
    fields: readonly string[];
    everywhere: boolean;
  }): Promise<Map<string, Sighting[]>>;
  /**
   * Deletes that one message, or moves it to the trash where a provider deletes so. False, and nothing is changed, where
   * it is not there any more, carries another Message-ID, or the server can only delete more than one message at once.
   */
  remove(sighting: Sighting, messageId: string): Promise<boolean>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Connects and logs in; throws InboxError, and so does whatever is asked then. The account's folder is left alone. */
export type OpenMailbox = (account: InboxAccount) => Promise<SearchedMailbox>;
