import type { Dispatcher } from "./dispatcher.ts";
import type { Headers } from "./envelope.ts";
import { type ApiReply, type ApiRequest, lowerCase, parseJson } from "./http.ts";
import { ApiError, type Schedule } from "./model.ts";
import { publish, type PublishReply } from "./publish.ts";
import { putSchedule, setSchedulePaused } from "./schedules.ts";
import type { State } from "./state.ts";

interface Api {
  state: State;
  dispatcher: Dispatcher;
}

/** Of its pattern's group, the id or the destination. */
type Handle = (api: Api, request: ApiRequest, group: string) => ApiReply;

function publishTo(
  { state, dispatcher }: Api,
  to: string,
  headers: Headers,
  body: Buffer,
): PublishReply {
  const published = publish(state, to, headers, body.toString("base64"));
  dispatcher.add(published.messages);
  return published.reply;
}

const publishOne: Handle = (api, { headers, body }, to) => {
  const reply = publishTo(api, to, headers, body);
  return { status: reply.deduplicated === true ? 202 : 200, json: reply };
};

interface BatchItem {
  destination?: unknown;
  headers?: Record<string, unknown>;
  body?: unknown;
}

/** One bad item gets an error of its own, in its place. */
const publishBatch: Handle = (api, request) => {
  const items = parseJson(request.body);
  if (!Array.isArray(items)) throw new ApiError(400, "a batch is an array");
  const replies = items.map(({ destination, headers, body, ...more }: BatchItem) => {
    try {
      const [unknown] = Object.keys(more);
      if (unknown !== undefined)
        throw new ApiError(400, `the local stack does not take "${unknown}" in a batch`);
      const bytes = Buffer.from(typeof body === "string" ? body : "");
      return publishTo(api, String(destination), lowerCase(Object.entries(headers ?? {})), bytes);
    } catch (error) {
      if (error instanceof ApiError) return { error: error.message };
      throw error;
    }
  });
  return { json: replies };
};

const createSchedule: Handle = ({ state, dispatcher }, { headers, body }, to) => {
  const { scheduleId } = putSchedule(state, to, headers, body.toString("base64"));
  dispatcher.wake();
  return { json: { scheduleId } };
};

function requireSchedule({ state }: Api, id: string): Schedule {
  const schedule = state.store.schedules.get(id);
  if (schedule === undefined) throw new ApiError(404, `schedule ${id} not found`);
  return schedule;
}

const viewSchedule = ({
  scheduleId,
  cron,
  destination,
  createdAt,
  paused,
  nextRunAt,
}: Schedule) => ({
  scheduleId,
  cron,
  destination,
  createdAt,
  isPaused: paused,
  nextScheduleTime: nextRunAt,
});

const pauseSchedule =
  (paused: boolean): Handle =>
  (api, _, id) => {
    setSchedulePaused(api.state, requireSchedule(api, id), paused);
    api.dispatcher.wake();
    return {};
  };

const deleteSchedule: Handle = (api, _, id) => {
  api.state.store.schedules.delete(requireSchedule(api, id).scheduleId);
  api.dispatcher.wake();
  return {};
};

/** Matched against the raw URL, in which a destination stands as it is. */
const ROUTES: [method: string, pattern: RegExp, handle: Handle][] = [
  ["POST", /^\/v2\/publish\/(.+)$/, publishOne],
  ["POST", /^\/v2\/batch$/, publishBatch],
  ["POST", /^\/v2\/schedules\/(.+)$/, createSchedule],
  [
    "GET",
    /^\/v2\/schedules$/,
    ({ state }) => ({ json: state.store.schedules.values().map(viewSchedule) }),
  ],
  [
    "GET",
    /^\/v2\/schedules\/([^/]+)$/,
    (api, _, id) => ({ json: viewSchedule(requireSchedule(api, id)) }),
  ],
  ["DELETE", /^\/v2\/schedules\/([^/]+)$/, deleteSchedule],
  ["PATCH", /^\/v2\/schedules\/([^/]+)\/pause$/, pauseSchedule(true)],
  ["PATCH", /^\/v2\/schedules\/([^/]+)\/resume$/, pauseSchedule(false)],
  ["GET", /^\/v2\/keys$/, ({ state }) => ({ json: { ...state.keys } })],
];

/** Finds the handler of a request that carries the right token; throws ApiError. */
export function handleRequest(api: Api, token: string, request: ApiRequest): ApiReply {
  const { faults, log } = api.state;
  const { method, url } = request;
  log.add(`${method} ${url}`);
  if (faults.take("unavailable")) throw new ApiError(503, "service unavailable");
  if (request.headers["authorization"] !== `Bearer ${token}`)
    throw new ApiError(401, "invalid token");
  for (const [wanted, pattern, handle] of ROUTES) {
    const match = wanted === method ? pattern.exec(url) : null;
    if (match !== null) return handle(api, request, match[1] ?? "");
  }
  throw new ApiError(404, `no such endpoint: ${method} ${url}`);
}
