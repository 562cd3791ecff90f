import * as z from "zod";

const Answer = z.object({ cells: z.array(z.object({ name: z.string(), answers: z.boolean() })) });
const TIMEOUT_MS = 10_000;

/** Whether a router at that address passes requests on to the cell, which answers. */
export async function isBehindRouter(
  baseUrl: string | undefined,
  cell: string,
  ask: typeof fetch = fetch,
): Promise<boolean> {
  if (!baseUrl) return false;
  try {
    const reply = await ask(`${baseUrl.replace(/\/+$/, "")}/cells`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { cells } = Answer.parse(await reply.json());
    return cells.some(({ name, answers }) => name === cell && answers);
  } catch {
    return false;
  }
}
