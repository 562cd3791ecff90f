import { createHash } from "node:crypto";
import {
  applied,
  type Breaking,
  BREAKING_KINDS,
  breakingOf,
  type Edit,
  placeOf,
} from "./breaking.ts";
import { editsOf } from "./edits.ts";
import { parse } from "./syntax.ts";

interface Candidate {
  file: string;
  text: string;
  edit: Edit;
  rank: string;
}

/** Not too much of one file, however many breakings it admits. */
const MOST_OF_A_FILE = 2;

/**
 * Draws so many breakings of these files, as many of each kind as of the others where there are enough. The place of a
 * breaking in the draw depends on its own text and the seed, so that a change elsewhere draws the same ones.
 */
export function drawBreakings(
  seed: number,
  count: number,
  files: ReadonlyMap<string, string>,
): Breaking[] {
  const rankOf = (file: string, text: string, { kind, start, end, to }: Edit) =>
    createHash("sha256")
      .update([seed, file, kind, text.slice(Math.max(0, start - 40), end + 40), to].join("\0"))
      .digest("hex");
  const ranked = [...files]
    .flatMap(([file, text]) =>
      editsOf(file, text).map((edit) => ({ file, text, edit, rank: rankOf(file, text, edit) })),
    )
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
  const queues = BREAKING_KINDS.map((kind) => ranked.filter(({ edit }) => edit.kind === kind));
  const drawn: Candidate[] = [];
  while (drawn.length < count && queues.some((queue) => queue.length > 0)) {
    for (const queue of queues) {
      const next = nextOf(queue, drawn);
      if (next && drawn.length < count) drawn.push(next);
    }
  }
  return drawn.map(({ file, text, edit }, index) =>
    breakingOf(`${seed}-${String(index + 1).padStart(2, "0")}`, file, text, edit),
  );
}

function nextOf(queue: Candidate[], drawn: readonly Candidate[]): Candidate | undefined {
  for (;;) {
    const next = queue.shift();
    if (!next) return undefined;
    const { file, text, edit } = next;
    const ofSameFile = drawn.filter((each) => each.file === file);
    if (ofSameFile.length >= MOST_OF_A_FILE) continue;
    if (ofSameFile.some((each) => each.edit.start < edit.end && edit.start < each.edit.end))
      continue;
    // One that stands twice in the same words could not be found again.
    const place = placeOf(text, breakingOf("", file, text, edit));
    if (place?.start !== edit.start) continue;
    if (parse(file, applied(text, edit, edit.to))) return next;
  }
}
