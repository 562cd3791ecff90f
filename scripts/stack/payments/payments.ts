import { startHttpServer } from "../page-server.ts";
import { createCallLog, createFaults, type Part, type TimedPart } from "../part.ts";
import { onWarp } from "../warp.ts";
import { createApi } from "./api.ts";
import { serveApi } from "./api-server.ts";
import { openBooks, type State } from "./books.ts";
import { paymentsCalendar } from "./calendar.ts";
import { createDeliveries, type Endpoint } from "./deliveries.ts";
import { paymentsFaults } from "./faults.ts";
import { pageApi } from "./page-api.ts";

export interface PaymentsOptions {
  /** 0 or absent: any free port. */
  port?: number;
  /** `sk_test_...` */
  secretKey: string;
  /** `whsec_...`, with which events are signed. */
  webhookSecret: string;
  /** Keeps what this Stripe knows over a restart. */
  stateFile?: string;
}

export interface Payments extends Part, TimedPart {
  /** Where events go from now on; null: they wait. */
  sendEventsTo(endpoint: Endpoint | null): void;
  /** Resolves when nothing is being delivered and nothing is due. */
  idle(): Promise<void>;
}

/** Starts Stripe's API, its hosted payment page and a page of the payments, all on 127.0.0.1. */
export async function startPayments(options: PaymentsOptions): Promise<Payments> {
  const log = createCallLog();
  let url = "";
  let endpointUrl: string | null = null;
  let changed = () => {};
  const state: State = {
    books: openBooks(options.stateFile),
    faults: createFaults(paymentsFaults),
    log,
    url: () => url,
    endpointUrl: () => endpointUrl,
    changed: () => changed(),
  };
  const deliveries = createDeliveries(state, options.webhookSecret);
  const calendar = paymentsCalendar(state, deliveries);
  const api = createApi(state, options.secretKey);
  const server = await startHttpServer(
    options.port ?? 0,
    pageApi(state, deliveries),
    (summary) => log.add(summary),
    { prefix: "/v1/", serve: serveApi(state, api) },
  );
  url = `http://127.0.0.1:${server.port}`;
  changed = () => {
    calendar.look();
    server.changed();
  };
  const stopListening = onWarp(calendar.look);
  calendar.look();

  return {
    name: "payments",
    url,
    faults: state.faults,
    log,
    nextDueAt: calendar.nextDueAt,
    busy: calendar.busy,
    sendEventsTo(endpoint) {
      endpointUrl = endpoint?.url ?? null;
      deliveries.sendTo(endpoint);
    },
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
