/** A bar of one or more values, one upon the other. Left and width in percent of the picture, the rest in pixels. */
export interface BarPlace {
  left: number;
  width: number;
  parts: { y: number; height: number }[];
  hasLabel: boolean;
}

export interface BarLayout {
  /** Where the uppermost line is: a round number that no bar exceeds. */
  top: number;
  bars: BarPlace[];
}

/** Labels stand where they have room on the narrowest screen. */
const MOST_LABELS = 7;
const GAP = 0.28;

/** Bars beside each other on a floor at `height`; a value above zero is never less than a pixel high. */
export function layBars(values: readonly (readonly number[])[], height: number): BarLayout {
  const sums = values.map((parts) => parts.reduce((sum, each) => sum + each, 0));
  const top = roundUp(Math.max(0, ...sums));
  const slot = 100 / Math.max(1, values.length);
  const every = Math.ceil(values.length / MOST_LABELS);
  const bars = values.map((parts, index): BarPlace => {
    let floor = height;
    return {
      left: slot * (index + GAP / 2),
      width: slot * (1 - GAP),
      hasLabel: index % every === 0,
      parts: parts.map((value) => {
        const tall = value <= 0 ? 0 : Math.max(1, (value / top) * height);
        // Many thin parts that are rounded up stay within the picture.
        const y = Math.max(0, floor - tall);
        const part = { y, height: floor - y };
        floor = y;
        return part;
      }),
    };
  });
  return { top, bars };
}

/** 1, 2, 5, 10, 20, 50, ...: the least that is not below. */
export function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((each) => each >= value) ?? 10 * power;
}
