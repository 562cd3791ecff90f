/** How high a message is. */

export interface Tick {
  value: number;
  y: number;
}

export interface AxisScale {
  /** Height of one message. */
  unit: number;
  ticks: Tick[];
  /** Where the daily limit lies, if it is near enough to be in the picture. */
  cap: number | null;
}

/** The limit is the top where days come near it: a limit of 500 would flatten days of twelve. */
const NEAR_LIMIT = 0.4;

export function axisScale(
  most: number,
  dailyLimit: number,
  { top, baseline }: { top: number; baseline: number },
): AxisScale {
  const isNear = most >= dailyLimit * NEAR_LIMIT;
  const highest = isNear && most <= dailyLimit ? dailyLimit : roundUp(Math.max(most, 1));
  const unit = (baseline - top) / highest;
  const values = highest % 2 === 0 ? [0, highest / 2, highest] : [0, highest];
  return {
    unit,
    ticks: values.map((value) => ({ value, y: baseline - value * unit })),
    cap: isNear ? baseline - dailyLimit * unit : null,
  };
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 4, 6, 8, 10].find((each) => each * power >= value) ?? 10;
  return factor * power;
}
