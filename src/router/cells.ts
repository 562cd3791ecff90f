import { cellOfToken, numberOfCell } from "#src/domain/messages/tracking/track-token.ts";
import { CELL_NAME } from "#src/platform/cells.ts";

/** What passes a request to a cell: a service binding. */
export interface Passage {
  fetch(request: Request): Promise<Response>;
}

export interface Cell extends Passage {
  name: string;
}

/** The first one serves what is shared, and gets logins that are new. */
export type Cells = [Cell, ...Cell[]];

/** Thrown with every fault of the router's environment. */
export class RouterConfigError extends Error {}

const bindingOf = (name: string): string => `CELL_${name.toUpperCase()}`;

const isPassage = (value: unknown): value is Passage =>
  typeof value === "object" && value !== null && "fetch" in value;

/** `CELLS` names them, parted by commas; each has a binding `CELL_<NAME>`. */
export function readCells(env: Record<string, unknown>): { cells: Cells; secret: string } {
  const { CELLS: list, CELLS_SECRET: secret } = env;
  const names = String(list ?? "")
    .split(",")
    .map((name) => name.trim());
  const faults: string[] = [];
  if (typeof secret !== "string" || secret.length < 16)
    faults.push("CELLS_SECRET: must be at least 16 characters");
  const cells = names.flatMap((name): Cell[] => {
    const passage = env[bindingOf(name)];
    if (!CELL_NAME.test(name))
      faults.push(`CELLS: "${name}" is not a letter and letters or digits`);
    else if (!isPassage(passage)) faults.push(`${bindingOf(name)}: there is no such binding`);
    else return [{ name, fetch: (request) => passage.fetch(request) }];
    return [];
  });
  for (const [, same] of Map.groupBy(names, numberOfCell))
    if (same.length > 1)
      faults.push(`CELLS: ${same.join(" and ")} have one number in links; call one otherwise`);
  const [first, ...others] = cells;
  if (first === undefined || faults.length > 0)
    throw new RouterConfigError(`The router is not configured:\n  ${faults.join("\n  ")}`);
  return { cells: [first, ...others], secret: secret as string };
}

/** That in which a token was made first, then the others; a token of none was made when there was but the first. */
export function inTurnFor(cells: Cells, token: string): Cells {
  const number = cellOfToken(token);
  const own = cells.find(({ name }) => numberOfCell(name) === number) ?? cells[0];
  return [own, ...cells.filter((cell) => cell !== own)];
}
