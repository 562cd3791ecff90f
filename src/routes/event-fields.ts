import * as z from "zod";
import { type Cursor, TYPE_NAMES } from "#src/domain/workspace/events/read.ts";
import { fromCursor, toCursor } from "#src/http/pagination.ts";

const MOST = 2n ** 63n - 1n;
const PLACE = /^(\d{1,19})\.(\d{1,19})\.(\d{1,11})$/;

/** The place that an event's or a page's cursor names. */
export function placeOf(text: string): Cursor | undefined {
  const [, tx, seq, seconds] = PLACE.exec(fromCursor(text) ?? "") ?? [];
  if (tx === undefined || seq === undefined || BigInt(tx) > MOST || BigInt(seq) > MOST) return;
  return { tx, seq, at: new Date(Number(seconds) * 1000) };
}
export const cursorOf = ({ tx, seq, at }: Cursor): string =>
  toCursor(`${tx}.${seq}.${Math.floor(at.getTime() / 1000)}`);

/** Names of types, or of all of a kind. */
export const typeNames = z.array(z.enum(TYPE_NAMES)).min(1).max(100);
