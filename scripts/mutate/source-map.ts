import { moduleRunnerTransform, transformWithOxc } from "vite";
import type { Node } from "./syntax.ts";

/** Leads from a place in a file to where it is in the code that ran. */
export interface Positions {
  /** The offset in the code that ran; undefined for a place that has no mark of its own. */
  at(offset: number): number | undefined;
  /** Where this export is read by those who import it: vitest gives each a function for that. */
  readerOf(name: string): number | undefined;
}

/**
 * Vitest runs a file as vite transforms it, in a function of its own; `source` is what V8 had of it. Only what is
 * imported is written otherwise there, on lines of its own that stand before all else.
 */
export async function positionsOf(file: string, text: string, source: string): Promise<Positions> {
  // As tsconfig.json has it (`verbatimModuleSyntax`).
  const typescript = { onlyRemoveTypeImports: true };
  const plain = await transformWithOxc(text, file, { sourcemap: true, typescript });
  const { code, map } = (await moduleRunnerTransform(plain.code, plain.map as never, file, text))!;
  const head = source.indexOf("=>{{") + "=>{{".length;
  const [ranLines, ownLines] = [lineStarts(source), lineStarts(text)];
  const [, lastLine = ""] = /([^\n]*)\n*$/.exec(code)!;
  const lastAt = ranLines[code.trimEnd().split("\n").length - 1];
  if (lastAt !== undefined && lastAt > 0 && !source.startsWith(lastLine, lastAt))
    throw new Error(`${file} is not what it was when the map was made: --map`);
  const marks = new Map<number, number>();
  const { mappings } = map as { mappings: string };
  for (const [ranLine, ranColumn, line, column] of segmentsOf(mappings)) {
    const own = (ownLines[line] ?? text.length) + column;
    const ran = (ranLines[ranLine] ?? source.length) + ranColumn + (ranLine === 0 ? head : 0);
    if (!marks.has(own)) marks.set(own, ran);
  }
  return {
    at: (offset) => marks.get(offset),
    readerOf(name) {
      const from = source.indexOf(`__vite_ssr_exportName__("${name}",`);
      return from < 0 ? undefined : source.indexOf("return", from);
    },
  };
}

/** The name under which a statement of the top level is known, if it is. */
export function namesOf(statement: Node): string[] {
  const inner = (statement["declaration"] ?? statement) as Node;
  const ids = inner["declarations"]
    ? (inner["declarations"] as Node[]).map((each) => each["id"] as Node)
    : [inner["id"] as Node | null];
  return ids.flatMap((id) => (typeof id?.["name"] === "string" ? [id["name"]] : []));
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes the mappings of a source map of one source (ECMA-426). */
function* segmentsOf(mappings: string): Generator<[number, number, number, number]> {
  let [line, column] = [0, 0];
  for (const [ranLine, segments] of mappings.split(";").entries()) {
    let ranColumn = 0;
    for (const segment of segments.split(",")) {
      const [ran, source, ownLine, ownColumn] = numbersOf(segment);
      ranColumn += ran ?? 0;
      if (source === undefined) continue;
      line += ownLine!;
      column += ownColumn!;
      yield [ranLine, ranColumn, line, column];
    }
  }
}

/** Base64 VLQ: five bits a digit, the sixth says that more follow, the lowest of all is the sign. */
function numbersOf(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
