import { CELL_HEADER } from "#src/platform/cells.ts";
import { readJson } from "#src/platform/json.ts";
import * as z from "zod";
import type { Cell, Cells } from "./cells.ts";
import { type Order, orderOf, pass } from "./pass.ts";
import type { Plan } from "./plan.ts";
import { hasNotAnswered, isAway } from "./refuse.ts";
import type { Asker, Directory } from "./where.ts";

type Of = Extract<Plan, { kind: "caller" }>["of"];

const Credential = z.object({
  credential: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9._~+/=-]{1,8192}$/),
});
const Choice = z.object({ workspace_id: z.uuid() });

/**
 * Passes a request to its caller's cell. What was remembered may be over: where the cell says that the workspace has left,
 * or does not know the caller, the request is sent once more, to the cell that has the workspace. Once: two cells that each
 * name the other end there.
 */
export async function passToCaller(
  { cells, directory }: { cells: Cells; directory: Directory },
  request: Request,
  of: Of,
): Promise<Response> {
  const { order, asker } = askerOf(await orderOf(request), of);
  const { isStreamed } = order;
  // What can be sent but once has to go to the right one.
  const found = await directory.find(asker, { isFresh: isStreamed });
  if (found.kind === "away") return isAway(request);
  const cell = found.kind === "found" ? found.cell : cells[0];
  const isRemembered = found.kind === "found" && found.isRemembered;
  const answer = await pass(cell, order);
  if (answer === undefined) return hasNotAnswered(request);
  const other = await correct({ cells, directory, asker, cell, answer, isRemembered });
  if (other === undefined || isStreamed) return answer;
  await answer.body?.cancel();
  return (await pass(other, order)) ?? hasNotAnswered(request);
}

interface Answered {
  cells: Cells;
  directory: Directory;
  asker: Asker;
  cell: Cell;
  answer: Response;
  /** By what an earlier request had found; that no cell knows the caller holds for seconds alone. */
  isRemembered: boolean;
}

/** The cell that should have been asked, by what this one answered; undefined where it was the right one. */
async function correct({
  cells,
  directory,
  asker,
  cell,
  answer,
  isRemembered,
}: Answered): Promise<Cell | undefined> {
  const name = answer.headers.get(CELL_HEADER);
  const home = answer.status === 503 ? cells.find((each) => each.name === name) : undefined;
  if (home !== undefined && home !== cell) {
    await directory.note(asker, home);
    return home;
  }
  if (answer.status !== 401 || !isRemembered) return undefined;
  await directory.forget(asker);
  const found = await directory.find(asker, { isFresh: true });
  return found.kind === "found" && found.cell !== cell ? found.cell : undefined;
}

/** The caller, where something else than the headers names it. */
function askerOf(order: Order, of: Of): { order: Order; asker: Asker } {
  const { request, body } = order;
  const { headers } = request;
  if (typeof of === "object") return { order, asker: { headers, ...of } };
  const said = of === "headers" || body === null ? null : readJson(new TextDecoder().decode(body));
  if (of === "credential") {
    const { data } = Credential.safeParse(said);
    const named = data && new Headers({ authorization: `Bearer ${data.credential}` });
    return { order, asker: { headers: named ?? headers } };
  }
  const choice = of === "choice" ? Choice.safeParse(said).data : undefined;
  if (choice === undefined) return { order, asker: { headers } };
  // The session may be in a workspace of another cell, which knows nothing of the one that is chosen.
  const named = new Headers(headers);
  named.set("overture-workspace", choice.workspace_id);
  return { order: { ...order, headers: named }, asker: { headers: named } };
}
