import * as z from "zod";
import type { Part } from "#src/domain/owned.ts";
import { CursorQuery, NO_CURSOR, toPage } from "./pagination.ts";

/**
 * How a list of version 1 becomes pages in version 2. `by` names the field of an item that the list is ordered by, an id
 * unless `words` says that it is a word. A list that has pages of its own in version 1 names their parameter and field.
 */
export type ListSpec = { by: string; words?: true } | { after: string; next: string };

interface PageQuery {
  cursor: string | undefined;
  limit: number;
}

type Item = Record<string, unknown>;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const WORD = /^[\w-]{1,60}$/;

/** A list as version 2 asks for it and answers it; its cursors name it, so that no other list takes them. */
export function inPages(id: string, spec: ListSpec, query: z.ZodObject = z.object({})) {
  if ("after" in spec) return ownPages(spec, query);
  const prefix = `${id}:`;
  const key = spec.words === true ? WORD : ID;
  const cursor = CursorQuery.shape.cursor.refine(
    (text) =>
      text === undefined || (text.startsWith(prefix) && key.test(text.slice(prefix.length))),
    NO_CURSOR,
  );
  const { offset: _, ...others } = query.shape;
  return {
    query: z.object({ ...others, ...CursorQuery.shape, cursor }),
    partOf: (asked: unknown): Part => {
      const { cursor: place, limit } = asked as PageQuery;
      return { after: place?.slice(prefix.length), limit: limit + 1 };
    },
    answer: (rows: unknown, asked: unknown) =>
      toPage(
        rows as Item[],
        (asked as PageQuery).limit,
        (row) => `${prefix}${String(row[spec.by])}`,
        (row) => row,
      ),
  };
}

/** The place is the list's own, and so is what it says of a forged one. */
function ownPages({ after, next }: { after: string; next: string }, query: z.ZodObject) {
  const { [after]: place, ...others } = query.shape;
  return {
    query: z
      .object({ ...others, limit: CursorQuery.shape.limit, cursor: place as z.ZodType })
      .transform(({ cursor, ...asked }) => ({ ...asked, [after]: cursor })),
    partOf: () => undefined,
    answer: (body: unknown) => {
      const { [next]: cursor, ...rest } = body as Item;
      return { ...rest, next_cursor: cursor, has_more: cursor !== null };
    },
  };
}
