import { startHttpServer } from "../page-server.ts";
import { createCallLog, createFaults, type Part } from "../part.ts";
import { type Boxes, openBoxes } from "./boxes.ts";
import { boxesApi } from "./boxes-api.ts";
import { imapFaults } from "./imap-faults.ts";
import { startImapServer } from "./imap-server.ts";
import { createLogins, type LoginOptions } from "./logins.ts";
import { ActionRefused } from "./message-actions.ts";
import { listMessages, mailboxApi, type MessageFilter } from "./mailbox-api.ts";
import type { StoredMessage } from "./message-parse.ts";
import { openMessageStore, type WireEntry } from "./message-store.ts";
import { openSentBackBook } from "./sent-back.ts";
import { operatorOf } from "./operators.ts";
import { createPageImages, pageApi } from "./page-api.ts";
import type { DeliverMail, PassingMail } from "./return-mail.ts";
import { smtpFaults } from "./smtp-faults.ts";
import { startSmtpServer } from "./smtp-server.ts";

export type { MessageFilter, StoredMessage, WireEntry };

export interface MailboxOptions {
  /** 0 or absent: any free port. */
  httpPort?: number;
  smtpPort?: number;
  imapPort?: number;
  username: string;
  password: string;
  /** Whether an access token opens that mailbox (the stack's `oauth`); without it no login by token works. */
  acceptsToken?: LoginOptions["acceptsToken"];
  /** With it, STARTTLS is offered and nothing is accepted without, and IMAP begins with TLS. */
  tls?: { key: string; cert: string };
  /** Keeps messages and the wire log over a restart. */
  stateFile?: string;
  /** Keeps people's mailboxes over a restart. */
  boxesFile?: string;
  /** Lets stack time pass before a button takes effect. */
  advance?: (seconds: number) => Promise<void>;
  /** Takes what the mailbox's people send back to an address that has no mailbox here. */
  deliver?: DeliverMail;
  /** Whether mail to the address comes to `deliver` by its domain's MX, from any sender. */
  isRouted?: (address: string) => boolean;
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
  /** Where mailboxes are read, each by its address and the password of SMTP. */
  imap: { host: string; port: number; security: "tls" | "none" };
  boxes: Boxes;
  /** Oldest first. */
  messages(filter?: MessageFilter): Promise<StoredMessage[]>;
  /** Every message accepted, also those deleted since. */
  wireLog(): WireEntry[];
  /** Messages accepted since the start or the last `clear`. */
  readonly transactions: number;
  /** Connections accepted since the start or the last `clear`. */
  readonly connections: number;
  /** Forgets messages, mailboxes, wire log, counts and tried greylisting addresses; faults stay. */
  clear(): void;
}

/** Starts the SMTP submission server, the IMAP server of the senders' own mailboxes, and the page and API, all on 127.0.0.1. */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const log = createCallLog();
  const faults = createFaults({ ...smtpFaults, ...imapFaults });
  const store = openMessageStore(options.stateFile);
  const boxes = openBoxes(options.boxesFile);
  const logins = createLogins(options, boxes);
  const sentBack = openSentBackBook(options.stateFile && `${options.stateFile}.sent-back`);
  const images = createPageImages();
  let transactions = 0;
  let changed = () => {};

  const smtpServer = await startSmtpServer({
    port: options.smtpPort ?? 0,
    accepts: logins.relay,
    acceptsToken: options.acceptsToken && logins.relayToken,
    tls: options.tls,
    faults,
    deliver(message) {
      const entry = store.add(message);
      transactions += 1;
      const { from } = entry.envelope;
      for (const to of entry.envelope.to) passOn({ from, to, raw: message.raw });
      log.add(`message from ${entry.envelope.from} to ${entry.envelope.to.join(", ")}`, entry);
      changed();
    },
    note: (summary) => log.add(summary),
  });

  const imapServer = await startImapServer({
    port: options.imapPort ?? 0,
    tls: options.tls,
    boxes,
    logins: logins.mailbox,
    faults,
    note: (summary) => log.add(summary),
  }).catch(async (error: unknown) => {
    await smtpServer.close();
    throw error;
  });

  const smtp: Mailbox["smtp"] = {
    // Certificates name hosts, and clients check the name they connected to.
    host: options.tls === undefined ? "127.0.0.1" : "localhost",
    port: smtpServer.port,
    security: options.tls === undefined ? "none" : "starttls",
    username: options.username,
    password: options.password,
  };

  /** What was sent to an address that is at home here, or whose mail the service takes, goes there too. */
  function passOn(mail: PassingMail) {
    if (boxes.has(mail.to)) return receive(boxes, mail);
    if (options.deliver === undefined || options.isRouted?.(mail.to) !== true) return;
    options
      .deliver(mail)
      .catch((error: unknown) => log.add(`not routed to ${mail.to}: ${(error as Error).message}`));
  }

  const deliverBack: DeliverMail = async (mail) => {
    if (boxes.has(mail.to)) return receive(boxes, mail);
    if (options.deliver === undefined)
      throw new ActionRefused("nobody takes mail from this mailbox");
    await options.deliver(mail);
  };

  const routes = [
    ...boxesApi(boxes),
    ...mailboxApi({
      store,
      advance: options.advance,
      deliver: deliverBack,
      opened: images.opened,
      wentBack(...answer) {
        sentBack.add(...answer);
        changed();
      },
      deleteAll() {
        store.deleteAll();
        sentBack.clear();
        images.clear();
        changed();
      },
    }),
    ...pageApi({
      store,
      sentBack,
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
    await Promise.all([smtpServer.close(), imapServer.close()]);
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
    imap: {
      host: smtp.host,
      port: imapServer.port,
      security: options.tls === undefined ? "none" : "tls",
    },
    boxes,
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
      boxes.clear();
      sentBack.clear();
      images.clear();
      smtpServer.clear();
      transactions = 0;
      changed();
    },
    async close() {
      await Promise.all([smtpServer.close(), imapServer.close(), httpServer.close()]);
      store.close();
      boxes.close();
      sentBack.close();
    },
  };
}

/** Lays mail into a mailbox as its provider's delivery does, with the envelope in the header. */
function receive(boxes: Boxes, { from, to, raw }: PassingMail) {
  const bytes = typeof raw === "string" ? Buffer.from(raw) : raw;
  const operator = operatorOf(to);
  const text = bytes.toString("latin1");
  const folder = operator.file(text);
  if (folder === null) return;
  const judged = operator.authentication(text);
  const trace = `Return-Path: <${from}>\r\nDelivered-To: ${to}\r\n${judged === null ? "" : `Authentication-Results: ${judged}\r\n`}`;
  boxes.put(to, Buffer.concat([Buffer.from(trace), bytes]), { folder });
}
