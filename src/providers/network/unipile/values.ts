import * as z from "zod";

/** Opaque, of the provider: whatever is printed on one line. */
export const id = z.string().regex(/^[^\s\p{C}]{1,500}$/u);
export const optionalId = id.nullish().catch(null).transform(orNull);

/** Several times the network's own limits of a text and a name. */
const LONGEST_TEXT = 50_000;
const LONGEST_NAME = 1_000;

/**
 * Free text as the database takes it: Postgres has no NUL, and half of a character is none. A form turns each line end
 * into CR LF on its way (WHATWG, "multipart/form-data encoding"): what was said has to be known again by its words.
 */
export const text = z
  .string()
  .transform((value) => value.replaceAll("\0", "").replaceAll("\r\n", "\n"))
  .transform((value) => value.slice(0, LONGEST_TEXT).toWellFormed());
/** A name, a headline and the like. */
export const optionalName = text
  .transform((value) => value.slice(0, LONGEST_NAME).toWellFormed())
  .nullish()
  .catch(null)
  .transform((value) => value || null);

/** What people are shown to follow: an address of the web, or none. */
export const webAddress = z
  .string()
  .max(2_000)
  .regex(/^https?:\/\/[^\s\p{C}]+$/iu);
export const optionalUrl = webAddress.nullish().catch(null).transform(orNull);

/** Below, a number counts seconds: the year 5138, or as milliseconds 1973. */
const FIRST_MS = 100_000_000_000;
const LAST_MS = Date.UTC(9999, 11, 31);

/**
 * The API writes instants as ISO 8601, at places without a zone (then it is UTC), and as seconds or milliseconds since
 * 1970. Null for anything else, such as the "2w" beside a post.
 */
export const instant = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => instantOf(value ?? ""));

function instantOf(value: string | number): Date | null {
  const ms = typeof value === "number" || /^\d{9,13}$/.test(value) ? epochMs(+value) : isoMs(value);
  return Number.isFinite(ms) && ms > 0 && ms <= LAST_MS ? new Date(ms) : null;
}

const epochMs = (value: number) => Math.trunc(value < FIRST_MS ? value * 1000 : value);

function isoMs(value: string): number {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:?\d\d)?$/.exec(
    value,
  );
  return parts === null ? Number.NaN : Date.parse(`${parts[1]}T${parts[2]}${parts[3] ?? "Z"}`);
}

/** The API's yes is 1 at places. */
export const yes = z
  .union([z.boolean(), z.literal(0), z.literal(1)])
  .catch(false)
  .transform(Boolean);

/** Null where it is missing: a count that is not told is not 0. */
export const count = z.int().min(0).nullish().catch(null).transform(orNull);

function orNull<Value>(value: Value | null | undefined): Value | null {
  return value ?? null;
}
