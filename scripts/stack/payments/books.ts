import { randomBytes } from "node:crypto";
import { openJournal, type Table } from "../journal.ts";
import type { CallLog, Faults } from "../part.ts";
import type {
  Charge,
  Checkout,
  Dispute,
  KeptAnswer,
  Payment,
  Refund,
  StoredEvent,
} from "./model.ts";

/** All that this Stripe knows, in the order in which it came about. */
export interface Books {
  checkouts: Table<Checkout>;
  payments: Table<Payment>;
  charges: Table<Charge>;
  refunds: Table<Refund>;
  disputes: Table<Dispute>;
  events: Table<StoredEvent>;
  /** By idempotency key. */
  answers: Table<KeptAnswer>;
  close(): void;
}

export function openBooks(file?: string): Books {
  const { table, close } = openJournal(file);
  return {
    checkouts: table("checkouts"),
    payments: table("payments"),
    charges: table("charges"),
    refunds: table("refunds"),
    disputes: table("disputes"),
    events: table("events"),
    answers: table("answers"),
    close,
  };
}

/** What the part's pieces share. */
export interface State {
  books: Books;
  faults: Faults;
  log: CallLog;
  /** Where the hosted page is; known once the server listens. */
  url(): string;
  /** Where events go; null: nowhere. */
  endpointUrl(): string | null;
  /** Told when something was written, so that due times and open pages are looked at again. */
  changed(): void;
}

export const now = () => Math.floor(Date.now() / 1000);

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** `ch_3Qx...`, as unlike any other as Stripe's. */
export function newId(prefix: string, length = 24): string {
  return prefix + [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}
