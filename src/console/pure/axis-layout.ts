/** The axis as numbers for an SVG: bars of the past and of the forecast, marks beneath, gaps between. */
import { type AxisDay, type AxisItem, totalOf } from "./axis-days.ts";
import { axisScale, type Tick } from "./axis-scale.ts";
import { shortDate } from "./day-words.ts";

export type BarKind = "sent-first" | "sent-follow-up" | "coming-first" | "coming-follow-up";

export interface Bar {
  date: string;
  kind: BarKind;
  count: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Column {
  date: string;
  when: AxisDay["when"];
  /** Of all that belongs to the day, touching its neighbours. */
  x: number;
  width: number;
  middle: number;
  total: number;
  label: string | null;
  replied: number;
  bounced: number;
}

export interface GapMark {
  x: number;
  width: number;
  days: number;
  label: string | null;
  why: string;
}

export interface AxisLayout {
  width: number;
  height: number;
  left: number;
  baseline: number;
  ticks: Tick[];
  cap: number | null;
  columns: Column[];
  gaps: GapMark[];
  bars: Bar[];
  now: { x: number; width: number; middle: number; y: number };
  end: { x: number; date: string } | null;
  /** Where figures have no room beneath their day, a dot says that there are some. */
  hasFigures: boolean;
}

export interface AxisSize {
  width: number;
  dailyLimit: number;
  /** The forecast knows the campaign's last message. */
  hasEnd: boolean;
}

const LEFT = 66;
const RIGHT = 12;
const END_LABEL = 106;
const BASELINE = 152;
const TOP = 30;
const HEIGHT = 222;
const STEP = { least: 11, most: 42.5 };
const LABEL_ROOM = 46;
const FIGURES_FROM = 20;

const gapWidth = (days: number): number => (days > 4 ? 34 : 10);

export function layOut(items: readonly AxisItem[], size: AxisSize): AxisLayout {
  const days = items.filter((item) => item.kind === "day");
  const taken = items.reduce(
    (sum, item) => sum + (item.kind === "gap" ? gapWidth(item.days) : 0),
    0,
  );
  const right = size.hasEnd ? END_LABEL : RIGHT;
  const room = size.width - LEFT - right - taken;
  const step = Math.min(STEP.most, Math.max(STEP.least, room / days.length));
  const scale = axisScale(
    Math.max(...days.map((day) => totalOf(day.sent) + totalOf(day.coming))),
    size.dailyLimit,
    { top: TOP, baseline: BASELINE },
  );

  const columns: Column[] = [];
  const gaps: GapMark[] = [];
  const bars: Bar[] = [];
  let x = LEFT;
  for (const item of items) {
    if (item.kind === "gap") {
      const width = gapWidth(item.days);
      gaps.push({
        x,
        width,
        days: item.days,
        label: item.days > 4 ? `${item.days} d` : null,
        why: item.why,
      });
      x += width;
      continue;
    }
    const total = totalOf(item.sent) + totalOf(item.coming);
    const { date, when, replied, bounced } = item;
    columns.push({
      date,
      when,
      x,
      width: step,
      middle: x + step / 2,
      total,
      label: null,
      replied,
      bounced,
    });
    bars.push(...barsOf(item, x, step, scale.unit));
    x += step;
  }
  labelColumns(columns, step);

  const today = columns[days.findIndex((day) => day.when === "today")]!;
  const sentToday = totalOf(days.find((day) => day.when === "today")!.sent);
  const last = columns.at(-1)!;
  return {
    width: Math.max(size.width, x + right),
    height: HEIGHT,
    left: LEFT,
    baseline: BASELINE,
    ticks: scale.ticks,
    cap: scale.cap,
    columns,
    gaps,
    bars,
    now: { x: today.x, width: step, middle: today.middle, y: BASELINE - sentToday * scale.unit },
    end: size.hasEnd ? { x: last.x + step + 2, date: last.date } : null,
    hasFigures: step >= FIGURES_FROM,
  };
}

/** From the axis upwards: what went out, then what is to come, of each the follow-ups first. */
function barsOf(day: AxisDay, x: number, step: number, unit: number): Bar[] {
  const width = step * 0.68;
  const parts: [BarKind, number][] = [
    ["sent-follow-up", day.sent.followUps],
    ["sent-first", day.sent.first],
    ["coming-follow-up", day.coming.followUps],
    ["coming-first", day.coming.first],
  ];
  let y = BASELINE;
  return parts.flatMap(([kind, count]) => {
    if (count === 0) return [];
    const height = count * unit;
    y -= height;
    return [{ date: day.date, kind, count, x: x + (step - width) / 2, y, width, height }];
  });
}

/** As many dates as have room, today's first of all. */
function labelColumns(columns: Column[], step: number): void {
  const today = columns.findIndex(({ when }) => when === "today");
  const taken = [columns[today]!.middle];
  columns[today]!.label = "Today";
  const every = Math.max(1, Math.ceil(LABEL_ROOM / (step + 4)));
  for (const [index, column] of columns.entries()) {
    if ((index - today) % every !== 0) continue;
    // Three pixels of the room are the air between two labels, which neighbours at full width may use.
    if (taken.some((middle) => Math.abs(middle - column.middle) < Math.min(LABEL_ROOM, step) - 3))
      continue;
    column.label = shortDate(column.date);
    taken.push(column.middle);
  }
}
