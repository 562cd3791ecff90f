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

/** The files that fail while all these breakings act. */
export async function failing(
  tree: Tree,
  breakings: readonly Breaking[],
  files: readonly string[],
  isFull: boolean,
): Promise<{ file: string; notice: Notice }[]> {
  const { notices, isNothing } = await judgeAll(tree, breakings, files, isFull);
  return files.flatMap((file) => {
    const notice = isNothing ? notices[0] : notices.find((each) => each.file === file);
    return notice ? [{ file, notice }] : [];
  });
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
