export const BREAKING_KINDS = [
  "comparison",
  "bound",
  "condition",
  "await",
  "sql",
  "statement",
] as const;
export type BreakingKind = (typeof BREAKING_KINDS)[number];

/** A piece of a file and what stands there instead. */
export interface Edit {
  kind: BreakingKind;
  start: number;
  end: number;
  to: string;
}

/** An edit that is found again where lines have moved: by what stands around it. */
export interface Breaking {
  id: string;
  kind: BreakingKind | "by hand";
  file: string;
  from: string;
  to: string;
  before: string;
  after: string;
  /** Of the specification; for one chosen by hand. */
  sentence?: string;
}

const CONTEXT = 80;

export function breakingOf(id: string, file: string, text: string, edit: Edit): Breaking {
  return {
    id,
    kind: edit.kind,
    file,
    from: text.slice(edit.start, edit.end),
    to: edit.to,
    before: text.slice(Math.max(0, edit.start - CONTEXT), edit.start),
    after: text.slice(edit.end, edit.end + CONTEXT),
  };
}

export interface Place {
  start: number;
  end: number;
}

/** Where in a text a breaking acts; undefined if nowhere or at more than one place equally well. */
export function placeOf(text: string, { from, before, after }: Breaking): Place | undefined {
  const found: { start: number; likeness: number }[] = [];
  for (let start = text.indexOf(from); start >= 0; start = text.indexOf(from, start + 1)) {
    const end = start + from.length;
    const likeness =
      commonStart(reverse(text.slice(Math.max(0, start - CONTEXT), start)), reverse(before)) +
      commonStart(text.slice(end, end + CONTEXT), after);
    found.push({ start, likeness });
  }
  found.sort((a, b) => b.likeness - a.likeness);
  const [best, second] = found;
  // Half of what stood around it may have changed, and no other place may be as like.
  const enough = from.length >= CONTEXT ? 0 : (before.length + after.length) / 4;
  if (!best || best.likeness < enough || best.likeness === second?.likeness) return undefined;
  return { start: best.start, end: best.start + from.length };
}

export const applied = (text: string, { start, end }: Place, to: string): string =>
  text.slice(0, start) + to + text.slice(end);

const reverse = (text: string) => [...text].toReversed().join("");

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** For people: the piece, what is around it on its lines, and what stands there instead, in a line. */
export function describeBreaking({ from, to, before, after }: Breaking): string {
  const flat = (text: string) => text.replace(/\s+/g, " ").trim();
  // An operator, a number or a single word says little by itself.
  const isBare = flat(from).length < 12;
  const lead = isBare ? before.split("\n").at(-1)!.trimStart() : "";
  const tail = isBare ? after.split("\n")[0]! : "";
  const shown = (text: string) => `\`${shortened(flat(lead + text + tail)).replaceAll("`", "'")}\``;
  if (flat(to) !== "") return `${shown(from)} -> ${shown(to)}`;
  return isBare ? `${shown(from)} without \`${flat(from)}\`` : `without ${shown(from)}`;
}

const MOST_SHOWN = 100;

const shortened = (text: string) =>
  text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 3)}...` : text;
