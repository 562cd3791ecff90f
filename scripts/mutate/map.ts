import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";
import { rootFolder } from "../command.ts";
import type { Range } from "./reached-ranges.ts";
import { runTests } from "./run-tests.ts";
import { openScratch, trackedFiles } from "./scratch.ts";

/** What one test file reached, and how long it took. */
export interface Reached {
  test: string;
  /** Of its text: one that has changed is run anew. */
  digest: string;
  ms: number;
  /** Tests that fail on the unbroken tree notice nothing. */
  failed: string[];
  /** It had failed before, and was given a second run. */
  isAgain?: boolean;
  /** By file of ours, in the code that ran. */
  reached: Record<string, Range[]>;
}

const FOLDER = path.join(rootFolder, ".local/mutate/map");
/** The cheapest to ask first; the last runs in a process that V8 does not count for us. */
export const KINDS = ["unit", "integration", "conformance", "simulation", "e2e"];
const MAPPED = KINDS.slice(0, -1);
const RUN_BOUND_MS = 20 * 60_000;

/** Kind by kind; those of which nothing is in the default suite are asked for by `isFull`. */
export async function testFiles(kinds: readonly string[], isFull: boolean): Promise<string[]> {
  const all = (await trackedFiles())
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => isFull || !file.endsWith(".full.test.ts"));
  return kinds.flatMap((kind) => all.filter((file) => file.startsWith(`test/${kind}/`)));
}

/**
 * Runs what of the in-process suite the map lacks yet; true when nothing is left. What fails is run once more at the
 * end, without the counting: a busy machine is no reason to leave a file out.
 */
export async function makeMap(
  say: (line: string) => void,
  isTime: () => boolean,
  filesAtOnce: number,
): Promise<boolean> {
  if (await mapDiffers()) fs.rmSync(FOLDER, { recursive: true, force: true });
  fs.mkdirSync(FOLDER, { recursive: true });
  fs.writeFileSync(TREE_FILE, await treeDigest());
  const { folder } = await openScratch("map-tree");
  const files = await testFiles(MAPPED, false);
  for (;;) {
    const known = new Map(readMap().map((each) => [each.test, each]));
    const missing = files.filter((file) => !known.has(file));
    const again = [...known.values()].filter((each) => each.failed.length > 0 && !each.isAgain);
    if (missing.length === 0 && again.length === 0) return true;
    if (isTime()) return false;
    const kind = missing[0]?.split("/")[1];
    const next =
      kind === undefined
        ? again.slice(0, filesAtOnce).map(({ test }) => test)
        : missing.filter((file) => file.startsWith(`test/${kind}/`)).slice(0, filesAtOnce);
    say(`${known.size} of ${files.length} test files are in the map`);
    for (const entry of await reachedBy(folder, next, kind !== undefined)) {
      for (const test of entry.failed) say(`fails unbroken: ${entry.test} > ${test}`);
      const before = known.get(entry.test);
      const again = before && { ...entry, reached: before.reached, isAgain: true };
      known.set(entry.test, again ?? entry);
    }
    const lines = [...known.values()].map((each) => `${JSON.stringify(each)}\n`);
    fs.writeFileSync(path.join(FOLDER, "map.jsonl"), lines.join(""));
  }
}

async function reachedBy(folder: string, files: string[], isCounted: boolean): Promise<Reached[]> {
  const written = path.join(FOLDER, "reached.jsonl");
  fs.rmSync(written, { force: true });
  const run = await runTests({
    folder,
    files,
    env: isCounted ? { OVERTURE_MUTATE_REACHED: FOLDER } : {},
    bail: false,
    boundMs: RUN_BOUND_MS,
    fileBoundMs: () => RUN_BOUND_MS,
    workers: 2,
  });
  if (run.events.length === 0) throw new Error(`Vitest ran nothing:\n${run.output}`);
  const reached = new Map(
    linesOf(written)
      .map((line) => JSON.parse(line) as Pick<Reached, "test" | "reached">)
      .map((each) => [each.test, each.reached]),
  );
  return files.map((file) => {
    const ofFile = run.events.filter((event) => "file" in event && event.file === file);
    return {
      test: file,
      digest: digestOf(file),
      ms: ofFile.flatMap((event) => (event.kind === "ended" ? [event.ms] : []))[0] ?? RUN_BOUND_MS,
      failed: ofFile.flatMap((event) => (event.kind === "failed" ? [event.test] : [])),
      reached: reached.get(file) ?? {},
    };
  });
}

const digestOf = (file: string): string => {
  const at = path.join(rootFolder, file);
  return fs.existsSync(at) ? createHash("sha256").update(fs.readFileSync(at)).digest("hex") : "";
};

const linesOf = (file: string): string[] =>
  fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").filter(Boolean) : [];

const TREE_FILE = path.join(FOLDER, "tree");

/** True without a map, and for one of another service than this tree's. */
export async function mapDiffers(): Promise<boolean> {
  return !fs.existsSync(TREE_FILE) || fs.readFileSync(TREE_FILE, "utf8") !== (await treeDigest());
}

async function treeDigest(): Promise<string> {
  const digest = createHash("sha256");
  for (const file of await trackedFiles())
    if (/^(src|db)\//.test(file))
      digest.update(`${file}\0`).update(fs.readFileSync(path.join(rootFolder, file)));
  return digest.digest("hex");
}

/** What is known of test files that are as they were then. */
export const readMap = (): Reached[] =>
  linesOf(path.join(FOLDER, "map.jsonl"))
    .map((line) => JSON.parse(line) as Reached)
    .filter(({ test, digest }) => digest === digestOf(test));

/** Our files as they ran, by name; of those that are still there. */
export function keptSources(): [file: string, source: string][] {
  const folder = path.join(FOLDER, "sources");
  return fs
    .readdirSync(folder)
    .map((name) => [name.replaceAll("%", "/"), path.join(folder, name)] as const)
    .filter(([file]) => file.endsWith(".ts") && fs.existsSync(path.join(rootFolder, file)))
    .map(([file, kept]) => [file, fs.readFileSync(kept, "utf8")]);
}
