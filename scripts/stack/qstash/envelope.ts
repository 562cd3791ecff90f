import { parseCron } from "./cron.ts";
import { parseDuration } from "./duration.ts";
import {
  ApiError,
  type CallbackTarget,
  type Envelope,
  type FlowControl,
  type Redaction,
} from "./model.ts";
import { parseRetryExpression } from "./retry-expression.ts";

const DEFAULT_RETRIES = 3;
const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** Lower-case names. */
export type Headers = Readonly<Record<string, string>>;

/** All that the headers of a publish, an enqueue or a schedule say. */
export interface PublishHeaders {
  envelope: Envelope;
  delayMs: number;
  /** Epoch milliseconds; wins over the delay. */
  notBefore: number | null;
  deduplicationId: string | null;
  contentBasedDeduplication: boolean;
  queueName: string | null;
  cron: string | null;
  scheduleId: string | null;
}

/** Throws ApiError 400 for a value QStash would refuse. */
export function parsePublishHeaders(headers: Headers): PublishHeaders {
  const text = (name: string) => headers[`upstash-${name}`] || null;
  const cron = text("cron");
  if (cron !== null) check("cron", () => parseCron(cron));
  return {
    envelope: parseEnvelope(headers),
    delayMs: milliseconds(text("delay"), "delay") ?? 0,
    notBefore: wholeNumber(text("not-before"), "not-before", 1000),
    deduplicationId: text("deduplication-id"),
    contentBasedDeduplication: text("content-based-deduplication")?.toLowerCase() === "true",
    queueName: text("queue-name"),
    cron,
    scheduleId: name(text("schedule-id"), "schedule id"),
  };
}

function parseEnvelope(headers: Headers, defaultRetries = DEFAULT_RETRIES): Envelope {
  const text = (name: string) => headers[`upstash-${name}`] || null;
  const method = (text("method") ?? "POST").toUpperCase();
  if (!METHODS.has(method)) throw new ApiError(400, `invalid method ${method}`);
  const retryDelay = text("retry-delay");
  if (retryDelay !== null) check("retry delay", () => parseRetryExpression(retryDelay));
  const maxRetries = wholeNumber(text("retries"), "retries") ?? defaultRetries;
  const label = text("label");
  return {
    method,
    headers: deliveryHeaders(headers),
    maxRetries,
    retryDelay,
    timeoutSeconds: seconds(text("timeout"), "timeout"),
    callback: parseCallback(headers, "callback", maxRetries),
    failureCallback: parseCallback(headers, "failure-callback", maxRetries),
    flowControl: parseFlowControl(text("flow-control-key"), text("flow-control-value")),
    labels: label === null ? [] : label.split(",").map((one) => one.trim()),
    redact: parseRedaction(text("redact-fields") ?? ""),
  };
}

/** "body,header[Authorization]"; the SDK says `header`, the vendor's page `headers`. */
function parseRedaction(fields: string): Redaction {
  const wanted = fields.split(",").map((field) => field.trim().toLowerCase());
  const names = wanted.flatMap((field) => /^headers?\[(.+)\]$/.exec(field)?.[1] ?? []);
  const isAll = wanted.some((field) => /^headers?$/.test(field));
  return { body: wanted.includes("body"), headers: isAll ? "all" : names };
}

/** These describe the connection between QStash and the destination, so a publisher cannot set them. */
const NOT_FORWARDED = new Set(["host", "connection", "content-length", "transfer-encoding"]);

function deliveryHeaders(headers: Headers): Record<string, string> {
  const sent: Record<string, string> = {};
  const contentType = headers["content-type"];
  if (contentType !== undefined) sent["content-type"] = contentType;
  for (const [name, value] of Object.entries(headers)) {
    const forwarded = /^upstash-forward-(.+)$/.exec(name)?.[1];
    if (forwarded !== undefined && !NOT_FORWARDED.has(forwarded)) sent[forwarded] = value;
  }
  return sent;
}

/** `Upstash-Callback-X` is to the callback what `Upstash-X` is to the message. */
function parseCallback(headers: Headers, kind: string, retries: number): CallbackTarget | null {
  const url = headers[`upstash-${kind}`];
  if (!url) return null;
  if (!isUrl(url))
    throw new ApiError(400, `invalid ${kind} url: it must start with http:// or https://`);
  const prefix = `upstash-${kind}-`;
  const own = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[`upstash-${name.slice(prefix.length)}`, value]] : [],
  );
  const callbackHeaders: Headers = {
    ...Object.fromEntries(own),
    "content-type": "application/json",
  };
  return {
    url,
    envelope: parseEnvelope(callbackHeaders, retries),
    delayMs: milliseconds(callbackHeaders["upstash-delay"] ?? null, "delay") ?? 0,
  };
}

/** "parallelism=2, rate=10, period=1m", spaces and case as they come. */
function parseFlowControl(key: string | null, value: string | null): FlowControl | null {
  if (key === null) return null;
  const settings = new Map(
    (value ?? "").split(",").map((part) => {
      const [name = "", setting = ""] = part.split("=");
      return [name.trim().toLowerCase(), setting.trim()];
    }),
  );
  const limit = (name: string) => {
    const value = wholeNumber(settings.get(name) ?? null, `flow control ${name}`);
    if (value === 0) throw new ApiError(400, `flow control ${name} must be greater than 0`);
    return value;
  };
  const flowControl: FlowControl = {
    key,
    parallelism: limit("parallelism"),
    rate: limit("rate"),
    periodSeconds: seconds(settings.get("period") ?? null, "flow control period") ?? 1,
  };
  if (flowControl.parallelism === null && flowControl.rate === null) {
    throw new ApiError(400, "flow control needs parallelism or rate");
  }
  return flowControl;
}

export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

const NAME = /^[\w.-]+$/;

/** Names of queues and schedules: letters, digits, hyphens, periods and underscores. */
export function name<T extends string | null>(text: T, what: string): T {
  if (text !== null && !NAME.test(text)) throw new ApiError(400, `invalid ${what} ${text}`);
  return text;
}

function seconds(text: string | null, what: string): number | null {
  if (text === null) return null;
  const parsed = parseDuration(text);
  if (parsed === null) throw new ApiError(400, `invalid ${what} ${text}`);
  return parsed;
}

/** Whole, because the stack's clock cannot stop between two. */
function milliseconds(text: string | null, what: string): number | null {
  const parsed = seconds(text, what);
  return parsed === null ? null : Math.ceil(parsed * 1000);
}

function wholeNumber(text: string | null, what: string, factor = 1): number | null {
  if (text === null) return null;
  if (!/^\d+$/.test(text)) throw new ApiError(400, `invalid ${what} ${text}`);
  return Number(text) * factor;
}

function check(what: string, parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    throw new ApiError(400, `invalid ${what}: ${(error as Error).message}`);
  }
}
