import type * as z from "zod";
import type { Deps } from "#src/deps.ts";

/** A callback of the queue: its payload's shape, and its work. Safe to repeat, safe to lose. */
export interface Callback<S extends z.ZodType = z.ZodType> {
  name: string;
  payload: S;
  run(deps: Deps, payload: z.output<S>): Promise<unknown>;
}

/** Types a callback by its own payload schema. */
export function callback<S extends z.ZodType>(definition: Callback<S>): Callback {
  return definition as unknown as Callback;
}
