import { createCallLog, createFaults, type Part, type TimedPart } from "./part.ts";
import type { Quiet } from "./quiet.ts";
import { sleepUntilWarped } from "./warp.ts";

export interface HeartbeatOptions {
  /** The trigger's schedule, as wrangler.toml has it; the Worker is told. */
  cron: string;
  everyMs: number;
  /** Runs the Worker's `scheduled` handler. */
  run(cron: string, at: Date): Promise<void>;
  /** What a moving clock may pass over. */
  quiet: Quiet;
  /** When the Worker's own upkeep next has something to do, which last ran at `ranAt`; asked again after whatever happens. */
  nextUpkeepAt(now: Date, ranAt: Date): Promise<Date>;
  /** Resolves when the queue has delivered what is due, and one run of each schedule that left some out: a heartbeat at the same instant looks at what came of it. */
  queueUp(): Promise<void>;
}

export interface Heartbeat extends Part, TimedPart {
  /** A run besides those of the schedule; throws what the Worker's handler throws. */
  runNow(): Promise<void>;
}

const FAULTS = { skip: "leaves out the next run, as Cloudflare may" };

/** Cloudflare's cron trigger for the Worker: a run at every multiple of `everyMs`. */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { everyMs, quiet } = options;
  const faults = createFaults(FAULTS);
  const log = createCallLog();
  const stopped = new AbortController();
  const boundaryBefore = (ms: number) => Math.floor(ms / everyMs) * everyMs;
  let lastMs = boundaryBefore(Date.now());
  /** Of those that were made, and not left out. */
  let lastRunMs = lastMs;
  let isRunning = false;
  let upkeep = { untilMs: 0, asOf: -1 };
  /** Until when a run would find nothing: no schedule's work, and no upkeep. */
  const quietUntil = () =>
    upkeep.asOf === quiet.version() ? Math.min(quiet.untilAll(), upkeep.untilMs) : 0;

  /** Whether this run can be left out of a move of the clock. */
  async function isQuiet(boundaryMs: number): Promise<boolean> {
    if (quiet.untilAll() <= boundaryMs) return false;
    if (quietUntil() > boundaryMs) return true;
    const asOf = quiet.version();
    upkeep = {
      untilMs: (await options.nextUpkeepAt(new Date(boundaryMs), new Date(lastRunMs))).getTime(),
      asOf,
    };
    return quietUntil() > boundaryMs;
  }

  async function runDue(): Promise<void> {
    const boundaryMs = boundaryBefore(Date.now());
    const count = Math.round((boundaryMs - lastMs) / everyMs);
    if (count <= 0) return;
    lastMs = boundaryMs;
    isRunning = true;
    try {
      if (await isQuiet(boundaryMs)) {
        log.add(count === 1 ? "left out: nothing is due" : `${count} left out: nothing is due`);
        return;
      }
      // What its schedules left out gives a sign first, or the Worker takes them for gone.
      await options.queueUp();
      if (faults.take("skip")) log.add("skipped by an ordered fault");
      else {
        log.add(count === 1 ? "run" : `run, for ${count} that fell due together`);
        lastRunMs = boundaryMs;
        await options.run(options.cron, new Date(boundaryMs));
      }
    } catch (error) {
      log.add(`failed: ${(error as Error).message}`);
    } finally {
      isRunning = false;
    }
  }

  async function loop(): Promise<void> {
    while (!stopped.signal.aborted) {
      await sleepUntilWarped(new Date(lastMs + everyMs), stopped.signal);
      await runDue();
    }
  }
  const ended = loop().catch(() => {});

  return {
    name: "heartbeat",
    url: "",
    faults,
    log,
    nextDueAt() {
      const untilMs = quietUntil();
      return new Date(untilMs <= lastMs ? lastMs + everyMs : boundaryBefore(untilMs + everyMs - 1));
    },
    busy: () => isRunning || boundaryBefore(Date.now()) > lastMs,
    async runNow() {
      log.add("run, as asked");
      await options.run(options.cron, new Date());
    },
    async close() {
      stopped.abort(new Error("closed"));
      await ended;
    },
  };
}
