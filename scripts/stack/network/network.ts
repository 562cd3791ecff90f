import { startHttpServer } from "../page-server.ts";
import { createCallLog, createFaults, type Part, type TimedPart } from "../part.ts";
import { onWarp } from "../warp.ts";
import { serveApi } from "./api-server.ts";
import { openBooks, type State } from "./books.ts";
import { networkCalendar } from "./calendar.ts";
import { createControl, type NetworkControl } from "./control.ts";
import { createDeliveries } from "./deliveries.ts";
import { networkFaults } from "./faults.ts";
import type { Act } from "./model.ts";
import { pageApi } from "./page-api.ts";
import { listAccounts, listActs, listChats, listInvitations, listPosts } from "./views.ts";

export interface NetworkOptions {
  /** 0 or absent: any free port. */
  port?: number;
  /** `X-API-KEY` */
  apiKey: string;
  /** Keeps what the network knows over a restart. */
  stateFile?: string;
}

export interface NetworkPart extends Part, TimedPart {
  control: NetworkControl;
  accounts(): ReturnType<typeof listAccounts>;
  invitations(): ReturnType<typeof listInvitations>;
  chats(): ReturnType<typeof listChats>;
  posts(): ReturnType<typeof listPosts>;
  /** What members did, oldest first. */
  acts(kind?: Act["kind"]): ReturnType<typeof listActs>;
  /** Resolves when no webhook is being called and nothing is due. */
  idle(): Promise<void>;
}

/** Starts a professional network behind Unipile's API v1, and a page of it, on 127.0.0.1. */
export async function startNetwork(options: NetworkOptions): Promise<NetworkPart> {
  const log = createCallLog();
  let url = "";
  let changed = () => {};
  const state: State = {
    books: openBooks(options.stateFile),
    faults: createFaults(networkFaults),
    log,
    url: () => url,
    changed: () => changed(),
  };
  const deliveries = createDeliveries(state);
  const calendar = networkCalendar(state, deliveries);
  const control = createControl(state);
  const server = await startHttpServer(
    options.port ?? 0,
    pageApi(state, control),
    (summary) => log.add(summary),
    { prefix: "/api/v1/", serve: serveApi(state, options.apiKey) },
  );
  url = `http://127.0.0.1:${server.port}`;
  changed = () => {
    calendar.look();
    server.changed();
  };
  const stopListening = onWarp(calendar.look);
  calendar.look();

  return {
    name: "network",
    url,
    faults: state.faults,
    log,
    control,
    accounts: () => listAccounts(state),
    invitations: () => listInvitations(state),
    chats: () => listChats(state),
    posts: () => listPosts(state),
    acts: (kind) => listActs(state, kind),
    nextDueAt: calendar.nextDueAt,
    busy: calendar.busy,
    async idle() {
      while (calendar.busy()) {
        calendar.look();
        await deliveries.ended();
      }
    },
    async close() {
      stopListening();
      calendar.close();
      deliveries.close();
      await server.close();
      state.books.close();
    },
  };
}
