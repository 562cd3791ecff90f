/**
 * `npm run mutate`: breaks the service on purpose and says which test notices (CONTRIBUTING.md).
 *   --map                                which test files reach what, once for a tree
 *   --seed 1 --count 20 [FOLDER ...]     breakings drawn by a seed
 *   --by-hand                            a breaking for each of 30 sentences of the specification
 *   --from FILE                          the breakings of that file, on this tree
 * `--into FILE` keeps the results there and `--as NAME` names their column; what the column has already is not tried
 * again. `--suite full` tries the tests in their big sizes. On a machine that is shared, `--side-by-side 1` tries one
 * breaking at a time, `--files 6` runs so many test files at once at most, and `--minutes 5` ends after about so long with
 * exit code 75, for a later call to go on.
 */
import * as fs from "node:fs";
import * as path from "node:path";
import { parseArgs } from "node:util";
import { rootFolder } from "./command.ts";
import { byHandBreakings } from "./mutate/by-hand.ts";
import type { Breaking } from "./mutate/breaking.ts";
import { openTree, type Tree } from "./mutate/broken-tree.ts";
import { drawBreakings } from "./mutate/draw.ts";
import { KINDS, makeMap, mapDiffers, testFiles } from "./mutate/map.ts";
import { openNotebook } from "./mutate/notebook.ts";
import { openReach } from "./mutate/reach.ts";
import { keepResults, readResults, tableOf, type Result, verdictText } from "./mutate/results.ts";
import { openScratch, trackedFiles } from "./mutate/scratch.ts";
import { reachingFiles, tryOne } from "./mutate/try-one.ts";
import { tryRest } from "./mutate/try-rest.ts";

const { values, positionals } = parseArgs({
  options: {
    map: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "20" },
    "by-hand": { type: "boolean", default: false },
    from: { type: "string" },
    into: { type: "string" },
    as: { type: "string" },
    suite: { type: "string", default: "default" },
    "side-by-side": { type: "string", default: "2" },
    files: { type: "string", default: "24" },
    minutes: { type: "string", default: "600" },
  },
  allowPositionals: true,
});
const UNFINISHED = 75;

const endsAt = performance.now() + Number(values.minutes) * 60_000;
const filesAtOnce = Number(values.files);
const isTime = () => performance.now() > endsAt;
const say = (line: string) => console.log(line);

// Through `exit`, which ends the tests under way.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => process.exit(130));

if (values.map) process.exit((await makeMap(say, isTime, filesAtOnce)) ? 0 : UNFINISHED);

const isFull = values.suite === "full";
const column = values.as ?? values.suite;
const resultsFile =
  values.into ?? values.from ?? path.join(rootFolder, ".local/mutate/results.json");
const results = readResults(resultsFile);
for (const breaking of await asked()) {
  if (results.breakings.some(({ id }) => id === breaking.id)) continue;
  results.breakings.push({ ...breaking, verdicts: {} });
}
const { notes, keep } = openNotebook(`${resultsFile} ${column}`);
const save = () => {
  keepResults(resultsFile, results);
  keep();
};

if (await mapDiffers()) {
  console.error(
    "There is no map of what the tests reach in this tree yet: npm run mutate -- --map",
  );
  process.exit(1);
}
const reach = await openReach();
for (const { test, failed } of reach.all) notes.sound[test] = failed.length === 0;

const trees: Tree[] = [];
for (let at = 1; at <= Number(values["side-by-side"]); at++)
  trees.push(openTree(await openScratch(`tree-${at}`)));

// The full suite runs all that the default one does.
if (isFull)
  for (const { verdicts } of results.breakings)
    if (verdicts["default"]?.state === "noticed") verdicts[column] ??= verdicts["default"];
const untried = results.breakings.filter(({ verdicts }) => verdicts[column] === undefined);
await Promise.all(
  trees.map(async (tree) => {
    for (let next = take(); next; next = take()) {
      const { verdict, passed } = await tryOne(tree, reach, next, isFull);
      next.verdicts[column] = verdict;
      notes.passed[next.id] = passed;
      save();
      tell(next);
    }
  }),
);
if (untried.length === 0) {
  const mapped = new Set(reach.all.map(({ test }) => test));
  const unmapped = (await testFiles(KINDS, isFull)).filter((file) => !mapped.has(file));
  const reaching = new Map<string, string[]>();
  for (const each of results.breakings)
    if (each.verdicts[column]?.isFinal === false)
      reaching.set(each.id, (await reachingFiles(trees[0]!, reach, each)) ?? []);
  const state = {
    filesAtOnce,
    results: results.breakings,
    column,
    notes,
    reaching,
    unmapped,
    isFull,
  };
  await tryRest({ tree: trees[0]!, ...state, isTime, save, say });
}
save();
say(`\n${tableOf(results.breakings)}`);
const isDone = results.breakings.every(({ verdicts }) => verdicts[column]?.isFinal);
if (!isDone) say("\nNot all is tried yet: the same command goes on.");
process.exit(isDone ? 0 : UNFINISHED);

function take(): Result | undefined {
  return isTime() ? undefined : untried.shift();
}

function tell({ id, file, verdicts }: Result): void {
  say(`${id.padEnd(8)} ${file}: ${verdictText(verdicts[column])}`);
}

async function asked(): Promise<Breaking[]> {
  if (values.from) return readResults(values.from).breakings.map((each) => ({ ...each }));
  if (values["by-hand"]) return byHandBreakings();
  const folders = positionals.length > 0 ? positionals : ["src/domain", "db"];
  // Tables act by migrations alone, and migrations are never changed.
  const isLeftOut = (file: string) =>
    /^db\/(schema|migrations)\//.test(file) || file.endsWith(".d.ts");
  const files = (await trackedFiles())
    .filter((file) => folders.some((folder) => file === folder || file.startsWith(`${folder}/`)))
    .filter((file) => file.endsWith(".ts") && !isLeftOut(file))
    .toSorted()
    .map((file) => [file, fs.readFileSync(path.join(rootFolder, file), "utf8")] as const);
  return drawBreakings(Number(values.seed), Number(values.count), new Map(files));
}
