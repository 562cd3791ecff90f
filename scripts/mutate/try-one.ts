import * as fs from "node:fs";
import * as path from "node:path";
import { rootFolder } from "../command.ts";
import { type Breaking, placeOf } from "./breaking.ts";
import { type Acting, type Tree, withBreakings } from "./broken-tree.ts";
import { judge, type Notice } from "./judge.ts";
import type { Reached } from "./map.ts";
import { MOST_FILES, orderedFiles } from "./order.ts";
import type { Reach } from "./reach.ts";
import type { Verdict } from "./results.ts";

const BOUND_MS = 8 * 60_000;

/** Test files that reach the breaking, in the order in which they are worth trying; undefined where it has no place. */
export async function reachingFiles(
  tree: Tree,
  reach: Reach,
  breaking: Breaking,
): Promise<string[] | undefined> {
  const place = placeOf(tree.scratch.read(breaking.file), breaking);
  if (!place) return undefined;
  return withBreakings(tree, [breaking], async (acting) =>
    reachingTests(reach, breaking, place.start, acting)
      .filter(({ failed }) => failed.length === 0)
      .map(({ test }) => test),
  );
}

export interface Trial {
  verdict: Verdict;
  passed: string[];
}

/** Tries the likeliest files of the in-process kinds, until one notices. */
export async function tryOne(
  tree: Tree,
  reach: Reach,
  breaking: Breaking,
  isFull: boolean,
): Promise<Trial> {
  const reaching = await reachingFiles(tree, reach, breaking);
  if (!reaching) return { verdict: { state: "no place", passed: 0, isFinal: true }, passed: [] };
  const files = reaching.slice(0, MOST_FILES);
  if (files.length === 0)
    return { verdict: { state: "not reached", passed: 0, isFinal: false }, passed: [] };
  const usual = new Map(reach.all.map(({ test, ms }) => [test, ms]));
  const judged = await withBreakings(tree, [breaking], () =>
    judge({
      folder: tree.scratch.folder,
      files,
      bail: true,
      boundMs: BOUND_MS,
      fileBoundMs: (file) => 60_000 + 10 * (usual.get(file) ?? 0),
      isFull,
    }),
  );
  const { notices, passed } = judged!;
  const notice = notices[0];
  const verdict = notice ? noticedBy(notice) : { state: "not noticed" as const, isFinal: false };
  return { verdict: { ...verdict, passed: passed.length }, passed };
}

export function noticedBy({ file, test, message, isStuck }: Notice): Omit<Verdict, "passed"> {
  const by = isStuck ? `${file} (does not end)` : `${file} > ${test || "(the file itself)"}`;
  return { state: "noticed", by, said: message, isFinal: true };
}

function reachingTests(reach: Reach, breaking: Breaking, start: number, acting: Acting): Reached[] {
  const tiers = reach.of(breaking.file, start);
  // What is said in a function of the database runs where the function is called.
  const callers = acting.functions.flatMap((name) =>
    callsOf(name).flatMap(({ file, offset }) => reach.of(file, offset)[0]!),
  );
  const first = [...new Set([...callers, ...tiers[0]!])];
  return orderedFiles(breaking, [first, ...tiers.slice(1)]);
}

const ENGINE = "db/engine";

/** `call(claimFunction, ...)`, by the name in the database. */
function callsOf(name: string): { file: string; offset: number }[] {
  const files = fs.readdirSync(path.join(rootFolder, ENGINE)).map((file) => `${ENGINE}/${file}`);
  const texts = files.map((file) => [file, fs.readFileSync(path.join(rootFolder, file), "utf8")]);
  const named = new RegExp(`const (\\w+): EngineFunction = \\{\\s*name: "${name}"`);
  const constant = texts.flatMap(([, text]) => named.exec(text!)?.[1] ?? [])[0];
  if (constant === undefined) return [];
  const call = new RegExp(`\\bcall\\(\\s*${constant}\\b`);
  return texts.flatMap(([file, text]) => {
    const offset = call.exec(text!)?.index;
    return offset === undefined ? [] : [{ file: file!, offset }];
  });
}
