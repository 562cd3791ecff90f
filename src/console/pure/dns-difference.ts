/** What differs between the record that is wanted and one that was found, so that the person need not compare by eye. */

export interface Piece {
  text: string;
  /** "lacking" is wanted and not there, "extra" is there and not wanted. */
  kind: "same" | "lacking" | "extra";
}

export interface Difference {
  expected: Piece[];
  found: Piece[];
}

/** Pieces joined are the texts again, and what is the same stands in both in one order. */
export function dnsDifference(expected: string, found: string): Difference {
  const [left, right] = [tokensOf(expected), tokensOf(found)];
  const pairs = commonOf(left.map(comparable), right.map(comparable));
  if (pairs.length === 0 && left.length === 1 && right.length === 1) return byEnds(expected, found);
  const marked: Difference = { expected: [], found: [] };
  let [a, b] = [0, 0];
  for (const [atLeft, atRight] of [...pairs, [left.length, right.length] as const]) {
    mark(left.slice(a, atLeft), right.slice(b, atRight), marked);
    if (atLeft < left.length) {
      marked.expected.push({ text: left[atLeft]!, kind: "same" });
      marked.found.push({ text: right[atRight]!, kind: "same" });
    }
    [a, b] = [atLeft + 1, atRight + 1];
  }
  return { expected: joined(marked.expected), found: joined(marked.found) };
}

/** Keys are long: of one that stands in the place of another the middle is marked. */
const LONG = 40;

function mark(lacking: string[], extra: string[], into: Difference): void {
  const [one, other] = [lacking[0] ?? "", extra[0] ?? ""];
  if (lacking.length === 1 && extra.length === 1 && Math.min(one.length, other.length) > LONG) {
    const { expected, found } = byEnds(one, other);
    into.expected.push(...expected);
    into.found.push(...found);
    return;
  }
  into.expected.push(...lacking.map((text): Piece => ({ text, kind: "lacking" })));
  into.found.push(...extra.map((text): Piece => ({ text, kind: "extra" })));
}

/** A part that only the owner of the domain knows: "<your mail provider's SPF name>". */
export const isOpen = (expected: string): boolean => /<[^<>]+>/.test(expected);

/** Terms of SPF and of a mail host's line, tags of DKIM and DMARC, each with what parts it from the next. */
function tokensOf(text: string): string[] {
  return text.match(text.includes(";") ? /[^;]*;\s*|[^;]+$/g : /\S+\s*|^\s+/g) ?? [];
}

/** As DNS compares: blanks beside a tag, a host's last dot and its case say nothing. */
const comparable = (token: string): string => {
  const plain = token.replace(/[\s;]+$/, "").replace(/\s*=\s*/, "=");
  return plain.includes("=") ? plain : plain.toLowerCase().replace(/\.$/, "");
};

/** The longest row of tokens that both have, as places in each. */
function commonOf(left: string[], right: string[]): [number, number][] {
  // More are no record; they are compared as a whole.
  if (left.length * right.length > MOST_COMPARED) return [];
  const lengths = Array.from({ length: left.length + 1 }, () =>
    Array.from({ length: right.length + 1 }, () => 0),
  );
  for (let a = left.length - 1; a >= 0; a--)
    for (let b = right.length - 1; b >= 0; b--)
      lengths[a]![b] =
        left[a] === right[b]
          ? lengths[a + 1]![b + 1]! + 1
          : Math.max(lengths[a + 1]![b]!, lengths[a]![b + 1]!);
  const pairs: [number, number][] = [];
  for (let a = 0, b = 0; a < left.length && b < right.length;)
    if (left[a] === right[b]) pairs.push([a++, b++]);
    else if (lengths[a + 1]![b]! >= lengths[a]![b + 1]!) a++;
    else b++;
  return pairs;
}

const MOST_COMPARED = 250_000;

/** Of one word each: what they begin and end with alike. */
function byEnds(expected: string, found: string): Difference {
  const most = Math.min(expected.length, found.length);
  let head = 0;
  while (head < most && expected[head] === found[head]) head++;
  let tail = 0;
  while (tail < most - head && expected.at(-1 - tail) === found.at(-1 - tail)) tail++;
  const parts = (text: string, kind: Piece["kind"]): Piece[] =>
    joined([
      { text: text.slice(0, head), kind: "same" },
      { text: text.slice(head, text.length - tail), kind },
      { text: text.slice(text.length - tail), kind: "same" },
    ]);
  return { expected: parts(expected, "lacking"), found: parts(found, "extra") };
}

function joined(pieces: Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const { text, kind } of pieces) {
    const last = all.at(-1);
    if (text === "") continue;
    if (last?.kind === kind) last.text += text;
    else all.push({ text, kind });
  }
  return all;
}
