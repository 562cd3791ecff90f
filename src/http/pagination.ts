import "./openapi/annotate.ts";
import * as z from "zod";
import { fromBase64, toBase64Url } from "#src/platform/encoding.ts";
import { uuid, wholeNumberOr } from "./fields.ts";

export const LIST_LIMIT = { default: 50, max: 200 };

export const NO_CURSOR = "Not a cursor that this list gave out.";
const CURSOR = /^[A-Za-z0-9_-]+$/;

/** The place that a cursor names; null where it is none. */
export function fromCursor(cursor: string): string | null {
  const bytes = CURSOR.test(cursor) ? fromBase64(cursor) : null;
  const text = bytes === null ? "" : new TextDecoder().decode(bytes);
  return /^[\x21-\x7e]{1,100}$/.test(text) ? text : null;
}

export const toCursor = (place: string): string => toBase64Url(new TextEncoder().encode(place));

/** Query of the `{items, next_cursor, has_more}` lists. A cursor is opaque; one of another list is a 422. */
export const CursorQuery = z.object({
  cursor: z
    .string()
    .max(200)
    .regex(CURSOR, NO_CURSOR)
    .transform((value, context) => {
      const text = fromCursor(value);
      if (text !== null) return text;
      context.addIssue(NO_CURSOR);
      return z.NEVER;
    })
    .optional()
    .openapi({ type: "string", maxLength: 200, pattern: CURSOR.source }),
  limit: wholeNumberOr(LIST_LIMIT.default, 1, LIST_LIMIT.max),
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The same for lists in the order of their ids. */
export const IdCursorQuery = CursorQuery.extend({
  cursor: CursorQuery.shape.cursor.refine((id) => id === undefined || UUID.test(id), NO_CURSOR),
});

/** Of lists in the order of an instant, and of ids within it. */
export const InstantCursor = CursorQuery.shape.cursor
  .transform((place, context) => {
    if (place === undefined) return undefined;
    const [ms = "", id = ""] = place.split(":");
    if (/^\d{1,14}$/.test(ms) && uuid.safeParse(id).success)
      return { at: new Date(Number(ms)), id };
    context.addIssue(NO_CURSOR);
    return z.NEVER;
  })
  .openapi({ type: "string" });

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  });
}

/**
 * Cuts a page out of `limit + 1` rows read in the order of `keyOf`, whose value
 * after the last item becomes the cursor: stable under writes, because it names
 * a place in the order and not a count of rows. A search that looks at so many rows at a time
 * names the place that it has `reached` where more come behind it.
 */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => string,
  toItem: (row: Row) => Item,
  reached: string | null = null,
) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const place = rows.length > limit && last !== undefined ? keyOf(last) : reached;
  return {
    items: items.map(toItem),
    next_cursor: place === null ? null : toCursor(place),
    has_more: place !== null,
  };
}
