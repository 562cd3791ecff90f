import { median } from "../report.ts";

/** One of those who are compared; `run` does the work of one half round. */
export interface Contender {
  name: string;
  run(): Promise<Usage>;
}

/** What a run took. */
export interface Usage {
  wallMs: number;
  /** User and system time of this process, all threads. */
  cpuMs: number;
}

export async function measured(work: () => Promise<unknown>): Promise<Usage> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  return { wallMs, cpuMs: (user + system) / 1000 };
}

/** The usage of each contender in one round, in their order. */
export type Round = Usage[];

/**
 * Each round runs everybody once in order and once in the reverse order (ABBA), so that a drift of
 * the machine weighs on all alike; a warm-up goes before. `onRound` hears of each as it ends.
 */
export async function pairedRounds(
  contenders: readonly Contender[],
  count: number,
  onRound: (round: Round, number: number) => void,
): Promise<Round[]> {
  for (const { run } of contenders) await run();
  const rounds: Round[] = [];
  for (let number = 1; number <= count; number++) {
    const round: Round = contenders.map(() => ({ wallMs: 0, cpuMs: 0 }));
    const order = [...contenders.keys()];
    for (const index of [...order, ...order.toReversed()]) {
      const { wallMs, cpuMs } = await contenders[index]!.run();
      round[index]!.wallMs += wallMs;
      round[index]!.cpuMs += cpuMs;
    }
    rounds.push(round);
    onRound(round, number);
  }
  return rounds;
}

/** The median over the rounds of a figure that each round has. */
export const medianOf = (rounds: readonly Round[], figure: (round: Round) => number): number =>
  median(rounds.map(figure));

const WIDTH = 12;

export function printRow(head: string, cells: readonly string[]): void {
  console.log(head.padStart(WIDTH) + cells.map((cell) => cell.padStart(WIDTH)).join(""));
}

export interface Target {
  of: "at least" | "at most";
  value: number;
}

/** The line that a reader compares: what was wanted and what there is. */
export function printTarget(what: string, target: Target, value: number, unit = ""): void {
  const met = target.of === "at least" ? value >= target.value : value <= target.value;
  console.log(
    `${what}: target ${target.of} ${target.value}${unit}, measured ${value.toFixed(3)}${unit}${met ? "" : " (missed)"}`,
  );
}
