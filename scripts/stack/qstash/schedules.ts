import { nextRun, parseCron } from "./cron.ts";
import { isUrl, type PublishHeaders } from "./envelope.ts";
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
  if (!isUrl(destination)) throw new ApiError(400, `invalid destination url ${destination}`);
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

/** The earliest run of any schedule that has to be made. */
export function nextScheduledAt(state: State): number | null {
  let next: number | null = null;
  for (const schedule of state.store.schedules.values()) {
    const runAt = schedule.paused ? null : nextNeededAt(state, schedule);
    if (runAt !== null && (next === null || runAt < next)) next = runAt;
  }
  return next;
}

/**
 * Its next run; or, while it has promised to find nothing until some instant, the last run before that, since a run
 * looks ahead to the next one.
 */
function nextNeededAt({ quiet }: State, { scheduleId, cron, nextRunAt }: Schedule): number | null {
  const quietUntil = quiet.until(scheduleId);
  if (nextRunAt === null || quietUntil <= nextRunAt) return nextRunAt;
  if (quietUntil === Infinity) return null;
  const parsed = parseCron(cron);
  const after = (ms: number) => nextRun(parsed, new Date(ms))?.getTime() ?? Infinity;
  const gapMs = after(nextRunAt) - nextRunAt;
  let runAt =
    gapMs < Infinity && quietUntil - gapMs > nextRunAt ? after(quietUntil - gapMs - 1) : nextRunAt;
  while (after(runAt) <= quietUntil) runAt = after(runAt);
  return runAt;
}

/**
 * Publishes the messages of all schedules that are due. Runs that piled up, because the clock went far
 * ahead in one step or the stack was down, become one message; the call log says how many they were.
 */
export function runSchedules(state: State, now: number): Message[] {
  return state.store.schedules.values().flatMap((schedule) => {
    if (schedule.paused || schedule.nextRunAt === null || schedule.nextRunAt > now) return [];
    leaveOutIdleRuns(state, schedule, now);
    if (schedule.nextRunAt === null || schedule.nextRunAt > now) return [];
    return runSchedule(state, schedule, schedule.nextRunAt, now);
  });
}

/** The runs before the next one that has to be made count as made. */
function leaveOutIdleRuns(state: State, schedule: Schedule, now: number): void {
  const neededAt = nextNeededAt(state, schedule) ?? Infinity;
  const cron = parseCron(schedule.cron);
  let runs = 0;
  while (
    schedule.nextRunAt !== null &&
    schedule.nextRunAt < neededAt &&
    schedule.nextRunAt <= now
  ) {
    schedule.lastRunAt = schedule.nextRunAt;
    schedule.nextRunAt = nextRun(cron, new Date(schedule.nextRunAt))?.getTime() ?? null;
    runs++;
  }
  if (runs === 0) return;
  state.store.schedules.put(schedule.scheduleId, schedule);
  state.log.add(
    `schedule ${schedule.scheduleId}: ${runs} runs coalesced into none, as nothing was due`,
    { runs },
  );
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

const publishRun = (state: State, schedule: Schedule, runAt: number): Message[] =>
  publish(state, schedule.destination, {
    envelope: schedule.envelope,
    body: schedule.body,
    dueAt: runAt + schedule.delayMs,
    deduplicationId: null,
    callerIp: schedule.callerIp,
    queueName: schedule.queueName,
    scheduleId: schedule.scheduleId,
  }).messages;
