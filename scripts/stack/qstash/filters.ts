import type { Message } from "./model.ts";

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
  topicName: ({ message }) => [message.topicName],
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

/** Several values of one name are alternatives, several names must all fit. */
export function createFilter(query: URLSearchParams): (item: Filterable) => boolean {
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

/** The page after the cursor of a list that runs from the highest `order` down. */
export function page<T extends { order: number }>(items: T[], query: URLSearchParams) {
  const after = Number(query.get("cursor") || Infinity);
  const count = Math.min(Number(query.get("count") || MAX_PAGE), MAX_PAGE);
  const left = items.filter((item) => item.order < after);
  const found = left.slice(0, count);
  return {
    found,
    cursor: left.length > found.length ? { cursor: String(found.at(-1)!.order) } : {},
  };
}
