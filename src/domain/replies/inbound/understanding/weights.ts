import { hashed } from "./hash.ts";
import { ALPHABET, NOUGHT, packNumbers, unpackNumbers, valueAt } from "./packed.ts";

/** What features weigh, in columns: of each row that weighs anything its number, its columns and their weights. */
export interface PackedWeights {
  rows: string;
  /** Of each row which columns it has, a bit for each. */
  masks: string;
  values: string;
  /** Of one step of a value. */
  step: number;
}

export interface Weights {
  columns: number;
  /** Where the columns of a row begin. */
  places: ReadonlyMap<number, number>;
  values: Float32Array;
}

export const ROW_BITS = 19;
export const rowOf = (feature: string): number => hashed(feature) >>> (32 - ROW_BITS);

export function packWeights(
  weights: Float32Array,
  columns: readonly number[],
  allColumns: number,
): PackedWeights {
  let most = 0;
  for (let row = 0; row < weights.length / allColumns; row++)
    for (const column of columns)
      most = Math.max(most, Math.abs(weights[row * allColumns + column]!));
  const step = most / NOUGHT;
  const rows: number[] = [];
  let masks = "";
  let values = "";
  for (let row = 0; row < weights.length / allColumns; row++) {
    const steps = columns.map((column) => Math.round(weights[row * allColumns + column]! / step));
    if (steps.every((each) => each === 0)) continue;
    rows.push(row);
    masks += ALPHABET[steps.reduce((mask, each, at) => mask + (each === 0 ? 0 : 1 << at), 0)]!;
    values += steps
      .filter((each) => each !== 0)
      .map((each) => ALPHABET[NOUGHT + each]!)
      .join("");
  }
  return { rows: packNumbers(rows), masks, values, step };
}

export function unpackWeights(packed: PackedWeights, columns: number): Weights {
  const rows = unpackNumbers(packed.rows);
  const values = new Float32Array(rows.length * columns);
  const places = new Map<number, number>();
  let next = 0;
  for (const [at, row] of rows.entries()) {
    places.set(row, at * columns);
    const mask = valueAt(packed.masks, at);
    for (let column = 0; column < columns; column++)
      if ((mask >> column) % 2 === 1)
        values[at * columns + column] = (valueAt(packed.values, next++) - NOUGHT) * packed.step;
  }
  return { columns, places, values };
}
