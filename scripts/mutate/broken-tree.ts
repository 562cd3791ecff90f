import { applied, type Breaking, type Place, placeOf } from "./breaking.ts";
import {
  changedFunctions,
  functionTexts,
  type FunctionTexts,
  migrationsWith,
} from "./engine-functions.ts";
import type { Scratch } from "./scratch.ts";

/** One scratch tree, with what its database's functions say while nothing is broken. */
export interface Tree {
  scratch: Scratch;
  functions: FunctionTexts;
}

export interface Acting {
  /** Functions of the database that say something else now. */
  functions: string[];
}

export function openTree(scratch: Scratch): Tree {
  const functions = functionTexts(scratch);
  if (!functions) throw new Error("The engine's functions cannot be made from the unbroken tree");
  return { scratch, functions };
}

/** Does the work while all these breakings act together; undefined for those that overlap or have no place. */
export async function withBreakings<T>(
  { scratch, functions }: Tree,
  breakings: readonly Breaking[],
  work: (acting: Acting) => Promise<T>,
): Promise<T | undefined> {
  const texts = textsWith(scratch, breakings);
  if (!texts) return undefined;
  return scratch.withTexts(texts, async () => {
    const isSaid = breakings.some(({ file }) => file.startsWith("db/"));
    // Where the text of a function cannot be made any more, tests that make it will say so.
    const said = (isSaid ? functionTexts(scratch) : undefined) ?? functions;
    return scratch.withTexts(migrationsWith(scratch, functions, said), () =>
      work({ functions: changedFunctions(functions, said) }),
    );
  });
}

export function textsWith(
  { read }: Pick<Scratch, "read">,
  breakings: readonly Breaking[],
): Map<string, string> | undefined {
  const texts = new Map<string, string>();
  for (const [file, ofFile] of Map.groupBy(breakings, ({ file }) => file)) {
    const text = read(file);
    const edits: (Place & { to: string })[] = [];
    for (const breaking of ofFile) {
      const place = placeOf(text, breaking);
      if (!place || edits.some(({ start, end }) => start < place.end && place.start < end))
        return undefined;
      edits.push({ ...place, to: breaking.to });
    }
    // From the end on, so that the places before stay where they are.
    edits.sort((a, b) => b.start - a.start);
    texts.set(
      file,
      edits.reduce((all, edit) => applied(all, edit, edit.to), text),
    );
  }
  return texts;
}
