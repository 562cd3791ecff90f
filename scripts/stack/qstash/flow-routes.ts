import type { Api, Route } from "./api.ts";
import { type FlowKey, flowKey } from "./flow-control.ts";
import { GLOBAL_PARALLELISM } from "./gates.ts";
import { ApiError, notFound } from "./model.ts";
import { flowView } from "./views.ts";

/** A limit of 0 would never let anything through. */
function limit(query: URLSearchParams, what: string): number | null {
  const text = query.get(what);
  if (text !== null && !/^[1-9]\d*$/.test(text)) throw new ApiError(400, `invalid ${what} ${text}`);
  return text === null ? null : Number(text);
}

const viewFlow = ({ state: { gates } }: Api, key: string) =>
  flowView(flowKey(gates.flowKeys, key), gates.waiting(key), Date.now());

type Action = (flow: FlowKey, query: URLSearchParams) => void;

const restartPeriod: Action = (flow) => {
  flow.periodStart = Date.now();
  flow.startedInPeriod = 0;
};

const setPaused =
  (paused: boolean): Action =>
  (flow) => {
    flow.paused = paused;
  };

/** What can be done to a key. */
const ACTIONS: Readonly<Record<string, Action>> = {
  pause: setPaused(true),
  resume: setPaused(false),
  resetRate: restartPeriod,
  pin(flow, query) {
    const pinned = { parallelism: limit(query, "parallelism"), rate: limit(query, "rate") };
    const periodSeconds = limit(query, "period") ?? flow.periodSeconds;
    if (pinned.parallelism !== null) {
      Object.assign(flow, { parallelism: pinned.parallelism, pinnedParallelism: true });
    }
    if (pinned.rate !== null) {
      Object.assign(flow, { rate: pinned.rate, periodSeconds, pinnedRate: true });
    }
    restartPeriod(flow, query);
  },
  unpin(flow, query) {
    if (query.get("parallelism") === "true") flow.pinnedParallelism = false;
    if (query.get("rate") === "true") flow.pinnedRate = false;
  },
};

export const flowRoutes: Route[] = [
  [
    "GET",
    /^\/v2\/flowControl$/,
    (api) => ({ json: [...api.state.gates.flowKeys.keys()].map((key) => viewFlow(api, key)) }),
  ],
  [
    "GET",
    /^\/v2\/flowControl\/([^/]+)$/,
    (api, _, [key]) => {
      if (!api.state.gates.flowKeys.has(key!)) throw notFound("flow control key", key!);
      return { json: viewFlow(api, key!) };
    },
  ],
  [
    "POST",
    /^\/v2\/flowControl\/([^/]+)\/(pause|resume|pin|unpin|resetRate)$/,
    ({ state, dispatcher }, { query }, [key, action]) => {
      ACTIONS[action!]!(flowKey(state.gates.flowKeys, key!), query);
      dispatcher.wake();
      return {};
    },
  ],
  [
    "GET",
    /^\/v2\/globalParallelism$/,
    ({ state: { gates } }) => ({
      json: { parallelismMax: GLOBAL_PARALLELISM, parallelismCount: gates.active() },
    }),
  ],
];
