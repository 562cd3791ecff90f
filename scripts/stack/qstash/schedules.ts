import { nextRun, parseCron } from "./cron.ts";
import { asUrl, type Headers, OF_A_SCHEDULE, parseEnvelope, readerOf } from "./envelope.ts";
import { ApiError, type Message, type Schedule } from "./model.ts";
import { addMessage } from "./publish.ts";
import { randomId } from "./signature.ts";
import type { State } from "./state.ts";

/** Creates a schedule, or overwrites the one of that id, which keeps its age and stays paused if it was. */
export function putSchedule(
  { store }: State,
  destination: string,
  headers: Headers,
  body: string,
): Schedule {
  const text = readerOf(headers, OF_A_SCHEDULE);
  const cron = text("cron") ?? "";
  try {
    parseCron(cron);
  } catch (error) {
    throw new ApiError(400, `invalid cron: ${(error as Error).message}`);
  }
  const scheduleId = text("schedule-id") ?? randomId("scd_");
  const existing = store.schedules.get(scheduleId);
  const now = Date.now();
  const schedule: Schedule = {
    scheduleId,
    cron,
    destination: asUrl(destination, "destination url"),
    envelope: parseEnvelope(headers, text),
    body,
    createdAt: existing?.createdAt ?? now,
    paused: existing?.paused ?? false,
    nextRunAt: nextRun(cron, now),
  };
  store.schedules.put(scheduleId, schedule);
  return schedule;
}

/** What fell due while a schedule was paused is gone. */
export function setSchedulePaused({ store }: State, schedule: Schedule, paused: boolean): void {
  if (schedule.paused && !paused) schedule.nextRunAt = nextRun(schedule.cron, Date.now());
  schedule.paused = paused;
  store.schedules.put(schedule.scheduleId, schedule);
}

/** The earliest run of any schedule that has to be made. */
export function nextScheduledAt(state: State): number {
  const running = state.store.schedules.values().filter(({ paused }) => !paused);
  return Math.min(Infinity, ...running.map((schedule) => nextNeededAt(state, schedule)));
}

/**
 * Its next run; or, while it has promised to find nothing until some instant, the last run before that, since a run
 * looks ahead to the next one.
 */
function nextNeededAt({ quiet }: State, { scheduleId, cron, nextRunAt }: Schedule): number {
  const quietUntil = quiet.until(scheduleId);
  if (quietUntil <= nextRunAt || quietUntil === Infinity) return Math.max(nextRunAt, quietUntil);
  const gapMs = nextRun(cron, nextRunAt) - nextRunAt;
  let runAt = quietUntil - gapMs > nextRunAt ? nextRun(cron, quietUntil - gapMs - 1) : nextRunAt;
  while (nextRun(cron, runAt) <= quietUntil) runAt = nextRun(cron, runAt);
  return runAt;
}

/**
 * Publishes the messages of all schedules that are due. Runs that piled up, because the clock went far
 * ahead in one step or the stack was down, become one message; the call log says how many they were.
 */
export function runSchedules(state: State, now: number): Message[] {
  return state.store.schedules.values().flatMap((schedule) => {
    if (schedule.paused || schedule.nextRunAt > now) return [];
    leaveOutIdleRuns(state, schedule, now);
    return schedule.nextRunAt > now ? [] : [runSchedule(state, schedule, now)];
  });
}

/** The runs before the next one that has to be made count as made. */
function leaveOutIdleRuns(state: State, schedule: Schedule, now: number): void {
  const neededAt = nextNeededAt(state, schedule);
  let runs = 0;
  for (; schedule.nextRunAt < neededAt && schedule.nextRunAt <= now; runs++)
    schedule.nextRunAt = nextRun(schedule.cron, schedule.nextRunAt);
  if (runs === 0) return;
  state.leftOut.add(schedule.scheduleId);
  state.store.schedules.put(schedule.scheduleId, schedule);
  state.log.add(
    `schedule ${schedule.scheduleId}: ${runs} runs coalesced into none, as nothing was due`,
    { runs },
  );
}

/** One run now of each schedule whose last ones were left out; the next is where it was. */
export function runLeftOut(state: State, now: number): Message[] {
  return state.store.schedules
    .values()
    .filter(({ paused, scheduleId }) => !paused && state.leftOut.has(scheduleId))
    .map((schedule) => messageOf(state, schedule, now));
}

function runSchedule(state: State, schedule: Schedule, now: number): Message {
  const { scheduleId, cron, nextRunAt: firstRunAt } = schedule;
  let [runs, runAt] = [1, firstRunAt];
  for (; nextRun(cron, runAt) <= now; runs++) runAt = nextRun(cron, runAt);
  if (runs > 1) {
    const detail = { runs, firstRunAt: new Date(firstRunAt).toISOString() };
    state.log.add(`schedule ${scheduleId}: ${runs} runs coalesced into one`, detail);
  }
  schedule.nextRunAt = nextRun(cron, runAt);
  state.store.schedules.put(scheduleId, schedule);
  return messageOf(state, schedule, runAt);
}

function messageOf(
  state: State,
  { scheduleId, destination: url, envelope, body }: Schedule,
  runAt: number,
): Message {
  state.leftOut.delete(scheduleId);
  return addMessage(state, {
    ...envelope,
    url,
    body,
    messageId: randomId("msg_"),
    order: state.store.nextOrder(),
    createdAt: Date.now(),
    dueAt: runAt,
    retried: 0,
    scheduleId,
  });
}
