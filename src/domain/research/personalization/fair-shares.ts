/**
 * How much of `total` each may take that wants `sizes`: what is small is kept whole, and what is large shares the rest evenly,
 * so that no long text pushes out another.
 */
export function fairShares(sizes: readonly number[], total: number): number[] {
  const shares = sizes.map(() => 0);
  let left = total;
  const bySize = sizes.map((size, at) => ({ size, at })).toSorted((a, b) => a.size - b.size);
  for (const [rank, { size, at }] of bySize.entries()) {
    const share = Math.min(size, Math.floor(left / (bySize.length - rank)));
    shares[at] = share;
    left -= share;
  }
  return shares;
}
