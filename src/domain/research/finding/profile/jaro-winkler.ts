/** Jaro's likeness of two words with Winkler's weight for a common beginning: 0 to 1. */
export function jaroWinkler(a: string, b: string): number {
  const likeness = jaro(a, b);
  let prefix = 0;
  while (prefix < Math.min(4, a.length, b.length) && a[prefix] === b[prefix]) prefix++;
  return likeness + prefix * 0.1 * (1 - likeness);
}

function jaro(a: string, b: string): number {
  if (a === b) return 1;
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Set<number>();
  const common = [...a].filter((letter, at) => {
    const from = Math.max(0, at - reach);
    for (let there = from; there <= Math.min(b.length - 1, at + reach); there++)
      if (b[there] === letter && !taken.has(there)) return taken.add(there);
    return false;
  });
  if (common.length === 0) return 0;
  const there = [...taken].toSorted((x, y) => x - y).map((at) => b[at]);
  const moved = common.filter((letter, at) => letter !== there[at]).length / 2;
  const share = common.length;
  return (share / a.length + share / b.length + (share - moved) / share) / 3;
}
