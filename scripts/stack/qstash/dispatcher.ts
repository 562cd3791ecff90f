import type { TimedPart } from "../part.ts";
import { onWarp } from "../warp.ts";
import { createSender } from "./attempt.ts";
import type { Answer, Message } from "./model.ts";
import { nextScheduledAt, runLeftOut, runSchedules } from "./schedules.ts";
import { settle } from "./settle.ts";
import type { State } from "./state.ts";

export interface Dispatcher extends TimedPart {
  /** Takes charge of messages that are in the store, and delivers what is due. */
  add(messages: Message[]): void;
  /** Looks again: a schedule has changed. */
  wake(): void;
  /** Starts nothing more until `resume`. */
  pause(): void;
  resume(): void;
  /** Resolves when nothing is under way and nothing is due. */
  idle(): Promise<void>;
  catchUp(): Promise<void>;
  close(): void;
}

// setTimeout's longest delay is 2^31-1 ms.
const LONGEST_TIMER_MS = 2_000_000_000;

/** Delivers each message when it falls due by the stack's clock, and runs the schedules. */
export function createDispatcher(state: State): Dispatcher {
  const { store, gates, faults, log, quiet } = state;
  /** By the instant at which they fall due, then by order. */
  const timeline: Message[] = [];
  const sender = createSender();
  let underWay = 0;
  let idleWaiters: (() => void)[] = [];
  let paused = false;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const earliest = (): Message | null => {
    const isGone = (message: Message) => store.messages.get(message.messageId) === undefined;
    while (timeline[0] !== undefined && isGone(timeline[0])) timeline.shift();
    return timeline[0] ?? null;
  };

  const nextDueAt = (): number | null => {
    if (paused || closed) return null;
    const next = Math.min(earliest()?.dueAt ?? Infinity, nextScheduledAt(state));
    return next === Infinity ? null : next;
  };

  const busy = () => {
    const next = nextDueAt();
    return underWay > 0 || (next !== null && next <= Date.now());
  };

  const schedule = (messages: Message[]) => {
    for (const message of messages) {
      const { dueAt, order } = message;
      const before = (other: Message) =>
        other.dueAt < dueAt || (other.dueAt === dueAt && other.order < order);
      timeline.splice(timeline.findLastIndex(before) + 1, 0, message);
    }
  };

  const pump = () => {
    if (paused || closed) return;
    const now = Date.now();
    schedule(runSchedules(state, now));
    schedule(gates.freed());
    for (let message = earliest(); message !== null && message.dueAt <= now; message = earliest()) {
      timeline.shift();
      if (gates.enter(message)) start(message);
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
    underWay++;
    run(message)
      .catch((error: unknown) => {
        log.add(`failed: ${String(error)}`, { messageId: message.messageId });
        return [];
      })
      .then((consequences) => {
        if (closed) return;
        underWay--;
        gates.leave(message);
        schedule(consequences);
        if (paused) noteIdle();
        else pump();
      });
  };

  /** One delivery, or what a fault makes of it. Returns what then belongs on the timeline. */
  const run = async (message: Message): Promise<Message[]> => {
    const { messageId, url } = message;
    if (faults.take("lose")) {
      log.add(`lost: POST ${url}`, { messageId });
      store.messages.delete(messageId);
      return [];
    }
    if (faults.take("duplicate")) await deliver(message);
    const answer = await deliver(message);
    return closed ? [] : settle(state, message, answer);
  };

  const deliver = async (message: Message) => {
    if (message.scheduleId === null) quiet.end();
    const asOf = quiet.version();
    const answer = await sender.deliver(message, state.keys.current);
    const wakeMs = readNextWake(answer);
    if (message.scheduleId !== null && wakeMs !== null)
      quiet.promise(message.scheduleId, wakeMs, asOf);
    log.add(`deliver POST ${message.url} -> ${answer.error ?? answer.status}`, {
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

  const idle = () =>
    new Promise<void>((resolve) => {
      idleWaiters.push(resolve);
      noteIdle();
    });

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
    nextDueAt() {
      const next = nextDueAt();
      return next === null ? null : new Date(next);
    },
    busy,
    idle,
    catchUp() {
      schedule(runLeftOut(state, Date.now()));
      pump();
      return idle();
    },
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
