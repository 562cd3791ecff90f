import { startHttpServer } from "../page-server.ts";
import { createCallLog, createFaults, type Part } from "../part.ts";
import { listMessages, mailboxApi, type MessageFilter } from "./mailbox-api.ts";
import type { StoredMessage } from "./message-parse.ts";
import { openMessageStore, type WireEntry } from "./message-store.ts";
import { createPageImages, pageApi } from "./page-api.ts";
import type { DeliverMail } from "./return-mail.ts";
import { smtpFaults } from "./smtp-faults.ts";
import { startSmtpServer } from "./smtp-server.ts";

export type { MessageFilter, StoredMessage, WireEntry };

export interface MailboxOptions {
  /** 0 or absent: any free port. */
  httpPort?: number;
  smtpPort?: number;
  username: string;
  password: string;
  /** Whether an access token opens that mailbox (the stack's `oauth`); without it nobody logs in by token. */
  acceptsToken?: (email: string, token: string) => boolean;
  /** With it, STARTTLS is offered and nothing is accepted without. */
  tls?: { key: string; cert: string };
  /** Keeps messages and the wire log over a restart. */
  stateFile?: string;
  /** Lets stack time pass before a button takes effect. */
  advance?: (seconds: number) => Promise<void>;
  /** Takes the mail that the mailbox's people send back. */
  deliver?: DeliverMail;
  /** Where the telephones' inbox is, for the page to lead there; null while there is none. */
  messagingUrl?: () => string | null;
}

export interface Mailbox extends Part {
  smtp: {
    host: string;
    port: number;
    security: "starttls" | "none";
    username: string;
    password: string;
  };
  /** Oldest first. */
  messages(filter?: MessageFilter): Promise<StoredMessage[]>;
  /** Every message accepted, also those deleted since. */
  wireLog(): WireEntry[];
  /** Messages accepted since the start or the last `clear`. */
  readonly transactions: number;
  /** Connections accepted since the start or the last `clear`. */
  readonly connections: number;
  /** Forgets messages, wire log, counts and tried greylisting addresses; faults stay. */
  clear(): void;
}

/** Starts the SMTP submission server and the page and API that show what it received, all on 127.0.0.1. */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const log = createCallLog();
  const faults = createFaults(smtpFaults);
  const store = openMessageStore(options.stateFile);
  const images = createPageImages();
  let transactions = 0;
  let changed = () => {};

  const smtpServer = await startSmtpServer({
    port: options.smtpPort ?? 0,
    username: options.username,
    password: options.password,
    acceptsToken: options.acceptsToken,
    tls: options.tls,
    faults,
    deliver(message) {
      const entry = store.add(message);
      transactions += 1;
      log.add(`message from ${entry.envelope.from} to ${entry.envelope.to.join(", ")}`, entry);
      changed();
    },
    note: (summary) => log.add(summary),
  });

  const smtp: Mailbox["smtp"] = {
    // Certificates name hosts, and clients check the name they connected to.
    host: options.tls === undefined ? "127.0.0.1" : "localhost",
    port: smtpServer.port,
    security: options.tls === undefined ? "none" : "starttls",
    username: options.username,
    password: options.password,
  };

  const routes = [
    ...mailboxApi({
      store,
      advance: options.advance,
      deliver: options.deliver,
      opened: images.opened,
      deleteAll() {
        store.deleteAll();
        images.clear();
        changed();
      },
    }),
    ...pageApi({
      store,
      images,
      settings: () => ({
        ...smtp,
        password: undefined,
        messaging_url: options.messagingUrl?.() ?? null,
      }),
    }),
  ];
  const httpServer = await startHttpServer(options.httpPort ?? 0, routes, (summary) =>
    log.add(summary),
  ).catch(async (error: unknown) => {
    await smtpServer.close();
    throw error;
  });
  changed = httpServer.changed;
  const url = `http://127.0.0.1:${httpServer.port}`;

  return {
    name: "mailbox",
    url,
    faults,
    log,
    smtp,
    messages: (filter = {}) => listMessages(store, url, filter),
    wireLog: store.entries,
    get transactions() {
      return transactions;
    },
    get connections() {
      return smtpServer.connections();
    },
    clear() {
      store.clear();
      images.clear();
      smtpServer.clear();
      transactions = 0;
      changed();
    },
    async close() {
      await Promise.all([smtpServer.close(), httpServer.close()]);
      store.close();
    },
  };
}
