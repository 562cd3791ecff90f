import * as z from "zod";
import type { Answer, Page } from "../index.ts";
import type { Ask, Question, UnipileSettings } from "./call.ts";
import type { Cursors } from "./cursors.ts";
import { refused } from "./failures.ts";

/** What the parts of the adapter share. */
export interface Unipile {
  ask: Ask;
  cursors: Cursors;
  log: UnipileSettings["log"];
  now(): Date;
}

const page = z.object({
  items: z.array(z.unknown()),
  cursor: z.union([z.string(), z.number()]).nullish().catch(null),
});

export interface PageQuestion<Item> {
  path: Question<Item>["path"];
  /** Whose list it is: its cursors are good for theirs alone. */
  of: string;
  /** Null where the API takes none. */
  limit: number | null;
  /** Of an earlier answer, for the same path and account. */
  cursor?: string | null | undefined;
  /** Besides limit and cursor; the account too, where the path does not say it. */
  query?: Record<string, string>;
  item: z.ZodType<Item>;
}

/** A page of a list. What cannot be read of it is left out and counted in the log. */
export async function askPage<Item>(
  unipile: Unipile,
  { path, of, limit, cursor, query, item }: PageQuestion<Item>,
): Promise<Answer<Page<Item>>> {
  const list = [of, ...path].join(" ");
  const from = cursor == null ? null : await unipile.cursors.open(list, cursor);
  if (cursor != null && from === null)
    return refused("foreign_cursor", "This cursor is of another list");
  const answer = await unipile.ask({
    purpose: "read",
    method: "GET",
    path,
    query: {
      ...query,
      ...(limit === null ? {} : { limit }),
      ...(from === null ? {} : { cursor: from }),
    },
    shape: page,
  });
  if (!answer.ok) return answer;
  const next = answer.value.cursor;
  return {
    ok: true,
    value: {
      items: readable(unipile, path.at(-1)!, answer.value.items, item),
      nextCursor:
        next == null || next === "" ? null : await unipile.cursors.seal(list, String(next)),
    },
  };
}

function readable<Item>(
  { log }: Pick<Unipile, "log">,
  list: string,
  items: readonly unknown[],
  item: z.ZodType<Item>,
): Item[] {
  const read = items.flatMap((each) => {
    const { data, success } = item.safeParse(each);
    return success ? [data] : [];
  });
  const unreadable = items.length - read.length;
  if (unreadable > 0) log.info("network_items_unreadable", { list, unreadable });
  return read;
}
