import { nextRun, parseCron } from "./cron.ts";
import { isUrl, name, type PublishHeaders } from "./envelope.ts";
import { ApiError, type Message, type Schedule } from "./model.ts";
import { publish } from "./publish.ts";
import { randomId } from "./signature.ts";
import type { State } from "./state.ts";

/** Creates a schedule, or overwrites the one of that id, which keeps its age and stays paused if it was. */
export function putSchedule(
  { store }: State,
  destination: string,
  { envelope, cron, delayMs, queueName, scheduleId: wantedId }: PublishHeaders,
  body: string,
  callerIp: string,
): Schedule {
  if (cron === null) throw new ApiError(400, "missing Upstash-Cron header");
  if (!isUrl(destination)) name(destination, "destination url");
  const scheduleId = wantedId ?? randomId("scd_");
  const existing = store.schedules.get(scheduleId);
  const now = new Date();
  const schedule: Schedule = {
    scheduleId,
    cron,
    destination,
    envelope,
    body,
    delayMs,
    queueName,
    callerIp,
    createdAt: existing?.createdAt ?? now.getTime(),
    paused: existing?.paused ?? false,
    nextRunAt: nextRun(parseCron(cron), now)?.getTime() ?? null,
    lastRunAt: existing?.lastRunAt ?? null,
    lastStates: existing?.lastStates ?? {},
  };
  store.schedules.put(scheduleId, schedule);
  return schedule;
}

/** What fell due while a schedule was paused is gone. */
export function setSchedulePaused({ store }: State, schedule: Schedule, paused: boolean): void {
  if (schedule.paused && !paused) {
    schedule.nextRunAt = nextRun(parseCron(schedule.cron), new Date())?.getTime() ?? null;
  }
  schedule.paused = paused;
  store.schedules.put(schedule.scheduleId, schedule);
}

/** The earliest run of any schedule. */
export function nextScheduledAt({ store }: State): number | null {
  let next: number | null = null;
  for (const { paused, nextRunAt } of store.schedules.values()) {
    if (!paused && nextRunAt !== null && (next === null || nextRunAt < next)) next = nextRunAt;
  }
  return next;
}

/**
 * Publishes the messages of all schedules that are due. Runs that piled up, because the clock went far
 * ahead in one step or the stack was down, become one message; the call log says how many they were.
 */
export function runSchedules(state: State, now: number): Message[] {
  return state.store.schedules.values().flatMap((schedule) => {
    if (schedule.paused || schedule.nextRunAt === null || schedule.nextRunAt > now) return [];
    return runSchedule(state, schedule, schedule.nextRunAt, now);
  });
}

const MAX_COUNTED_RUNS = 10_000;

function runSchedule(state: State, schedule: Schedule, firstRunAt: number, now: number): Message[] {
  const cron = parseCron(schedule.cron);
  let [runs, lastRunAt] = [1, firstRunAt];
  let next = nextRun(cron, new Date(lastRunAt));
  while (next !== null && next.getTime() <= now && runs < MAX_COUNTED_RUNS) {
    runs++;
    lastRunAt = next.getTime();
    next = nextRun(cron, next);
  }
  if (next !== null && next.getTime() <= now) next = nextRun(cron, new Date(now));
  if (runs > 1) {
    const detail = { runs, firstRunAt: new Date(firstRunAt).toISOString() };
    state.log.add(`schedule ${schedule.scheduleId}: ${runs} runs coalesced into one`, detail);
  }
  schedule.nextRunAt = next?.getTime() ?? null;
  schedule.lastRunAt = lastRunAt;
  const messages = publishRun(state, schedule, lastRunAt);
  schedule.lastStates = Object.fromEntries(
    messages.map(({ messageId }) => [messageId, "IN_PROGRESS"]),
  );
  state.store.schedules.put(schedule.scheduleId, schedule);
  return messages;
}

function publishRun(state: State, schedule: Schedule, runAt: number): Message[] {
  try {
    return publish(state, schedule.destination, {
      envelope: schedule.envelope,
      body: schedule.body,
      dueAt: runAt + schedule.delayMs,
      deduplicationId: null,
      callerIp: schedule.callerIp,
      queueName: schedule.queueName,
      scheduleId: schedule.scheduleId,
    }).messages;
  } catch (error) {
    // Its URL group was deleted.
    if (!(error instanceof ApiError)) throw error;
    state.log.add(`schedule ${schedule.scheduleId} failed: ${error.message}`);
    return [];
  }
}
