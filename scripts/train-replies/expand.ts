/** Small numbers that look thrown, the same for each run. */
export function thrower(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const SLOT = /\{([^{}]*)\}/u;

/** Of a line such as `{Please |}stop.` so many different readings as there are, or are wanted. */
export function readingsOf(line: string, wanted: number, random: () => number): string[] {
  const found = new Set<string>();
  for (let tries = 0; tries < wanted * 3 && found.size < wanted; tries++) {
    let reading = line;
    for (let slot = SLOT.exec(reading); slot !== null; slot = SLOT.exec(reading)) {
      const ways = slot[1]!.split("|");
      const way = ways[Math.floor(random() * ways.length)]!;
      reading = reading.slice(0, slot.index) + way + reading.slice(slot.index + slot[0].length);
    }
    found.add(
      reading
        .replace(/ {2,}/g, " ")
        .replace(/ ([,.!?])(?=\s|$)/g, "$1")
        .trim(),
    );
  }
  return [...found];
}
