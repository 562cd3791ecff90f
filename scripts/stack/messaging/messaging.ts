import { startHttpServer } from "../page-server.ts";
import { createCallLog, createFaults, type Part, type TimedPart } from "../part.ts";
import { cloudApi, messagingFaults } from "./cloud-api.ts";
import { inboxApi, listMessages, type TelephoneFilter } from "./inbox-api.ts";
import { openTelephoneStore, type TelephoneMessage } from "./message-store.ts";
import { createStatusCalls } from "./status-calls.ts";
import { createStatuses } from "./statuses.ts";

export type { TelephoneFilter, TelephoneMessage };

export interface MessagingOptions {
  /** 0 or absent: any free port. */
  port?: number;
  accessToken: string;
  appSecret: string;
  verifyToken: string;
  /** Keeps messages over a restart. */
  stateFile?: string;
  /** Where the mailbox is, for the page to lead there. */
  mailboxUrl?: string;
}

export interface MessagingPart extends Part, TimedPart {
  phoneNumberId: string;
  /** Registers the app's webhook, if it proves to be the app's own; throws if it does not. */
  subscribe(webhookUrl: string): Promise<void>;
  /** Oldest first. */
  messages(filter?: TelephoneFilter): TelephoneMessage[];
  /** Forgets every message; faults stay. */
  clear(): void;
}

/** A number that no telephone can have. */
const NUMBER = "15550100100";
const PHONE_NUMBER_ID = "100000000000001";

/** Starts WhatsApp's Cloud API, and the telephones on which its messages end, on 127.0.0.1. */
export async function startMessaging(options: MessagingOptions): Promise<MessagingPart> {
  const log = createCallLog();
  const faults = createFaults(messagingFaults);
  const store = openTelephoneStore(options.stateFile);
  const calls = createStatusCalls(options, log);
  const sender = { phoneNumberId: PHONE_NUMBER_ID, number: NUMBER };
  const statuses = createStatuses(store, calls, faults, sender);
  let changed = () => {};
  const deleteAll = () => {
    store.clear();
    changed();
  };

  const api = cloudApi({
    ...sender,
    accessToken: options.accessToken,
    faults,
    sentTo: (to, sinceMs) => listMessages(store, { to, since: new Date(sinceMs) }),
    arrived(id, { waId, template: { name, language }, parameters, text, reference }) {
      const message: TelephoneMessage = {
        ...{ id, to: `+${waId}`, template: name, language, parameters, text, reference },
        received_at: new Date().toISOString(),
        status: "accepted",
        failure: null,
      };
      store.put(message);
      log.add(`${name} to +${waId}`, message);
      statuses.afterArrival(message);
      changed();
    },
  });
  const inbox = inboxApi({
    store,
    deleteAll,
    read(message) {
      const read = statuses.read(message);
      changed();
      return read;
    },
    settings: () => ({ number: `+${NUMBER}`, mailbox_url: options.mailboxUrl ?? null }),
  });
  const server = await startHttpServer(options.port ?? 0, [...api, ...inbox], (summary) =>
    log.add(summary),
  ).catch(async (error: unknown) => {
    await calls.close();
    throw error;
  });
  changed = server.changed;

  return {
    name: "messaging",
    url: `http://127.0.0.1:${server.port}`,
    phoneNumberId: PHONE_NUMBER_ID,
    faults,
    log,
    subscribe: calls.subscribe,
    nextDueAt: calls.nextDueAt,
    busy: calls.busy,
    messages: (filter = {}) => listMessages(store, filter),
    clear: deleteAll,
    async close() {
      await Promise.all([server.close(), calls.close()]);
      store.close();
    },
  };
}
