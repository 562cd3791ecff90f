import type { TimedPart } from "../part.ts";
import { onWarp } from "../warp.ts";
import { createSender } from "./attempt.ts";
import type { Answer, Message } from "./model.ts";
import { nextScheduledAt, runSchedules } from "./schedules.ts";
import { finish, settle } from "./settle.ts";
import type { State } from "./state.ts";
import { createTimeline } from "./timeline.ts";

export interface Dispatcher extends TimedPart {
  /** Takes charge of messages that are in the store, and delivers what is due. */
  add(messages: Message[]): void;
  /** Looks again: a schedule, queue or flow-control key has changed. */
  wake(): void;
  /** False if there is no such message. */
  cancel(messageId: string): boolean;
  /** Starts nothing more until `resume`. */
  pause(): void;
  resume(): void;
  /** Resolves when nothing is under way and nothing is due. */
  idle(): Promise<void>;
  close(): void;
}

const ONE_HOUR_MS = 3_600_000;
const WRONG_KEY = "sig_of-somebody-else";
// setTimeout's longest delay is 2^31-1 ms.
const LONGEST_TIMER_MS = 2_000_000_000;

/** Delivers each message when it falls due by the stack's clock, and runs the schedules. */
export function createDispatcher(state: State): Dispatcher {
  const { store, gates, events, faults, log, quiet } = state;
  const timeline = createTimeline();
  const sender = createSender();
  const underWay = new Set<string>();
  let idleWaiters: (() => void)[] = [];
  let paused = false;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Entries of messages that are gone, or were put off, are dropped on the way. */
  const earliest = (): Message | null => {
    for (;;) {
      const entry = timeline.peek();
      if (entry === undefined) return null;
      const message = store.messages.get(entry.messageId);
      if (message?.dueAt === entry.dueAt && !underWay.has(entry.messageId)) return message;
      timeline.pop();
    }
  };

  const nextDueAt = (): number | null => {
    if (paused || closed) return null;
    const candidates = [earliest()?.dueAt, nextScheduledAt(state), gates.nextFreedAt()];
    return candidates.reduce<number | null>(
      (next, at) => (at == null ? next : Math.min(next ?? Infinity, at)),
      null,
    );
  };

  const busy = () => {
    const next = nextDueAt();
    return underWay.size > 0 || (next !== null && next <= Date.now());
  };

  const schedule = (messages: Message[]) => messages.forEach((message) => timeline.add(message));

  const pump = () => {
    if (paused || closed) return;
    const now = Date.now();
    schedule(runSchedules(state, now));
    schedule(gates.freed(now));
    for (let message = earliest(); message !== null && message.dueAt <= now; message = earliest()) {
      timeline.pop();
      if (gates.enter(message, now)) start(message);
    }
    arm();
    noteIdle();
  };

  const arm = () => {
    clearTimeout(timer);
    const next = nextDueAt();
    if (next !== null) {
      timer = setTimeout(pump, Math.min(Math.max(0, next - Date.now()), LONGEST_TIMER_MS));
    }
  };

  const start = (message: Message) => {
    underWay.add(message.messageId);
    run(message)
      .catch((error: unknown) => {
        log.add(`failed: ${String(error)}`, { messageId: message.messageId });
        return [];
      })
      .then((consequences) => {
        if (closed) return;
        underWay.delete(message.messageId);
        gates.leave(message);
        schedule(consequences);
        if (paused) noteIdle();
        else pump();
      });
  };

  /** One delivery, or what a fault makes of it. Returns what then belongs on the timeline. */
  const run = async (message: Message): Promise<Message[]> => {
    const { messageId, url } = message;
    events.add("ACTIVE", message);
    if (faults.take("lose")) {
      log.add(`lost: ${message.method} ${url}`, { messageId });
      finish(state, message, "SUCCESS");
      return [];
    }
    if (faults.take("delay")) {
      log.add(`delayed by an hour: ${message.method} ${url}`, { messageId });
      message.dueAt = Date.now() + ONE_HOUR_MS;
      store.messages.put(messageId, message);
      return [message];
    }
    const key = faults.take("bad_signature") ? WRONG_KEY : state.keys.current;
    if (faults.take("duplicate")) await deliver(message, key);
    const answer = await deliver(message, key);
    return closed ? [] : settle(state, message, answer);
  };

  const deliver = async (message: Message, key: string) => {
    if (message.scheduleId === null) quiet.end();
    const asOf = quiet.version();
    const answer = await sender.deliver(message, key);
    const wakeMs = readNextWake(answer);
    if (message.scheduleId !== null && wakeMs !== null)
      quiet.promise(message.scheduleId, wakeMs, asOf);
    log.add(`deliver ${message.method} ${message.url} -> ${answer.error ?? answer.status}`, {
      messageId: message.messageId,
      retried: message.retried,
    });
    return answer;
  };

  const noteIdle = () => {
    if (busy()) return;
    const waiters = idleWaiters;
    idleWaiters = [];
    for (const resolve of waiters) resolve();
  };

  const stopListening = onWarp(pump);
  quiet.onEnd(() => {
    if (!paused && !closed) arm();
  });
  for (const message of store.messages.values()) gates.admit(message);
  schedule(store.messages.values());
  arm();

  return {
    add(messages) {
      schedule(messages);
      pump();
    },
    wake: pump,
    cancel(messageId) {
      const message = store.messages.get(messageId);
      if (message === undefined) return false;
      events.add("CANCEL_REQUESTED", message);
      events.add("CANCELLED", message);
      finish(state, message, "FAIL");
      pump();
      return true;
    },
    nextDueAt() {
      const next = nextDueAt();
      return next === null ? null : new Date(next);
    },
    busy,
    idle: () =>
      new Promise((resolve) => {
        idleWaiters.push(resolve);
        noteIdle();
      }),
    pause() {
      paused = true;
      clearTimeout(timer);
      noteIdle();
    },
    resume() {
      paused = false;
      pump();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      stopListening();
      sender.close();
      noteIdle();
    },
  };
}

/**
 * A callback of ours may say in its answer (`{"result": {"nextWakeAt": ...}}`) when it next has something to do;
 * null there is never. Null here: it says nothing of the kind.
 */
function readNextWake({ status, body }: Answer): number | null {
  if (status !== 200) return null;
  try {
    const { result } = JSON.parse(body.toString("utf8")) as {
      result?: { nextWakeAt?: string | null };
    };
    if (result?.nextWakeAt === undefined) return null;
    return result.nextWakeAt === null ? Infinity : Date.parse(result.nextWakeAt);
  } catch {
    return null;
  }
}
