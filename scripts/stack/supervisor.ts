import { setTimeout as delay } from "node:timers/promises";
import type { Stack } from "./stack-parts.ts";
import type { Workerd } from "./workerd.ts";
import { linkToWorkerd, WorkerUnavailable } from "./worker-link.ts";

/** Restarts in a minute before a Worker is given up, where nothing else is asked for. */
export const MOST_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;
const RESTART_PAUSE_MS = 100;

export interface Supervisor {
  current(): Workerd;
  untilUp(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a Worker, and starts it anew when its process ends by itself. */
export async function superviseWorker(
  attach: Stack["attachWorker"],
  say: (line: string) => void,
  mostRestarts: number,
  launch: () => Promise<Workerd>,
): Promise<Supervisor> {
  let isClosing = false;
  let arrival = Promise.withResolvers<void>();
  const startedAt = performance.now();
  let current = await launch();
  let isUp = false;
  await adopt();
  say(`${"worker".padEnd(10)} ${((performance.now() - startedAt) / 1000).toFixed(2)} s`);

  async function adopt(): Promise<void> {
    const link = current.eventsUrl === null ? null : linkToWorkerd(current.eventsUrl);
    // One that ended again is noticed by its end.
    await attach(link).catch((error: unknown) => {
      if (!(error instanceof WorkerUnavailable)) throw error;
    });
    isUp = true;
    arrival.resolve();
    const { kill } = current;
    current.kill = (signal) => {
      leave();
      return kill(signal);
    };
  }

  /** Its successor is waited for from the signal on, not only from the end. */
  function leave(): void {
    if (isUp) arrival = Promise.withResolvers();
    isUp = false;
    arrival.promise.catch(() => {});
  }

  async function watch(): Promise<void> {
    const restarts: number[] = [];
    for (;;) {
      await current.ended;
      if (isClosing) return;
      leave();
      await attach(null);
      const now = performance.now();
      restarts.push(now);
      if (restarts.filter((at) => now - at < RESTART_WINDOW_MS).length > mostRestarts) {
        throw new Error("it keeps ending; its last words are above");
      }
      say("The Worker's process ended; starting it again.");
      await delay(RESTART_PAUSE_MS);
      if (isClosing) return;
      current = await launch();
      if (isClosing) return void (await current.close());
      await adopt();
    }
  }
  const watching = watch().catch((error: Error) => {
    say(`The Worker is not started again: ${error.message}`);
    arrival.reject(error);
  });

  return {
    current: () => current,
    untilUp: () => arrival.promise,
    async close() {
      isClosing = true;
      await attach(null);
      await current.close();
      await watching;
    },
  };
}
