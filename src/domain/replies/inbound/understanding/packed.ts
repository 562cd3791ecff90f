/** Characters that need no escape in a string of JavaScript. */
export const ALPHABET =
  "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%&()*+,-./:;<=>?@[]^_{|}~";
/** A number below this is one character; of a larger one the rest to `REST` stands before. */
const ONE = 64;
const REST = ALPHABET.length - ONE;
/** The character of a weight of nought. */
export const NOUGHT = 44;

const VALUES = new Map([...ALPHABET].map((letter, at) => [letter.charCodeAt(0), at]));

export const valueAt = (packed: string, at: number): number => VALUES.get(packed.charCodeAt(at))!;

/** Growing numbers, as the gaps between them. */
export function packNumbers(numbers: readonly number[]): string {
  let packed = "";
  let before = 0;
  for (const each of numbers) {
    let gap = each - before;
    before = each;
    for (; gap >= ONE; gap = Math.floor(gap / REST)) packed += ALPHABET[ONE + (gap % REST)]!;
    packed += ALPHABET[gap]!;
  }
  return packed;
}

export function unpackNumbers(packed: string): number[] {
  const numbers: number[] = [];
  let before = 0;
  let gap = 0;
  let place = 1;
  for (let at = 0; at < packed.length; at++) {
    const value = valueAt(packed, at);
    if (value >= ONE) {
      gap += (value - ONE) * place;
      place *= REST;
      continue;
    }
    before += gap + value * place;
    numbers.push(before);
    gap = 0;
    place = 1;
  }
  return numbers;
}
