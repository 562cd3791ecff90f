import { type FarmWorld, openFarmWorld } from "../stack/farm-world.ts";
import { type FarmTable, readFarm } from "../stack/farm/table.ts";
import { report } from "./report.ts";
import { judgeAll } from "./run.ts";
import { score, shortfalls, type Targets, type Verify } from "./score.ts";

/** Makes a verifier that reaches the farm. */
export type StartVerifier = (world: FarmWorld) => Verify | Promise<Verify>;

/** Ten seconds are the wallet-paid call's own. */
const TARGETS: Targets = { correct: 0.95, p95Ms: 10_000 };

export interface EvalOptions {
  /** Tables of the farm's format; the repository's own where there are none. */
  files: string[];
  seed?: number;
  lanes?: number;
}

/** Judges a verifier on a farm. Resolves with the exit code: 0 at the targets, 1 below, 2 for a file that is no table. */
export async function evalVerify(
  { files, seed = 1, lanes = 40 }: EvalOptions,
  startVerifier: StartVerifier,
  say: (text: string) => void = console.log,
): Promise<number> {
  const table = readOrSay(files, say);
  if (table === null) return 2;
  const world = await openFarmWorld(table);
  try {
    const verify = await startVerifier(world);
    const judged = await judgeAll(table.expectations, verify, { seed, lanes });
    say(report(judged));
    const short = shortfalls(score(judged), TARGETS);
    say(short.length === 0 ? "\nAll targets are reached." : `\nShort: ${short.join("; ")}.`);
    return short.length === 0 ? 0 : 1;
  } finally {
    await world.close();
  }
}

function readOrSay(files: string[], say: (text: string) => void): FarmTable | null {
  try {
    return readFarm(files.length > 0 ? files : undefined);
  } catch (error) {
    say((error as Error).message);
    return null;
  }
}
