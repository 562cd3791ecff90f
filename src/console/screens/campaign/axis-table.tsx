import { Table } from "../../parts/table.tsx";
import type { AxisRow } from "../../pure/axis-table.ts";
import { num } from "../../pure/words.ts";
import { setQuery } from "../../router.ts";

const figure = (value: number | null) => (value === null ? "" : num(value));

/** The axis in words: each day, and each gap with its reason. */
export function AxisTable({ caption, rows }: { caption: string; rows: AxisRow[] }) {
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={({ key, state }) => `${key} ${state}`}
      columns={[
        {
          head: "Day",
          cell: ({ key, day, state }) =>
            state === "none" ? (
              day
            ) : (
              <button
                type="button"
                class="link"
                onClick={() => setQuery({ day: key.slice(0, 10) })}
              >
                {day}
              </button>
            ),
        },
        {
          head: "State",
          cell: ({ state, why }) => (
            <>
              {state === "none" ? "" : state} {why !== null && <span class="dim">{why}</span>}
            </>
          ),
        },
        { head: "First messages", isNumber: true, cell: ({ first }) => figure(first) },
        { head: "Follow-ups", isNumber: true, cell: ({ followUps }) => figure(followUps) },
        { head: "Messages", isNumber: true, cell: ({ total }) => figure(total) },
        { head: "Replies to these", isNumber: true, cell: ({ replied }) => figure(replied) },
        { head: "Bounces", isNumber: true, cell: ({ bounced }) => figure(bounced) },
      ]}
    />
  );
}
