import { ApiError, type Message } from "./model.ts";

/** What the list and bulk endpoints can filter by. */
export interface Filterable {
  message: Message;
  /** Epoch milliseconds that `fromDate` and `toDate` look at. */
  at: number;
  state?: string;
  responseStatus?: number;
  dlqId?: string;
}

const VALUES: Readonly<
  Record<string, (item: Filterable) => (string | number | null | undefined)[]>
> = {
  messageId: ({ message }) => [message.messageId],
  messageIds: ({ message }) => [message.messageId],
  dlqIds: ({ dlqId }) => [dlqId],
  url: ({ message }) => [message.url],
  host: ({ message }) => [new URL(message.url).host],
  path: ({ message }) => [new URL(message.url).pathname],
  scheduleId: ({ message }) => [message.scheduleId],
  queueName: ({ message }) => [message.queueName],
  callerIp: ({ message }) => [message.callerIp],
  callerIP: ({ message }) => [message.callerIp],
  label: ({ message }) => message.labels,
  flowControlKey: ({ message }) => [message.flowControl?.key],
  state: ({ state }) => [
    state,
    ...(/^(ACTIVE|RETRY|ERROR)$/.test(state ?? "") ? ["IN_PROGRESS"] : []),
  ],
  responseStatus: ({ responseStatus }) => [responseStatus],
};

/** What may stand beside the filters in a query. */
const BESIDE = new Set(["fromDate", "toDate", "cursor", "count"]);

/**
 * Several values of one name are alternatives, several names must all fit. A name that is none throws: passed over, it
 * would let a bulk operation fit what it was not meant for.
 */
export function createFilter(query: URLSearchParams): (item: Filterable) => boolean {
  const unknown = [...query.keys()].find(
    (name) => !Object.hasOwn(VALUES, name) && !BESIDE.has(name),
  );
  if (unknown !== undefined) throw new ApiError(400, `unknown filter ${unknown}`);
  const wanted = Object.keys(VALUES).flatMap((name) => {
    const given = query.getAll(name);
    // A URL may hold a comma itself.
    const values = name === "url" ? given : given.flatMap((value) => value.split(","));
    return values.length === 0 ? [] : [{ values: new Set(values), read: VALUES[name]! }];
  });
  const from = Number(query.get("fromDate") ?? -Infinity);
  const to = Number(query.get("toDate") ?? Infinity);
  return (item) =>
    item.at >= from &&
    item.at <= to &&
    wanted.every(({ values, read }) => read(item).some((value) => values.has(String(value))));
}

const MAX_PAGE = 100;

/** How many a request wants; null if it does not say. */
export function countOf(query: URLSearchParams): number | null {
  const given = query.get("count");
  if (given === null || given === "") return null;
  if (!/^[1-9]\d*$/.test(given)) throw new ApiError(400, `invalid count ${given}`);
  return Number(given);
}

/** The page after the cursor of a list that runs from the highest `order` down. */
export function page<T extends { order: number }>(items: T[], query: URLSearchParams) {
  const after = Number(query.get("cursor") || Infinity);
  const count = Math.min(countOf(query) ?? MAX_PAGE, MAX_PAGE);
  const left = items.filter((item) => item.order < after);
  const found = left.slice(0, count);
  return {
    found,
    cursor: left.length > found.length ? { cursor: String(found.at(-1)!.order) } : {},
  };
}
