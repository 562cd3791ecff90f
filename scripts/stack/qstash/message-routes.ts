import { countOf, createFilter, page } from "./filters.ts";
import { type Headers, name, parsePublishHeaders } from "./envelope.ts";
import { type ApiReply, type ApiRequest, lowerCase, parseJson } from "./http.ts";
import { ApiError, notFound } from "./model.ts";
import { publicationOf, publish, type PublishReply } from "./publish.ts";
import type { Api, Route } from "./api.ts";
import { putSchedule } from "./schedules.ts";
import { eventView, messageView } from "./views.ts";

/** Destinations may come percent-encoded as a whole. */
const destinationOf = (raw: string) => (/^https?%3a/i.test(raw) ? decodeURIComponent(raw) : raw);

function createSchedule({ state, dispatcher }: Api, request: ApiRequest, raw: string): ApiReply {
  const headers = parsePublishHeaders(request.headers);
  const body = request.body.toString("base64");
  const schedule = putSchedule(state, destinationOf(raw), headers, body, request.callerIp);
  dispatcher.wake();
  return { json: { scheduleId: schedule.scheduleId } };
}

function publishOne(api: Api, request: ApiRequest, raw: string, queue: string | null): ApiReply {
  const headers = parsePublishHeaders(request.headers);
  if (headers.cron !== null) return createSchedule(api, request, raw);
  const body = request.body.toString("base64");
  const reply = publishTo(api, destinationOf(raw), request, headers, body, queue);
  const duplicate = reply.deduplicated === true;
  return { status: duplicate ? 202 : 200, json: reply };
}

function publishTo(
  { state, dispatcher }: Api,
  destination: string,
  { callerIp }: ApiRequest,
  headers: ReturnType<typeof parsePublishHeaders>,
  body: string,
  queue: string | null,
): PublishReply {
  const origin = { callerIp, queueName: queue ?? headers.queueName, scheduleId: null };
  const published = publish(state, destination, publicationOf(destination, headers, body, origin));
  dispatcher.add(published.messages);
  return published.reply;
}

interface BatchItem {
  destination?: unknown;
  headers?: Record<string, unknown>;
  body?: unknown;
  queue?: unknown;
}

/** One bad item gets an error of its own, in its place. */
function publishBatch(api: Api, request: ApiRequest): ApiReply {
  const items = parseJson(request.body);
  if (!Array.isArray(items)) throw new ApiError(400, "a batch is an array");
  const replies = items.map((item: BatchItem) => {
    try {
      const headers: Headers = lowerCase(Object.entries(item.headers ?? {}));
      const queue = typeof item.queue === "string" ? item.queue : null;
      const body = Buffer.from(typeof item.body === "string" ? item.body : "").toString("base64");
      const destination = destinationOf(String(item.destination ?? ""));
      return publishTo(api, destination, request, parsePublishHeaders(headers), body, queue);
    } catch (error) {
      if (error instanceof ApiError) return { error: error.message };
      throw error;
    }
  });
  return { json: replies };
}

/** Matched against the raw URL. */
export const publishRoutes: Route[] = [
  ["POST", /^\/v2\/publish\/(.+)$/, (api, request, [to]) => publishOne(api, request, to!, null)],
  [
    "POST",
    /^\/v2\/enqueue\/([^/]+)\/(.+)$/,
    (api, request, [queue, to]) => publishOne(api, request, to!, name(queue!, "queue name")),
  ],
  ["POST", /^\/v2\/batch$/, publishBatch],
  ["POST", /^\/v2\/schedules\/(.+)$/, (api, request, [to]) => createSchedule(api, request, to!)],
];

const getMessage: Route[2] = ({ state }, _, [id]) => {
  const message = state.store.messages.get(id!);
  if (message === undefined) throw notFound("message", id!);
  return { json: messageView(message) };
};

const cancelMessage: Route[2] = ({ dispatcher }, _, [id]) => {
  if (!dispatcher.cancel(id!)) throw notFound("message", id!);
  return { status: 202, json: { cancelled: 1 } };
};

const cancelMessages: Route[2] = ({ state, dispatcher }, { query }) => {
  const fits = createFilter(query);
  const doomed = state.store.messages
    .values()
    .filter((message) => fits({ message, at: message.createdAt }))
    .slice(0, countOf(query) ?? Infinity);
  for (const { messageId } of doomed) dispatcher.cancel(messageId);
  return { status: 202, json: { cancelled: doomed.length } };
};

const listEvents =
  (field: "events" | "logs"): Route[2] =>
  ({ state }, { query }) => {
    const fits = createFilter(query);
    const events = state.events
      .list()
      .filter((event) => fits({ message: event.message, at: event.time, state: event.state }));
    const { found, cursor } = page(events, query);
    return { json: { ...cursor, [field]: found.map(eventView) } };
  };

export const messageRoutes: Route[] = [
  ["GET", /^\/v2\/messages\/([^/]+)$/, getMessage],
  ["DELETE", /^\/v2\/messages\/([^/]+)$/, cancelMessage],
  ["DELETE", /^\/v2\/messages$/, cancelMessages],
  ["GET", /^\/v2\/events$/, listEvents("events")],
  ["GET", /^\/v2\/logs$/, listEvents("logs")],
];
