import * as z from "zod";
import { readJson } from "#src/platform/json.ts";
import type { Cell, Cells } from "./cells.ts";
import { type Order, pass } from "./pass.ts";
import { hasNotAnswered } from "./refuse.ts";

/** What says that a cell found something of its own: of a mail, and of events. */
const Took = z.union([
  z.object({ matched_by: z.string() }),
  z.object({ taken: z.int().positive() }),
  z.object({ statuses: z.int().positive() }),
]);

/**
 * Tells every cell, and answers as the one that it concerned. Where one fails the news is to come again: its sender
 * repeats what was not taken, and what a cell took already changes nothing the second time.
 */
export async function tellEvery(cells: readonly Cell[], order: Order): Promise<Response> {
  const answers = await Promise.all(cells.map((cell) => pass(cell, order)));
  const whole = await Promise.all(
    answers.map(async (answer) => answer && { answer, text: await answer.text() }),
  );
  if (whole.some((each) => each === undefined)) return hasNotAnswered(order.request);
  const all = whole.flatMap((each) => each ?? []);
  const worst = all.toSorted((a, b) => b.answer.status - a.answer.status)[0]!;
  const taker = all.find(({ text }) => Took.safeParse(readJson(text)).success);
  const { answer, text } = worst.answer.status >= 400 ? worst : (taker ?? all[0]!);
  return new Response(text, { status: answer.status, headers: answer.headers });
}

/** All but the one that tells. */
export async function tellOthers(
  cells: Cells,
  from: string | null,
  order: Order,
): Promise<Response> {
  const others = cells.filter(({ name }) => name !== from);
  return others.length === 0 ? Response.json({ taken: 0 }) : tellEvery(others, order);
}
