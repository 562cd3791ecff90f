import type { Breaking } from "./breaking.ts";
import { textsWith, type Tree, withBreakings } from "./broken-tree.ts";
import { judge, type Judged, type Notice } from "./judge.ts";

const BOUND_MS = 15 * 60_000;

/** As many of them as can act at once. */
export function compatible<B extends Breaking>({ scratch }: Tree, breakings: readonly B[]): B[] {
  const group: B[] = [];
  for (const each of breakings) if (textsWith(scratch, [...group, each])) group.push(each);
  return group;
}

export interface Together {
  failed: Notice[];
  /** Ran to their end, or had nothing to run. */
  passed: string[];
}

/** What becomes of these files while all these breakings act; of a run that takes too long, some are in neither list. */
export async function judgeTogether(
  tree: Tree,
  breakings: readonly Breaking[],
  files: readonly string[],
  isFull: boolean,
): Promise<Together> {
  const { notices, passed, isNothing, cut } = await judgeAll(tree, breakings, files, isFull);
  if (isNothing) return { failed: files.map((file) => ({ ...notices[0]!, file })), passed: [] };
  const under = cut?.file;
  const failed =
    under === undefined || notices.some(({ file }) => file === under)
      ? notices
      : [...notices, { file: under, test: "", message: "takes too long", isStuck: true as const }];
  const others = files.filter((file) => !failed.some((notice) => notice.file === file));
  return { failed, passed: cut ? others.filter((file) => passed.includes(file)) : others };
}

async function judgeAll(
  tree: Tree,
  breakings: readonly Breaking[],
  files: readonly string[],
  isFull: boolean,
): Promise<Judged> {
  const judged = await withBreakings(tree, breakings, () =>
    judge({
      folder: tree.scratch.folder,
      files,
      bail: false,
      boundMs: BOUND_MS,
      fileBoundMs: () => BOUND_MS,
      workers: 2,
      isFull,
    }),
  );
  if (!judged) throw new Error(`These cannot act at once: ${breakings.map(({ id }) => id).join()}`);
  return judged;
}
