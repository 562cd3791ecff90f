import { ApiError, type Envelope, type FlowControl } from "./model.ts";

const DEFAULT_RETRIES = 3;

/** Lower-case names. */
export type Headers = Readonly<Record<string, string>>;

const OF_ALL = [
  "method",
  "timeout",
  "retries",
  "failure-callback",
  "flow-control-key",
  "flow-control-value",
];
/** The `Upstash-*` headers of a publish, and of a schedule. */
export const OF_A_MESSAGE = new Set([...OF_ALL, "not-before", "deduplication-id"]);
export const OF_A_SCHEDULE = new Set([...OF_ALL, "cron", "schedule-id"]);

/**
 * Reads the `Upstash-*` headers; `known` are those that there are. Another is an error: passed over, a message
 * would be delivered in a way that its publisher did not ask for.
 */
export function readerOf(headers: Headers, known: ReadonlySet<string>) {
  for (const header of Object.keys(headers)) {
    const name = /^upstash-(?!telemetry-)(.+)$/.exec(header)?.[1];
    if (name !== undefined && !known.has(name))
      throw new ApiError(400, `the local stack does not take the header ${header}`);
  }
  return (name: string): string | null => headers[`upstash-${name}`] || null;
}

export type Reader = ReturnType<typeof readerOf>;

/** Throws ApiError 400 for a value QStash would refuse. */
export function parseEnvelope(headers: Headers, text: Reader): Envelope {
  if ((text("method") ?? "POST") !== "POST")
    throw new ApiError(400, `the local stack delivers by POST, not by ${text("method")}`);
  const type = headers["content-type"];
  const failureCallback = text("failure-callback");
  return {
    headers: type === undefined ? {} : { "content-type": type },
    maxRetries: wholeNumber(text("retries"), "retries") ?? DEFAULT_RETRIES,
    timeoutSeconds: wholeNumber(text("timeout")?.replace(/s$/, "") ?? null, "timeout"),
    failureCallback:
      failureCallback === null ? null : { url: asUrl(failureCallback, "failure-callback url") },
    flowControl: parseFlowControl(text("flow-control-key"), text("flow-control-value")),
  };
}

function parseFlowControl(key: string | null, value: string | null): FlowControl | null {
  if (key === null) return null;
  const parallelism = Number(/^parallelism=([1-9]\d*)$/.exec(value ?? "")?.[1]);
  if (!parallelism)
    throw new ApiError(
      400,
      `the local stack takes a flow control of parallelism=<n>, not ${value}`,
    );
  return { key, parallelism };
}

/** Deliveries go to the Worker on this machine. */
export function asUrl(text: string, what: string): string {
  if (!text.startsWith("http://") || !URL.canParse(text))
    throw new ApiError(400, `invalid ${what}: "${text}" does not start with http://`);
  return text;
}

export function wholeNumber(text: string | null, what: string): number | null {
  if (text === null) return null;
  if (!/^\d+$/.test(text)) throw new ApiError(400, `invalid ${what} ${text}`);
  return Number(text);
}
