import { layBars } from "../pure/bar-layout.ts";
import { num } from "../pure/words.ts";

export interface Bar {
  key: string;
  /** Beneath the bar, short. */
  label: string;
  /** When one points at it. */
  title: string;
  /** The heights of the bar, one for each of the series. */
  values: number[];
}

export interface Series {
  name: string;
  /** A class of `bars.css`: first, further, or either with forecast. */
  style: string;
}

const HEIGHT = 120;
const ABOVE = 18;
const BELOW = 22;

/** Bars in series, as a picture with its sentence; the figures stand in a table beside it. */
export function Bars(props: { summary: string; bars: Bar[]; series: Series[] }) {
  const { summary, bars, series } = props;
  const { top, bars: places } = layBars(
    bars.map(({ values }) => values),
    HEIGHT,
  );
  // Thin bars are narrower than their labels: these begin where the bar does, so that the first is not cut off.
  const isDense = places.some(({ hasLabel }) => !hasLabel);
  return (
    <figure class="bars">
      <figcaption class="bars-key">
        {series.map(({ name, style }) => (
          <span key={name}>
            <svg width="12" height="12" aria-hidden="true">
              <rect class={style} width="12" height="12" rx="3" />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
      <svg role="img" aria-label={summary} width="100%" height={HEIGHT + ABOVE + BELOW}>
        <defs>
          <Hatch id="hatch-first" style="bar-first" />
          <Hatch id="hatch-further" style="bar-further" />
        </defs>
        {[0, 0.5, 1].map((share) => (
          <line
            key={share}
            class="bar-grid"
            x1="0"
            x2="100%"
            y1={ABOVE + HEIGHT * (1 - share)}
            y2={ABOVE + HEIGHT * (1 - share)}
          />
        ))}
        <text class="bar-label" x="0" y={ABOVE - 6}>
          {num(top)}
        </text>
        {places.map(({ left, width, parts, hasLabel }, index) => {
          const { key, label, title } = bars[index]!;
          return (
            <g key={key}>
              <title>{title}</title>
              <rect class="bar-hit" x={`${left}%`} width={`${width}%`} y={ABOVE} height={HEIGHT} />
              {parts.map(({ y, height }, part) => (
                <rect
                  key={series[part]!.name}
                  class={series[part]!.style}
                  x={`${left}%`}
                  width={`${width}%`}
                  y={ABOVE + y}
                  height={height}
                />
              ))}
              {hasLabel && (
                <text
                  class="bar-label"
                  x={`${isDense ? left : left + width / 2}%`}
                  y={ABOVE + HEIGHT + 16}
                  text-anchor={isDense ? "start" : "middle"}
                >
                  {label}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

function Hatch({ id, style }: { id: string; style: string }) {
  return (
    <pattern
      id={id}
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect class="bar-ground" width="6" height="6" />
      <rect class={style} width="3" height="6" />
    </pattern>
  );
}

/** How much of a limit is used; the words beside it say the same. */
export function Meter({ used, most }: { used: number; most: number }) {
  const share = most <= 0 ? 0 : Math.min(1, used / most);
  return (
    <svg class="use-meter" width="100%" height="6" aria-hidden="true">
      <rect class="bar-ground" width="100%" height="6" rx="3" />
      {share > 0 && <rect class="bar-first" width={`${share * 100}%`} height="6" rx="3" />}
    </svg>
  );
}
