import { FLAG, INTENTS, STOP, WISHES } from "#src/domain/replies/inbound/understanding/reader.ts";
import { shareOf } from "#src/domain/replies/inbound/understanding/scores.ts";
import { ROW_BITS } from "#src/domain/replies/inbound/understanding/weights.ts";
import { thrower } from "./expand.ts";

/** The wishes, and behind them the intents. */
export const COLUMNS = WISHES + INTENTS.length;

/** A text as rows of the model, and what is said of it; null is not said. */
export interface Sample extends Read {
  /** The sentences by what their words mean alone. */
  meanings: readonly Int32Array[];
}
interface Read {
  sentences: readonly Int32Array[];
  whole: Int32Array;
  stop: number | null;
  flag: number | null;
  intent: number | null;
  weight: number;
}

/** Weights are pruned step by step, and trained in between. */
const FULL = { epochs: 4, l1: 1e-2, l2: 1e-4 };
const PRUNED = { epochs: 3, l1: 1e-3, l2: 1e-5 };
const STEPS = [6, 2.5, 1];
const RATE = 0.1;
const SEED = 7;
/** What stands in fewer texts teaches only itself. */
const MIN_TEXTS = 3;
/** How often a text is read by what its words mean alone, so that meanings learn to do without the words. */
const SHARE_WITHOUT_WORDS = 0.3;
/** How many weights are kept of each wish and of the intents: what the bundle may cost. */
export const KEPT = [
  { from: STOP, to: STOP + 1, wanted: 16_000 },
  { from: FLAG, to: FLAG + 1, wanted: 4_000 },
  { from: WISHES, to: WISHES + INTENTS.length, wanted: 6_000 },
];

type Weights = Float32Array;

const sumOf = (weights: Weights, rows: Int32Array, column: number): number => {
  let sum = 0;
  for (const row of rows) sum += weights[row * COLUMNS + column]!;
  return sum * shareOf(rows.length);
};
const logistic = (score: number): number => 1 / (1 + Math.exp(-score));

/** The features that weigh most by what they change in the texts of training, trained once more by themselves. */
export function trainPruned(samples: readonly Sample[]): Weights {
  const counts = new Int32Array(1 << ROW_BITS);
  for (const { sentences, whole } of samples)
    for (const row of new Set([...sentences, whole].flatMap((rows) => [...rows]))) counts[row]!++;
  const kept = new Uint8Array(COLUMNS << ROW_BITS);
  for (let at = 0; at < kept.length; at++)
    kept[at] = counts[Math.floor(at / COLUMNS)]! >= MIN_TEXTS ? 1 : 0;
  let weights = train(samples, FULL, new Float32Array(kept.length), kept);
  for (const step of STEPS) {
    kept.fill(0);
    for (const { from, to, wanted } of KEPT) keep(weights, counts, kept, from, to, wanted * step);
    const left = weights.map((weight, at) => weight * kept[at]!);
    weights = train(samples, PRUNED, left, kept);
  }
  return weights;
}

function keep(
  weights: Weights,
  counts: Int32Array,
  kept: Uint8Array,
  from: number,
  to: number,
  wanted: number,
): void {
  const all: [place: number, change: number][] = [];
  for (let row = 0; row < counts.length; row++)
    for (let place = row * COLUMNS + from; place < row * COLUMNS + to; place++)
      if (weights[place] !== 0)
        all.push([place, Math.abs(weights[place]!) * Math.sqrt(counts[row]!)]);
  for (const [place] of all.sort(([, one], [, other]) => other - one).slice(0, wanted))
    kept[place] = 1;
}

/** Logistic regression by AdaGrad; only weights that are `kept` may be other than nought. */
function train(
  samples: readonly Sample[],
  { epochs, l1, l2 }: typeof FULL,
  weights: Weights,
  kept: Uint8Array,
): Weights {
  const squares = new Float32Array(weights.length).fill(0.1);
  const random = thrower(SEED);
  const order = samples.map((_, at) => at);
  const move = (rows: Int32Array, column: number, gradient: number) => {
    if (Math.abs(gradient) < 1e-5) return;
    const by = gradient * shareOf(rows.length);
    for (const row of rows) {
      const at = row * COLUMNS + column;
      if (kept[at] === 0) continue;
      const slope = by + l2 * weights[at]!;
      squares[at]! += slope * slope;
      const pace = RATE / Math.sqrt(squares[at]!);
      const moved = weights[at]! - pace * slope;
      const drawn = l1 * pace;
      weights[at] = moved > drawn ? moved - drawn : moved < -drawn ? moved + drawn : 0;
    }
  };
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
    for (const at of order) {
      const { meanings, ...sample } = samples[at]!;
      const read = random() < SHARE_WITHOUT_WORDS ? { ...sample, sentences: meanings } : sample;
      learnWish(weights, read, move);
      learnIntent(weights, read, move);
    }
  }
  return weights;
}

type Move = (rows: Int32Array, column: number, gradient: number) => void;

function learnWish(weights: Weights, sample: Read, move: Move): void {
  for (const [column, said] of [
    [STOP, sample.stop],
    [FLAG, sample.flag],
  ] as const) {
    if (said === null) continue;
    const parts = sample.sentences.map((rows) => sumOf(weights, rows, column));
    const most = Math.max(...parts, -30);
    const raised = parts.map((part) => Math.exp(part - most));
    const total = raised.reduce((sum, each) => sum + each, 0) || 1;
    const score = most + Math.log(total) + sumOf(weights, sample.whole, column);
    const gradient = (logistic(score) - said) * sample.weight;
    move(sample.whole, column, gradient);
    for (const [sentence, rows] of sample.sentences.entries())
      move(rows, column, (gradient * raised[sentence]!) / total);
  }
}

function learnIntent(weights: Weights, sample: Read, move: Move): void {
  if (sample.intent === null) return;
  const scores = INTENTS.map((_, intent) =>
    [...sample.sentences, sample.whole].reduce(
      (sum, rows) => sum + sumOf(weights, rows, WISHES + intent),
      0,
    ),
  );
  const most = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - most));
  const total = raised.reduce((sum, each) => sum + each, 0);
  for (const [intent, each] of raised.entries()) {
    const gradient = (each / total - (intent === sample.intent ? 1 : 0)) * sample.weight;
    for (const rows of [...sample.sentences, sample.whole]) move(rows, WISHES + intent, gradient);
  }
}
