import * as z from "zod";
import { FIRST, SECRET_HEADER, WHERE_PATH, Whereabouts } from "#src/platform/cells.ts";
import { sha256Hex } from "#src/platform/encoding.ts";
import type { Cell, Cells } from "./cells.ts";
import { pass } from "./pass.ts";

/** So long a cell has to say what it knows; who works in another one does not wait for it. */
export const LONGEST_LOOK_MS = 3_000;
/** So long what was found holds unasked. What holds no more is still better than nothing where a cell is away. */
const FRESH_MS = 60_000;
/** A credential that no cell knows is asked again at most so often: a repeated guess costs one look in that time. */
const UNKNOWN_MS = 5_000;
const MOST_KEPT = 10_000;

/** What names a caller: the headers, or an invitation's link. */
export interface Asker {
  headers: Headers;
  invitation?: string;
}

export type Found =
  | { kind: "found"; cell: Cell }
  /** None of them. */
  | { kind: "unknown" }
  /** It is, or may be, that of a cell which does not answer. */
  | { kind: "away" };

export interface Directory {
  /** `isRemembered`: no cell was asked just now. */
  find(asker: Asker, options: { isFresh: boolean }): Promise<Found & { isRemembered: boolean }>;
  note(asker: Asker, cell: Cell): Promise<void>;
  forget(asker: Asker): Promise<void>;
}

interface Surroundings {
  cells: Cells;
  secret: string;
  now(): Date;
  longestLookMs?: number;
}

const NAMING = ["authorization", "cookie", "overture-workspace"];

/** The cells are the directory: they are asked, and what they said is remembered for a minute. */
export function createDirectory({
  cells,
  secret,
  now,
  longestLookMs = LONGEST_LOOK_MS,
}: Surroundings): Directory {
  const kept = new Map<string, { found: Found; until: number }>();

  function keep(key: string, found: Found, ms: number): void {
    kept.delete(key);
    kept.set(key, { found, until: now().getTime() + ms });
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  }

  async function ask(cell: Cell, { headers, invitation }: Asker): Promise<Whereabouts | undefined> {
    const asking = new Headers({ [SECRET_HEADER]: secret });
    for (const name of NAMING) {
      const value = headers.get(name);
      if (value !== null) asking.set(name, value);
    }
    const query = invitation === undefined ? "" : `?invitation=${encodeURIComponent(invitation)}`;
    const request = new Request(`http://cell${WHERE_PATH}${query}`, { headers: asking });
    const answer = await pass(cell, { request, body: null, isStreamed: false }, longestLookMs);
    if (answer?.status !== 200) {
      await answer?.body?.cancel();
      return undefined;
    }
    const said = z.pipe(z.unknown(), Whereabouts).safeParse(await answer.json().catch(() => null));
    return said.success ? said.data : undefined;
  }

  async function askAll(asker: Asker): Promise<{ found: Found; isLasting: boolean }> {
    const sure = Promise.withResolvers<Cell>();
    const all = Promise.all(
      cells.map(async (cell) => {
        const said = await ask(cell, asker);
        if (said?.at === "here" && said.order === FIRST) sure.resolve(cell);
        return { cell, said };
      }),
    );
    const first = await Promise.race([sure.promise, all.then(() => undefined)]);
    if (first !== undefined) return { found: { kind: "found", cell: first }, isLasting: true };
    return judge(await all);
  }

  return {
    async find(asker, { isFresh }) {
      const key = await keyOf(asker);
      const known = kept.get(key);
      if (known !== undefined && !isFresh && now().getTime() < known.until)
        return { ...known.found, isRemembered: true };
      const { found, isLasting } = await askAll(asker);
      if (found.kind === "away" && known?.found.kind === "found")
        return { ...known.found, isRemembered: false };
      if (isLasting) keep(key, found, found.kind === "found" ? FRESH_MS : UNKNOWN_MS);
      return { ...found, isRemembered: false };
    },
    async note(asker, cell) {
      keep(await keyOf(asker), { kind: "found", cell }, FRESH_MS);
    },
    async forget(asker) {
      kept.delete(await keyOf(asker));
    },
  };
}

/** Of what each cell said, where none said that they work there for certain. */
function judge(all: readonly { cell: Cell; said: Whereabouts | undefined }[]): {
  found: Found;
  isLasting: boolean;
} {
  const found = (cell: Cell, isLasting: boolean) => ({
    found: { kind: "found" as const, cell },
    isLasting,
  });
  const isAway = all.some(({ said }) => said === undefined);
  const here = all
    .flatMap(({ cell, said }) => (said?.at === "here" ? [{ cell, order: said.order }] : []))
    .toSorted((a, b) => (a.order < b.order ? -1 : 1));
  // A cell that is away may be the one where they would rather work: that is not guessed.
  if (here.length > 0 && !isAway) return found(here[0]!.cell, true);
  const moving = all.find(({ said }) => said?.at === "moving");
  if (moving !== undefined) return found(moving.cell, false);
  if (isAway) return { found: { kind: "away" }, isLasting: false };
  // No cell has it: the cell that it left says so.
  const left = all.find(({ said }) => said?.at === "elsewhere");
  return left === undefined
    ? { found: { kind: "unknown" }, isLasting: true }
    : found(left.cell, false);
}

const keyOf = ({ headers, invitation }: Asker): Promise<string> =>
  sha256Hex(JSON.stringify([...NAMING.map((name) => headers.get(name)), invitation ?? null]));
