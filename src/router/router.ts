import { AppError } from "#src/errors.ts";
import { CELL_HEADER, FROM_HEADER, NOT_HERE, SECRET_HEADER } from "#src/platform/cells.ts";
import { isSameText } from "#src/platform/same-text.ts";
import { passToCaller } from "./caller.ts";
import { type Cell, type Cells, inTurnFor } from "./cells.ts";
import { tellEvery, tellOthers } from "./every.ts";
import { orderOf, pass, withWhole } from "./pass.ts";
import { planOf } from "./plan.ts";
import { hasNotAnswered, refuse } from "./refuse.ts";
import { createDirectory } from "./where.ts";

export interface RouterOptions {
  cells: Cells;
  secret: string;
  now(): Date;
  longestLookMs?: number;
}

const LONGEST_HEALTH_MS = 3_000;

/** The one address before all cells. It keeps nothing but what cells said within the last minute. */
export function createRouter(options: RouterOptions): {
  fetch(request: Request): Promise<Response>;
} {
  const { cells, secret } = options;
  const directory = createDirectory(options);

  async function route(request: Request): Promise<Response> {
    const plan = planOf(request);
    switch (plan.kind) {
      case "shared":
        return (await pass(cells[0], await orderOf(request))) ?? hasNotAnswered(request);
      case "token":
        return anyOf(request, inTurnFor(cells, plan.token));
      case "in_turn":
        return askInTurn(request, inTurnFor(cells, plan.token));
      case "every":
        return withWhole(request, (order) => tellEvery(cells, order));
      case "others":
        return isSameText(request.headers.get(SECRET_HEADER) ?? "", secret)
          ? withWhole(request, (order) =>
              tellOthers(cells, request.headers.get(FROM_HEADER), order),
            )
          : nothingThere(request);
      case "cells":
        return Response.json({ cells: await Promise.all(cells.map(healthOf)) });
      case "nothing":
        return nothingThere(request);
      case "caller":
        return passToCaller({ cells, directory }, request, plan.of);
    }
  }

  return {
    async fetch(request) {
      try {
        return withoutCell(await route(request));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return refuse(request, error);
      }
    },
  };
}

/** Which cells there are is said between them alone. */
function withoutCell(answer: Response): Response {
  if (!answer.headers.has(CELL_HEADER)) return answer;
  const told = new Response(answer.body, answer);
  told.headers.delete(CELL_HEADER);
  return told;
}

const nothingThere = (request: Request) =>
  refuse(request, new AppError("not_found", "NOT_FOUND", "There is nothing here."));

/** A page of a token: each cell can make it, and the message's own is told of the hit (`recordHits`). */
async function anyOf(request: Request, cells: Cells): Promise<Response> {
  const order = await orderOf(request);
  let last: Response | undefined;
  for (const cell of cells) {
    const answer = await pass(cell, order);
    if (answer !== undefined && answer.status < 500) return answer;
    last = answer ?? last;
  }
  return last ?? hasNotAnswered(request);
}

/** Until one knows it. One that is away, or in which its workspace is being moved, may have been the one. */
const askInTurn = (request: Request, cells: Cells): Promise<Response> =>
  withWhole(request, async (order) => {
    let unknown: Response | undefined;
    let failed: Response | undefined;
    for (const cell of cells) {
      const answer = await pass(cell, order);
      if (answer === undefined) failed ??= hasNotAnswered(request);
      else if (answer.status === 503) failed = answer;
      else if (answer.headers.get(CELL_HEADER) === NOT_HERE) unknown ??= answer;
      else return answer;
    }
    return failed ?? unknown!;
  });

async function healthOf(cell: Cell): Promise<{ name: string; answers: boolean }> {
  const order = { request: new Request("http://cell/health"), body: null, isStreamed: false };
  const answer = await pass(cell, order, LONGEST_HEALTH_MS);
  await answer?.body?.cancel();
  return { name: cell.name, answers: answer?.status === 200 };
}
