import { useSignal } from "@preact/signals";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { AxisItem } from "../../pure/axis-days.ts";
import { type Column, layOut } from "../../pure/axis-layout.ts";
import { clockTime, longDate } from "../../pure/day-words.ts";
import { dateAt } from "../../pure/wall-time.ts";
import { count, num } from "../../pure/words.ts";
import { setQuery } from "../../router.ts";
import { href, place } from "../../router.ts";

const LABELS = 168;
const REPLIES = 193;
const BOUNCES = 214;
const TOP = 16;

/** The axis drawn. Each day is a link to its messages: one of them is in the order of tabs, arrows go to the others. */
export function AxisPicture(props: {
  title: string;
  items: AxisItem[];
  nowMs: number;
  zone: string;
  dailyLimit: number;
  finishesAt: string | null;
}) {
  const { title, items, nowMs, zone, dailyLimit, finishesAt } = props;
  const frame = useRef<HTMLDivElement>(null);
  const width = useSignal(900);
  const at = useSignal<string | null>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => (width.value = entry!.contentRect.width));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  const layout = layOut(items, { width: width.value, dailyLimit, hasEnd: finishesAt !== null });
  const { columns, bars, now, baseline } = layout;
  const current =
    columns.find(({ date }) => date === at.value) ?? columns.find(({ when }) => when === "today")!;
  // Where not all fits, today is what one wants to see.
  useLayoutEffect(() => {
    frame.current!.scrollLeft = now.middle - width.value / 2;
  }, [layout.width > width.value]);

  function move(event: KeyboardEvent): void {
    const index = columns.indexOf(current);
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: columns.length - 1 }[
      event.key
    ];
    const target = to === undefined ? undefined : columns[to];
    if (target === undefined) return;
    event.preventDefault();
    at.value = target.date;
    frame.current!.querySelector<SVGElement>(`[data-date="${target.date}"]`)?.focus();
  }
  return (
    <div class="axis" ref={frame}>
      <svg
        width={layout.width}
        height={layout.height}
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        role="group"
        aria-labelledby={titleId}
        onKeyDown={move}
      >
        <title id={titleId}>{title}</title>
        <defs>
          <Hatch id="hn" kind="kn" />
          <Hatch id="hf" kind="kf" />
        </defs>
        <g aria-hidden="true">
          <rect class="now" x={now.x - 1} y={TOP} width={now.width + 2} height={204} rx={8} />
          {layout.ticks.map(({ value, y }) => (
            <g key={value}>
              <path class="g" d={`M${layout.left} ${y}H${layout.width}`} />
              <text class="r" x={layout.left - 8} y={y + 4}>
                {num(value)}
              </text>
            </g>
          ))}
          {layout.cap !== null && (
            <>
              <path class="cap" d={`M${layout.left} ${layout.cap}H${layout.width}`} />
              <text x={layout.left + 4} y={layout.cap - 7}>
                daily limit {num(dailyLimit)}
              </text>
            </>
          )}
          {layout.gaps.map(({ x, width: room, label, why, days }) => (
            <g key={x}>
              <title>{`${count(days, "day")}: ${why}`}</title>
              <rect class="hit" x={x} y={TOP} width={room} height={baseline - TOP} />
              {label !== null && (
                <text class="m" x={x + room / 2} y={baseline - 6}>
                  {label}
                </text>
              )}
            </g>
          ))}
          {bars.map((bar) => (
            <rect
              key={`${bar.date} ${bar.kind}`}
              class={bar.kind}
              data-count={bar.count}
              x={bar.x}
              y={bar.y}
              width={bar.width}
              height={bar.height}
            />
          ))}
          <path class="nowline" d={`M${now.x + 1} ${now.y}h${now.width - 2}`} />
          <text class="m b" x={now.middle} y={11}>
            {clockTime(nowMs, zone).slice(0, 5)}
          </text>
          <text class="r rep" x={layout.left - 8} y={REPLIES}>
            replies
          </text>
          <text class="r bou" x={layout.left - 8} y={BOUNCES}>
            bounces
          </text>
          {columns.map((column) => (
            <Figures key={column.date} column={column} hasRoom={layout.hasFigures} />
          ))}
          {layout.end !== null && finishesAt !== null && (
            <>
              <path class="fin" d={`M${layout.end.x} ${baseline - 62}V${baseline}`} />
              <text class="b" x={layout.end.x + 6} y={baseline - 52}>
                last message
              </text>
              <text x={layout.end.x + 6} y={baseline - 37}>
                {longDate(dateAt(Date.parse(finishesAt), zone), dateAt(nowMs, zone))}
              </text>
              <text x={layout.end.x + 6} y={baseline - 22}>
                {clockTime(Date.parse(finishesAt), zone)}
              </text>
            </>
          )}
        </g>
        {columns.map((column) => (
          <a
            key={column.date}
            href={href(place.value?.path ?? "", { day: column.date })}
            data-date={column.date}
            tabIndex={column === current ? 0 : -1}
            aria-label={`${longDate(column.date)}: ${dayLabel(column)}`}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              at.value = column.date;
              setQuery({ day: column.date });
            }}
          >
            <rect class="hit" x={column.x} y={TOP} width={column.width} height={204} rx={6}>
              <title>{`${longDate(column.date)}: ${dayLabel(column)}`}</title>
            </rect>
          </a>
        ))}
      </svg>
    </div>
  );
}

function dayLabel({ total, when, replied, bounced }: Column): string {
  const messages = `${count(total, "message")}${when === "future" ? " to come" : ""}`;
  const back =
    when === "future" ? "" : `, ${count(replied, "reply", "replies")}, ${count(bounced, "bounce")}`;
  return messages + back;
}

function Figures({ column, hasRoom }: { column: Column; hasRoom: boolean }) {
  const { middle: x, label, when, replied, bounced } = column;
  return (
    <>
      {label !== null && (
        <text class={when === "today" ? "m dl b" : "m dl"} x={x} y={LABELS}>
          {label}
        </text>
      )}
      {when !== "future" && (
        <>
          <Figure of={replied} kind="rep" x={x} y={REPLIES} hasRoom={hasRoom} />
          <Figure of={bounced} kind="bou" x={x} y={BOUNCES} hasRoom={hasRoom} />
        </>
      )}
    </>
  );
}

function Figure(props: { of: number; kind: string; x: number; y: number; hasRoom: boolean }) {
  const { of, kind, x, y, hasRoom } = props;
  if (of > 0 && !hasRoom) return <circle class={kind} cx={x} cy={y - 4} r={2.5} />;
  if (!hasRoom) return null;
  return (
    <text class={`m ${of === 0 ? "none" : kind}`} x={x} y={y}>
      {of === 0 ? "·" : num(of)}
    </text>
  );
}

function Hatch({ id, kind }: { id: string; kind: string }) {
  return (
    <pattern
      id={id}
      class={kind}
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect width="6" height="6" />
      <path d="M0 0V6" />
    </pattern>
  );
}
