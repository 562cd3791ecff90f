import type { AddressInfo } from "node:net";
import { createCallLog, createFaults, type Part, type TimedPart } from "./part.ts";
import { createQuiet, type Quiet } from "./quiet.ts";
import { createDispatcher } from "./qstash/dispatcher.ts";
import { createGates } from "./qstash/gates.ts";
import { createApiServer } from "./qstash/http.ts";
import { handleRequest } from "./qstash/routes.ts";
import type { State } from "./qstash/state.ts";
import { createStore } from "./qstash/store.ts";

export interface QstashOptions {
  port?: number;
  token: string;
  currentSigningKey: string;
  nextSigningKey: string;
  /** Messages that wait and schedules outlive the process here. */
  stateFile?: string;
  /** Lets a moving clock pass over runs of schedules that would find nothing. */
  quiet?: Quiet;
}

export interface Qstash extends Part, TimedPart {
  token: string;
  currentSigningKey: string;
  nextSigningKey: string;
  /** What is still to be delivered, the oldest first. */
  waiting(): { url: string; body: string }[];
  /** Forgets all of it; schedules stay. */
  clear(): void;
  /** Starts no delivery and no schedule run until `resume`. */
  pause(): void;
  resume(): void;
  /** Resolves when nothing is being delivered and nothing is due. */
  idle(): Promise<void>;
  /** Makes one run of each schedule that left some out while the clock moved, and then as `idle`. */
  catchUp(): Promise<void>;
}

const FAULTS = {
  duplicate: "the next delivery is made twice, one after the other, with the same message id",
  lose: "the next delivery is not made and its message forgotten, silently",
  unavailable: "the next API request is answered 503",
};

/**
 * Serves what this service uses of QStash's v2 API, and makes real HTTP deliveries (https://upstash.com/docs/qstash). Due times,
 * retries, schedules, signatures and windows follow `Date`.
 */
export async function startQstash(options: QstashOptions): Promise<Qstash> {
  const store = createStore(options.stateFile);
  const faults = createFaults(FAULTS);
  const log = createCallLog();
  const { token, currentSigningKey, nextSigningKey } = options;
  const state: State = {
    store,
    gates: createGates(store),
    faults,
    log,
    keys: { current: currentSigningKey, next: nextSigningKey },
    quiet: options.quiet ?? createQuiet(() => false),
    leftOut: new Set(),
  };
  const dispatcher = createDispatcher(state);
  const server = createApiServer(
    (request) => {
      if (request.method !== "GET") state.quiet.end();
      return handleRequest({ state, dispatcher }, token, request);
    },
    (error) => log.add(`failed: ${String(error)}`),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    name: "qstash",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    currentSigningKey,
    nextSigningKey,
    waiting: () =>
      store.messages
        .values()
        .map(({ url, body }) => ({ url, body: Buffer.from(body, "base64").toString() })),
    clear() {
      for (const { messageId } of store.messages.values()) store.messages.delete(messageId);
    },
    faults,
    log,
    nextDueAt: dispatcher.nextDueAt,
    busy: dispatcher.busy,
    pause: dispatcher.pause,
    resume: dispatcher.resume,
    idle: dispatcher.idle,
    catchUp: dispatcher.catchUp,
    async close() {
      dispatcher.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      store.close();
    },
  };
}
