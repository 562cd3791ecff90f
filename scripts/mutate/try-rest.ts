import type { Tree } from "./broken-tree.ts";
import type { Notice } from "./judge.ts";
import { KINDS } from "./map.ts";
import type { Notebook } from "./notebook.ts";
import type { Result } from "./results.ts";
import { noticedBy } from "./try-one.ts";
import { compatible, judgeTogether } from "./try-together.ts";

/** Of these a file takes up to a minute, of the others a few seconds. */
const SLOW_KINDS = ["e2e", "simulation", "conformance"];
const TIMES_SLOWER = 5;

export interface Rest {
  tree: Tree;
  results: readonly Result[];
  column: string;
  notes: Notebook;
  /** By id, the files of which the map says that they reach it. */
  reaching: ReadonlyMap<string, readonly string[]>;
  /** Files that the map says nothing of: they may reach anything. */
  unmapped: readonly string[];
  /** Test files in a run at most. */
  filesAtOnce: number;
  isFull: boolean;
  isTime(): boolean;
  save(): void;
  say(line: string): void;
}

/**
 * Tries what no test noticed on all other files that may, many breakings at once: what passes with all of them notices
 * none, and a file that fails is tried with either half, down to one breaking. Two that made up for each other would
 * pass; they stand at different places. A run at a time, so that a later call goes on where this one ends.
 */
export async function tryRest(rest: Rest): Promise<void> {
  const { results, column, notes, isTime, save } = rest;
  for (;;) {
    const open = results.filter(({ verdicts }) => verdicts[column]?.isFinal === false);
    for (const each of open)
      if (leftOf(rest, each).length === 0) each.verdicts[column]!.isFinal = true;
    save();
    if (isTime()) return;
    const task = notes.tasks.at(-1) ?? nextTask(rest, open);
    if (!task) return;
    await work(rest, task);
    notes.tasks = notes.tasks.filter((each) => each !== task);
  }
}

function leftOf({ notes, reaching, unmapped }: Rest, { id }: Result): string[] {
  const passed = notes.passed[id] ?? [];
  return [...(reaching.get(id) ?? []), ...unmapped].filter(
    (file) => !passed.includes(file) && notes.sound[file] !== false,
  );
}

/** The cheapest kind first, for all that it may concern. */
function nextTask(rest: Rest, open: readonly Result[]): Notebook["tasks"][number] | undefined {
  const left = open.map((each) => ({ each, files: leftOf(rest, each) }));
  for (const kind of KINDS) {
    const isOfKind = (file: string) => file.startsWith(`test/${kind}/`);
    const some = left.find(({ files }) => files.some(isOfKind))?.files.filter(isOfKind);
    if (!some) continue;
    const isSlow = SLOW_KINDS.includes(kind);
    const files = some.slice(0, Math.ceil(rest.filesAtOnce / (isSlow ? TIMES_SLOWER : 1)));
    const concerned = left.filter((each) => each.files.some((file) => files.includes(file)));
    const group = compatible(
      rest.tree,
      concerned.map(({ each }) => each),
    );
    return { ids: group.map(({ id }) => id), files };
  }
  return undefined;
}

async function work(rest: Rest, { ids, files }: Notebook["tasks"][number]): Promise<void> {
  const { tree, results, column, notes, isFull, say } = rest;
  const group = results.filter(
    ({ id, verdicts }) => ids.includes(id) && verdicts[column]?.isFinal === false,
  );
  if (group.length === 0) return;
  say(`${group.length} together on ${files.length} files from ${files[0]}`);
  const together = await judgeTogether(tree, group, files, isFull);
  const { passed } = together;
  const failed: Notice[] = [];
  for (const notice of together.failed) {
    const { file } = notice;
    notes.sound[file] ??= (await judgeTogether(tree, [], [file], isFull)).failed.length === 0;
    if (notes.sound[file]) failed.push(notice);
    else say(`fails unbroken, and is left out: ${file}`);
  }
  for (const each of group) {
    const before = (notes.passed[each.id] ??= []);
    before.push(...passed.filter((file) => !before.includes(file)));
    each.verdicts[column]!.passed = before.length;
  }
  if (!failed[0]) return;
  const [only] = group;
  if (group.length === 1) {
    only!.verdicts[column] = { ...only!.verdicts[column]!, ...noticedBy(failed[0]) };
    say(`${only!.id}: noticed by ${only!.verdicts[column].by}`);
    return;
  }
  const half = Math.ceil(group.length / 2);
  for (const part of [group.slice(half), group.slice(0, half)])
    notes.tasks.push({ ids: part.map(({ id }) => id), files: failed.map(({ file }) => file) });
}
