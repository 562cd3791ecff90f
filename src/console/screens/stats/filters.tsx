import { useId } from "preact/hooks";
import { serverNow } from "../../api/clock.ts";
import type { WorkspaceStats } from "../../api/schema.ts";
import { dateIn } from "../../pure/dates.ts";
import { lastDays, type StatsBy } from "../../pure/stats-rows.ts";
import { href, setQuery } from "../../router.ts";

const DAYS = { most: [7, 30, 90], byHour: [1, 2, 7] };

/** From and to stand in the address; without them they are as the API has them. */
export function StatsFilters(props: {
  by: StatsBy;
  from: string | undefined;
  to: string | undefined;
  answer: WorkspaceStats | undefined;
}) {
  const { by, from, to, answer } = props;
  const id = useId();
  const zone = answer?.timezone ?? "UTC";
  const today = dateIn(serverNow(), zone);
  const set = (name: "from" | "to") => (event: { currentTarget: HTMLInputElement }) =>
    setQuery({ [name]: event.currentTarget.value });
  const shownFrom = from ?? answer?.from ?? "";
  const shownTo = to ?? answer?.to ?? "";
  return (
    <div class="asked">
      <div class="field">
        <label for={`${id}-from`}>From</label>
        <input
          id={`${id}-from`}
          type="date"
          value={shownFrom}
          max={shownTo}
          onChange={set("from")}
        />
      </div>
      <div class="field">
        <label for={`${id}-to`}>To</label>
        <input id={`${id}-to`} type="date" value={shownTo} min={shownFrom} onChange={set("to")} />
      </div>
      {(by === "hour" ? DAYS.byHour : DAYS.most).map((days) => {
        const range = lastDays(today, days);
        const isCurrent = shownFrom === range.from && shownTo === range.to;
        return (
          <a
            key={days}
            class="btn"
            aria-current={isCurrent ? "true" : undefined}
            href={href("/stats", { by, ...range })}
          >
            {days === 1 ? "Today" : `Last ${days} days`}
          </a>
        );
      })}
      {answer !== undefined && <span class="dim">dates of {zone}</span>}
    </div>
  );
}
