import { z } from "zod";
import { noSuch } from "./errors.ts";
import { integer, text } from "./parameters.ts";

const range = z.strictObject({
  gt: integer().optional(),
  gte: integer().optional(),
  lt: integer().optional(),
  lte: integer().optional(),
});

/** https://docs.stripe.com/api/pagination */
export const paging = {
  limit: integer(1, 100).optional(),
  starting_after: text().optional(),
  ending_before: text().optional(),
  created: z.union([integer(), range]).optional(),
};

export interface Paging {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
  created?: number | z.infer<typeof range> | undefined;
}

const DEFAULT_LIMIT = 10;

/** One page, newest first, of records kept oldest first. */
export function page<Row extends { id: string; created: number }, Shown>(
  url: string,
  rows: Row[],
  paging: Paging,
  show: (row: Row) => Shown,
) {
  const { limit = DEFAULT_LIMIT, starting_after: after, ending_before: before } = paging;
  const newestFirst = rows.toReversed();
  const found = newestFirst.filter(({ created }) => isWithin(created, paging.created));
  if (before !== undefined) {
    const end = placeOf(found, before, "ending_before");
    const start = Math.max(0, end - limit);
    return answer(found.slice(start, end), start > 0);
  }
  const start = after === undefined ? 0 : placeOf(found, after, "starting_after") + 1;
  return answer(found.slice(start, start + limit), found.length > start + limit);

  function answer(shown: Row[], hasMore: boolean) {
    return { object: "list" as const, url, has_more: hasMore, data: shown.map(show) };
  }
}

function placeOf(rows: { id: string }[], id: string, param: string): number {
  const place = rows.findIndex((row) => row.id === id);
  if (place < 0) throw noSuch("object", id, param);
  return place;
}

function isWithin(at: number, wanted: Paging["created"]): boolean {
  if (wanted === undefined) return true;
  if (typeof wanted === "number") return at === wanted;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = wanted;
  return at > gt && at >= gte && at < lt && at <= lte;
}
