/** CPU time of this process for `work`, in milliseconds: what else runs on the machine hardly counts. */
export async function costMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of three times: a collection of garbage, or a neighbour on the same core, falls into one of them. */
export async function leastCostMs(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 3; round++) least = Math.min(least, await costMs(work));
  return least;
}
