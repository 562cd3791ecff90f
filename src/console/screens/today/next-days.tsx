import type { Query } from "../../api/use.ts";
import { Bars, type Series } from "../../parts/bars.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { count, num } from "../../pure/words.ts";
import { dateWords } from "../../pure/dates.ts";
import { everyDate } from "../../pure/next-dates.ts";
import { href, isPage } from "../../router.ts";

const SERIES: Series[] = [
  { name: "first message", style: "bar-first forecast" },
  { name: "follow-up", style: "bar-further forecast" },
];
const DAYS = 7;
/** Of a day the campaigns that send most are named. */
const NAMED = 3;

export function NextDays(props: {
  of: Query<"forecastWorkspace">;
  campaigns: readonly { campaign_id: string; name: string }[];
}) {
  const names = new Map(props.campaigns.map(({ campaign_id: id, name }) => [id, name]));
  return (
    <Section
      title="Next 7 days"
      note="if nothing changes and nobody answers; what does not run is not in it"
    >
      <Part of={props.of} lines={6}>
        {({ days: counted, generated_at: at, timezone, exact, reasons }) => {
          const byDate = new Map(counted.map((day) => [day.date, day]));
          const none = { sends: 0, new_leads: 0, follow_ups: 0, campaigns: [] };
          const days = everyDate(at, timezone, DAYS).map((date) => ({
            ...(byDate.get(date) ?? none),
            date,
          }));
          const total = days.reduce((sum, { sends }) => sum + sends, 0);
          if (total === 0)
            return (
              <Empty
                title="Nothing is going to be sent."
                action={
                  isPage("/campaigns") && (
                    <a class="btn" href={href("/campaigns")}>
                      See the campaigns
                    </a>
                  )
                }
              >
                No campaign is running that has somebody left to write to in this time.
              </Empty>
            );
          return (
            <>
              <Bars
                summary={`${count(total, "message")} in the next 7 days: ${days
                  .map(({ date, sends }) => `${dateWords(date)} ${num(sends)}`)
                  .join(", ")}.`}
                series={SERIES}
                bars={days.map((day) => ({
                  key: day.date,
                  label: dateWords(day.date, "short"),
                  title: `${dateWords(day.date)}: ${count(day.sends, "message")}, ${num(day.new_leads)} of them first ones`,
                  values: [day.new_leads, day.follow_ups],
                }))}
              />
              {!exact && <p class="hint">{reasons.map(({ message }) => message).join(" ")}</p>}
              <details>
                <summary>As a table: {count(total, "message")}</summary>
                <Table
                  caption="Messages of the next 7 days"
                  rows={days}
                  keyOf={({ date }) => date}
                  columns={[
                    { head: "Day", cell: ({ date }) => dateWords(date) },
                    { head: "Messages", isNumber: true, cell: ({ sends }) => num(sends) },
                    { head: "First", isNumber: true, cell: (day) => num(day.new_leads) },
                    { head: "Follow-ups", isNumber: true, cell: (day) => num(day.follow_ups) },
                    {
                      head: "Campaigns",
                      cell: (day) =>
                        day.campaigns
                          .slice(0, NAMED)
                          .map(
                            ({ campaign_id: id, sends }) => `${names.get(id) ?? id} ${num(sends)}`,
                          )
                          .concat(
                            day.campaigns.length > NAMED
                              ? [`${num(day.campaigns.length - NAMED)} more`]
                              : [],
                          )
                          .join(", "),
                    },
                  ]}
                />
              </details>
            </>
          );
        }}
      </Part>
    </Section>
  );
}
