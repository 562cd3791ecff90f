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
  /** Resolves when the queue has delivered what is due: a heartbeat at the same instant looks at what came of it. */
  queueIdle(): Promise<void>;
}

export interface Heartbeat extends Part, TimedPart {
  /** A run besides those of the schedule; throws what the Worker's handler throws. */
  runNow(): Promise<void>;
}

const FAULTS = { skip: "leaves out the next run, as Cloudflare may" };

/** Cloudflare's cron trigger for the Worker: a run at every multiple of `everyMs`. */
export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { everyMs } = options;
  const faults = createFaults(FAULTS);
  const log = createCallLog();
  const stopped = new AbortController();
  const boundaryBefore = (ms: number) => Math.floor(ms / everyMs) * everyMs;
  let lastMs = boundaryBefore(Date.now());
  let isRunning = false;

  async function runDue(): Promise<void> {
    const boundaryMs = boundaryBefore(Date.now());
    const count = Math.round((boundaryMs - lastMs) / everyMs);
    if (count <= 0) return;
    lastMs = boundaryMs;
    if (options.quiet.untilAll() > boundaryMs) {
      log.add(count === 1 ? "left out: nothing is due" : `${count} left out: nothing is due`);
      return;
    }
    isRunning = true;
    try {
      await options.queueIdle();
      if (faults.take("skip")) log.add("skipped by an ordered fault");
      else {
        log.add(count === 1 ? "run" : `run, for ${count} that fell due together`);
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
      const quietUntil = options.quiet.untilAll();
      if (quietUntil === Infinity) return null;
      return new Date(
        quietUntil <= lastMs
          ? lastMs + everyMs
          : boundaryBefore(Math.max(quietUntil, lastMs) + everyMs - 1),
      );
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
