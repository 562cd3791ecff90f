import { createHash, randomBytes } from "node:crypto";
import { openJournal, type Table } from "../journal.ts";
import type { CallLog, Faults } from "../part.ts";
import { type Agenda, createAgenda } from "./agenda.ts";
import type {
  Account,
  Act,
  Chat,
  Delivery,
  Invitation,
  Limits,
  Manners,
  Message,
  Post,
  Relation,
  Webhook,
} from "./model.ts";

/** All that this network knows, in the order in which it came about. */
export interface Books {
  accounts: Table<Account>;
  /** By `pair`. */
  invitations: Table<Invitation>;
  /** By `pair`. */
  relations: Table<Relation>;
  chats: Table<Chat>;
  messages: Table<Message>;
  posts: Table<Post>;
  /** By id, in base64. */
  images: Table<string>;
  acts: Table<Act>;
  /** By public identifier. */
  manners: Table<Manners>;
  limits: Table<Partial<Limits>>;
  agenda: Agenda;
  webhooks: Table<Webhook>;
  deliveries: Table<Delivery>;
  close(): void;
}

export function openBooks(file?: string): Books {
  const { table, close } = openJournal(file);
  return {
    accounts: table("accounts"),
    invitations: table("invitations"),
    relations: table("relations"),
    chats: table("chats"),
    messages: table("messages"),
    posts: table("posts"),
    images: table("images"),
    acts: table("acts"),
    manners: table("manners"),
    limits: table("limits"),
    agenda: createAgenda(table("plans")),
    webhooks: table("webhooks"),
    deliveries: table("deliveries"),
    close,
  };
}

/** What the part's pieces share. */
export interface State {
  books: Books;
  faults: Faults;
  log: CallLog;
  /** Where the part is; known once the server listens. */
  url(): string;
  /** Told when something was written, so that due times and open pages are looked at again. */
  changed(): void;
}

/** The key of what is between two. */
export const pair = (owner: string, person: string) => `${owner} ${person}`;

/** 22 letters and digits, as the provider's ids are. */
export function newId(): string {
  return randomBytes(24)
    .toString("base64")
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 22)
    .padEnd(22, "x");
}

/** The same for the same words, on every machine and after every restart. */
export function digest(...words: string[]): Buffer {
  return createHash("sha256").update(words.join("\0")).digest();
}

/** 0 to 1, never 1; the same for the same words. */
export const fraction = (...words: string[]) => digest(...words).readUInt32BE(0) / 2 ** 32;

/** Between two, evenly; the same for the same words. */
export const between = (least: number, most: number, ...words: string[]) =>
  Math.floor(least + fraction(...words) * (most - least));
