import "./openapi/annotate.ts";
import * as z from "zod";
import { emailKey } from "#src/mime/email-key.ts";
import { zoneNamed } from "#src/platform/zone-names.ts";

/** Wire types that many records share. */
/** Read in either case and known in lower case (RFC 9562, 4), as the database says it: ids are compared outside of it, too. */
export const uuid = z.uuid().toLowerCase();
export const instant = z.iso.datetime();

/** An instant given by a caller: an offset is required, so that the service need not guess one. */
export const instantWithOffset = z.iso
  .datetime({
    offset: true,
    error: "Give an ISO 8601 date-time with an offset, e.g. 2026-01-31T09:00:00Z.",
  })
  .transform((value) => new Date(value))
  // Postgres has no year 0, and an offset can lead past the year 9999 of ISO's four digits.
  .refine(
    (at) => at.getUTCFullYear() >= 1970 && at.getUTCFullYear() <= 9998,
    "must lie between 1970 and 9998",
  )
  .openapi({ format: "date-time" });

/** A calendar date; the years are those of an instant. */
export const date = z.iso
  .date({ error: "Give a date as YYYY-MM-DD." })
  .refine((day) => day >= "1970-01-02" && day <= "9998-12-30", "must lie between 1970 and 9998")
  .openapi({ format: "date", example: "2027-01-04" });

/** As the description says it: none of these characters, and one that is no space. */
const patternOf = (forbidden: string) => `^[^${forbidden}]*[^\\s${forbidden}][^${forbidden}]*$`;
export const TEXT_PATTERN = patternOf(String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f`);
const LINE_PATTERN = patternOf(String.raw`\u0000-\u001f\u007f`);

/** Text that is not blank, is whole Unicode and holds no control characters but tab and line breaks. */
export const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.trim() !== "", "must not be blank")
    // Postgres takes no half of a surrogate pair in JSON.
    .refine((value) => value.isWellFormed(), "must be well-formed Unicode")
    // oxlint-disable-next-line no-control-regex -- control characters are what is refused
    .refine(
      (value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value),
      "must not contain control characters",
    )
    .openapi({ pattern: TEXT_PATTERN });

/** A whole number of a query or path, in digits alone: "1e1", "0x10" and "10.0" are none. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .openapi({ type: "integer", minimum: min, maximum: max });

export const wholeNumberOr = (fallback: number, min: number, max: number) =>
  wholeNumber(min, max).default(fallback).openapi({ default: fallback });

export const optionalText = (max: number) => text(max).nullable().optional();

export const httpUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(2000)
  .openapi({ pattern: "^[Hh][Tt][Tt][Pp][Ss]?:" });

/** An IANA time zone that this runtime knows, in any case; taken as IANA spells it. */
export const timeZone = z
  .string()
  .max(100)
  .refine((zone) => zoneNamed(zone) !== null, "is not a known IANA time zone")
  .overwrite((zone) => zoneNamed(zone) ?? zone);

export const Deleted = z.object({ success: z.literal(true) }).openapi("Deleted");

/** The answer once it is done. */
export async function done(work: Promise<void>): Promise<z.input<typeof Deleted>> {
  await work;
  return { success: true };
}

/** Fields that every owned record carries on the wire. */
export const ownedFields = {
  id: uuid,
  user_id: uuid,
  workspace_id: uuid,
  created_at: instant,
  updated_at: instant,
};

/** A text for a header or a login: one line. */
export const line = (max: number) =>
  text(max)
    .refine((value) => !/[\t\r\n]/.test(value), "must be one line")
    .openapi({ pattern: LINE_PATTERN });

/** One plain address, answered as it is compared: lower case, domain as A-label. */
export const emailAddress = z
  .string()
  .max(320)
  .transform((value, context) => {
    const key = emailKey(value);
    if (key !== null) return key;
    context.addIssue("is not a plain email address");
    return z.NEVER;
  })
  .openapi({ format: "email" });
