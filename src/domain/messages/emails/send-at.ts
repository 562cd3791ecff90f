import { instantsOfWall, isKnownZone } from "#src/platform/time-zone.ts";

const NAIVE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(\.\d+)?$/;
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/i;

export type SendAt = { ok: true; at: Date } | { ok: false; message: string };

/**
 * When `send_at` is: an offset in it wins over the zone, a naive time is read on
 * the zone's wall clock, and in UTC without one. A time that the zone's clocks
 * skip is the moment of the skip; one that they show twice, the first.
 */
export function readSendAt(sendAt: string, zone: string | undefined): SendAt {
  const text = sendAt.trim();
  if (WITH_OFFSET.test(text))
    return isDay(text.slice(0, 10))
      ? within(new Date(text.replace(" ", "T")).getTime())
      : invalid();
  const naive = NAIVE.exec(text);
  if (naive === null) return invalid();
  const [, date, minutes, seconds = ":00"] = naive;
  const wallMs = Date.parse(`${date}T${minutes}${seconds}Z`);
  if (Number.isNaN(wallMs) || !isDay(date!)) return invalid();
  if (zone === undefined) return within(wallMs);
  if (!isKnownZone(zone)) return { ok: false, message: `${zone} is not a known IANA time zone` };
  return within(instantsOfWall(wallMs, zone).first);
}

/** Whether the calendar has it: Date.parse takes the 31st of February for the 3rd of March. */
function isDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}

/** Postgres and ISO 8601 part ways outside of these years. */
function within(ms: number): SendAt {
  const at = new Date(ms);
  const year = at.getUTCFullYear();
  return year >= 1970 && year <= 9998 ? { ok: true, at } : invalid();
}

const invalid = (): SendAt => ({
  ok: false,
  message: "must be an ISO 8601 date-time, e.g. 2026-01-31T09:00:00Z or 2026-01-31T09:00",
});
