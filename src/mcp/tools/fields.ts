import * as z from "zod";

/** An id, checked by the operation that is given it: `z.uuid()` costs 200 characters in each tool's schema. */
export const id = (of: string) => z.string().max(36).describe(`Id of ${of}.`);

export const cursor = z.string().max(300).optional().describe("next_cursor of the page before.");

/** An object of whatever. Zod says of its members `{}`, which some clients do not understand; `true` says the same. */
export const anyObject = () =>
  z.record(z.string(), z.unknown()).meta({ additionalProperties: true });

export const limit = (most: number) => z.number().min(1).max(most).optional();

/** One piece of a path, whatever a caller put into it. */
export const at = (one: string): string => encodeURIComponent(one);

export const confirmToken = z
  .string()
  .max(200)
  .optional()
  .describe("Of the preview that the first call answers; without it nothing is sent.");

/** Of tools whose work ends in what other people get. */
export const SENDS = { destroys: true, reachesOut: true } as const;
