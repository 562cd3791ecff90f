import type { Answer, CallbackTarget, DeadLetter, Message } from "./model.ts";
import { addMessage } from "./publish.ts";
import { nextAttemptAt } from "./retry.ts";
import { randomId } from "./signature.ts";
import type { State } from "./state.ts";

export const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;

/** A receiver says with 489 that trying again is no use (https://upstash.com/docs/qstash/features/retry). */
const isNonRetryable = ({ status, headers }: Answer) =>
  status === 489 && headers["upstash-nonretryable-error"]?.[0]?.toLowerCase() === "true";

/**
 * Draws the consequences of one delivery: done, to be retried, or dead; with callbacks for every attempt.
 * Returns the messages that have to be put on the timeline: the callbacks, and the message itself for a retry.
 */
export function settle(state: State, message: Message, answer: Answer): Message[] {
  // Cancelled meanwhile.
  if (state.store.messages.get(message.messageId) === undefined) return [];
  if (isSuccess(answer)) {
    const callbacks = callBack(state, message, message.callback, answer);
    state.events.add("DELIVERED", message);
    finish(state, message, "SUCCESS");
    return callbacks;
  }
  state.events.add("ERROR", message, {
    error: answer.error ?? `endpoint answered ${answer.status}`,
    responseStatus: answer.status,
    responseHeaders: answer.headers,
    responseBody: answer.body.toString("base64"),
  });
  if (!isNonRetryable(answer) && message.retried < message.maxRetries) {
    const callbacks = callBack(state, message, message.callback, answer);
    retryLater(state, message, answer);
    return [message, ...callbacks];
  }
  const { dlqId } = bury(state, message, answer);
  const callbacks = [
    ...callBack(state, message, message.callback, answer),
    ...callBack(state, message, message.failureCallback, answer, dlqId),
  ];
  finish(state, message, "FAIL");
  return callbacks;
}

function retryLater(state: State, message: Message, answer: Answer): void {
  message.dueAt = nextAttemptAt(message, answer.headers, new Date()).getTime();
  message.retried++;
  state.store.messages.put(message.messageId, message);
  state.events.add("RETRY", message, { nextDeliveryTime: message.dueAt });
}

function bury({ store, events }: State, message: Message, answer: Answer): DeadLetter {
  const order = store.nextOrder();
  const letter: DeadLetter = {
    dlqId: `${Date.now()}-${order}`,
    order,
    diedAt: Date.now(),
    message: { ...message, holdsQueue: null },
    answer: { ...answer, body: answer.body.toString("base64") },
  };
  store.deadLetters.put(letter.dlqId, letter);
  events.add("FAILED", message);
  return letter;
}

/** Takes a message out for good; its place in a queue is free again. */
export function finish(state: State, message: Message, result: "SUCCESS" | "FAIL"): void {
  state.store.messages.delete(message.messageId);
  state.gates.finish(message);
  const schedule =
    message.scheduleId === null ? undefined : state.store.schedules.get(message.scheduleId);
  if (schedule === undefined || !(message.messageId in schedule.lastStates)) return;
  schedule.lastStates[message.messageId] = result;
  state.store.schedules.put(schedule.scheduleId, schedule);
}

/** A callback is a message of its own; it keeps the queue place of the message it tells of. */
function callBack(
  state: State,
  message: Message,
  target: CallbackTarget | null,
  answer: Answer,
  dlqId?: string,
): Message[] {
  if (target === null) return [];
  const dueAt = Date.now() + target.delayMs;
  const callback: Message = {
    ...target.envelope,
    messageId: randomId("msg_"),
    order: state.store.nextOrder(),
    url: target.url,
    body: Buffer.from(JSON.stringify(callbackBody(message, answer, dlqId))).toString("base64"),
    createdAt: Date.now(),
    notBefore: dueAt,
    dueAt,
    retried: 0,
    holdsQueue: message.holdsQueue,
    callerIp: message.callerIp,
    queueName: null,
    scheduleId: null,
  };
  return [addMessage(state, callback)];
}

/** https://upstash.com/docs/qstash/features/callbacks */
function callbackBody(message: Message, answer: Answer, dlqId?: string) {
  return {
    status: answer.status,
    header: answer.headers,
    body: answer.body.toString("base64"),
    retried: message.retried,
    maxRetries: message.maxRetries,
    ...(dlqId === undefined ? {} : { dlqId }),
    sourceMessageId: message.messageId,
    topicName: "",
    endpointName: "",
    url: message.url,
    method: message.method,
    sourceHeader: Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name, [value]]),
    ),
    sourceBody: message.body,
    notBefore: String(message.notBefore),
    createdAt: String(message.createdAt),
    scheduleId: message.scheduleId ?? "",
    callerIP: message.callerIp,
  };
}
