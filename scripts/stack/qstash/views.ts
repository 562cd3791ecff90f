import { isUtf8 } from "node:buffer";
import type { MessageEvent } from "./events.ts";
import { type FlowKey, periodEnd } from "./flow-control.ts";
import type { DeadLetter, Envelope, Message, Queue, Schedule } from "./model.ts";
import { shownBody, shownHeaders } from "./redact.ts";

/** The JSON of the API (https://upstash.com/docs/qstash/openapi.yaml); absent fields are left out. */
type Json = Record<string, unknown>;

const present = (fields: Json): Json =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );

/** Text if it is UTF-8, else base64, each under its own name. */
function bodyFields(base64: string, textName: string, base64Name: string): Json {
  const bytes = Buffer.from(base64, "base64");
  return isUtf8(bytes) ? { [textName]: bytes.toString("utf8") } : { [base64Name]: base64 };
}

function envelopeFields(envelope: Envelope): Json {
  return {
    method: envelope.method,
    header: shownHeaders(envelope),
    retryDelayExpression: envelope.retryDelay,
    callback: envelope.callback?.url,
    failureCallback: envelope.failureCallback?.url,
    flowControlKey: envelope.flowControl?.key,
    parallelism: envelope.flowControl?.parallelism,
    rate: envelope.flowControl?.rate,
    period: envelope.flowControl?.periodSeconds,
    label: envelope.labels[0],
    labels: envelope.labels.length === 0 ? null : envelope.labels,
  };
}

function messageFields(message: Message): Json {
  return {
    ...envelopeFields(message),
    messageId: message.messageId,
    url: message.url,
    maxRetries: message.maxRetries,
    notBefore: message.notBefore,
    createdAt: message.createdAt,
    queueName: message.queueName,
    scheduleId: message.scheduleId,
    callerIP: message.callerIp,
    timeout: message.timeoutSeconds === null ? null : message.timeoutSeconds * 1000,
  };
}

export const messageView = (message: Message): Json =>
  present({
    ...messageFields(message),
    ...bodyFields(shownBody(message, message.body), "body", "bodyBase64"),
  });

export const deadLetterView = ({ dlqId, message, answer }: DeadLetter): Json =>
  present({
    ...messageView(message),
    dlqId,
    responseStatus: answer.status,
    responseHeader: answer.headers,
    ...bodyFields(answer.body, "responseBody", "responseBodyBase64"),
  });

export const eventView = ({ time, state, message, more }: MessageEvent): Json =>
  present({
    ...messageFields(message),
    body: shownBody(message, message.body),
    time,
    state,
    ...more,
  });

export const scheduleView = (schedule: Schedule): Json =>
  present({
    ...envelopeFields(schedule.envelope),
    ...bodyFields(shownBody(schedule.envelope, schedule.body), "body", "bodyBase64"),
    scheduleId: schedule.scheduleId,
    cron: schedule.cron,
    createdAt: schedule.createdAt,
    destination: schedule.destination,
    retries: schedule.envelope.maxRetries,
    delay: schedule.delayMs === 0 ? null : Math.round(schedule.delayMs / 1000),
    callerIP: schedule.callerIp,
    isPaused: schedule.paused,
    queueName: schedule.queueName,
    lastScheduleTime: schedule.lastRunAt,
    nextScheduleTime: schedule.nextRunAt,
    lastScheduleStates: schedule.lastStates,
  });

export const queueView = (queue: Queue, lag: number): Json => ({ ...queue, lag });

export const flowView = (flow: FlowKey, waitListSize: number, now: number): Json => ({
  flowControlKey: flow.key,
  waitListSize,
  parallelismMax: flow.parallelism ?? 0,
  parallelismCount: flow.active,
  rateMax: flow.rate ?? 0,
  rateCount: now >= periodEnd(flow) ? 0 : flow.startedInPeriod,
  ratePeriod: flow.periodSeconds,
  ratePeriodStart: Math.floor(flow.periodStart / 1000),
  isPaused: flow.paused,
  isPinnedParallelism: flow.pinnedParallelism,
  isPinnedRate: flow.pinnedRate,
});
