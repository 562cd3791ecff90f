import * as z from "zod";
import { whole } from "./fields.ts";

/** How much one run of the engine takes on. */
export const tickVariables = {
  TICK_BATCH: whole(50, 1, 200),
  TICK_PERIOD_SECONDS: z.coerce
    .number()
    .refine(
      (seconds) => [60, 120].includes(seconds),
      "must be 60 or 120: the queue's schedule knows whole minutes",
    )
    .default(60),
  TICK_PARALLELISM: whole(200, 1, 5_000),
  TICK_CPU_MS: whole(30_000, 10, 300_000),
  TICK_SUBREQUESTS: whole(1_000, 50, 1_000_000),
};
const variables = z.object(tickVariables);

export interface TickConfig {
  tick: {
    batch: number;
    periodSeconds: number;
    parallelism: number;
    /** What the platform lets one run use. */
    cpuMs: number;
    subrequests: number;
  };
}

export const readTick = (env: z.output<typeof variables>): TickConfig => ({
  tick: {
    batch: env.TICK_BATCH,
    periodSeconds: env.TICK_PERIOD_SECONDS,
    parallelism: env.TICK_PARALLELISM,
    cpuMs: env.TICK_CPU_MS,
    subrequests: env.TICK_SUBREQUESTS,
  },
});
