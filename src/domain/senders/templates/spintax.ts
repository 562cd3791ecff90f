import { hash32 } from "#src/mime/hash.ts";

interface Group {
  /** Finished alternatives; the last one is still being written. */
  alternatives: string[];
  ordinal: number;
}

/**
 * Chooses one alternative of each `{a|b}`, nested ones included. Liquid (`{{ }}`, `{% %}`) passes
 * through untouched and may stand inside an alternative; braces without a bar stay, as do style
 * sheets. The same seed always chooses alike, so a preview is what gets sent. Runs on the template,
 * before any lead data is in it. Linear in the length.
 */
export function expandSpintax(source: string, seed: string): string {
  if (!source.includes("|")) return source;
  const stack: Group[] = [];
  let out = "";
  let ordinal = 0;
  const write = (text: string) => {
    const group = stack.at(-1);
    if (group) group.alternatives[group.alternatives.length - 1] += text;
    else out += text;
  };
  for (const token of tokens(source)) {
    const group = stack.at(-1);
    if (token === "{") stack.push({ alternatives: [""], ordinal: ordinal++ });
    else if (token === "|" && group) group.alternatives.push("");
    else if (token === "}" && group) {
      stack.pop();
      const { alternatives } = group;
      const choice = hash32(`${seed} ${group.ordinal}`) % alternatives.length;
      write(alternatives.length > 1 ? alternatives[choice]! : `{${alternatives[0]}}`);
    } else write(token);
  }
  return out + stack.map(({ alternatives }) => `{${alternatives.join("|")}`).join("");
}

/** Whether an alternative is opened and never closed; braces without a bar are no spintax. */
export function isSpintaxOpen(source: string): boolean {
  const bars: number[] = [];
  for (const token of tokens(source)) {
    if (token === "{") bars.push(0);
    else if (token === "|" && bars.length > 0) bars[bars.length - 1]! += 1;
    else if (token === "}") bars.pop();
  }
  return bars.some((count) => count > 0);
}

/** Delimiters of stretches that pass untouched: opening, closing. */
const OPAQUE = [
  ["{{", "}}"],
  ["{%", "%}"],
  ["<style", "</style"],
] as const;

/** `{`, `|`, `}`, and the text between them, opaque stretches whole. */
function* tokens(source: string): Generator<string> {
  // Of ASCII alone: other letters are longer in lower case ("İ"), and all places behind them would be others.
  const lower = source.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  // Searches that failed once are not repeated, or a row of openers would cost the square of its length.
  const exhausted = new Set<string>();
  const endOfOpaque = (at: number): number => {
    const pair = OPAQUE.find(([opener]) => lower.startsWith(opener, at));
    if (!pair || exhausted.has(pair[1])) return -1;
    const end = lower.indexOf(pair[1], at + 2);
    if (end < 0) exhausted.add(pair[1]);
    return end < 0 ? -1 : end + pair[1].length;
  };
  let textFrom = 0;
  for (let at = 0; at < source.length;) {
    const character = source[at]!;
    const end = character === "{" || character === "<" ? endOfOpaque(at) : -1;
    if (end >= 0) {
      at = end;
      continue;
    }
    if (character === "{" || character === "|" || character === "}") {
      if (at > textFrom) yield source.slice(textFrom, at);
      yield character;
      textFrom = at + 1;
    }
    at++;
  }
  if (textFrom < source.length) yield source.slice(textFrom);
}
