import { Bars, type Series } from "../../parts/bars.tsx";
import { Section } from "../../parts/page.tsx";
import { totals, type NamedRow } from "../../pure/stats-rows.ts";
import { count, num } from "../../pure/words.ts";

const SENT: Series[] = [
  { name: "first message", style: "bar-first" },
  { name: "follow-up", style: "bar-further" },
];
const BACK: Series[] = [
  { name: "replied", style: "bar-came-back" },
  { name: "bounced", style: "bar-bounced" },
];

/** Two pictures of the table beneath: what went out, and what came back. */
export function StatsCharts({ rows }: { rows: NamedRow[] }) {
  const sums = totals(rows);
  const most = rows.reduce((best, row) => (row.sent > best.sent ? row : best));
  const back = sums.replied + sums.bounced;
  return (
    <div class="two charts">
      <Section title="Sent">
        <Bars
          summary={`${count(sums.sent, "message")} sent, ${num(sums.first_messages)} of them first ones; most on ${most.name}: ${num(most.sent)}. The table has each.`}
          series={SENT}
          bars={rows.map((row) => ({
            key: row.key,
            label: row.short,
            title: `${row.name}: ${count(row.sent, "message")}, ${num(row.first_messages)} of them first ones`,
            values: [row.first_messages, row.follow_ups],
          }))}
        />
      </Section>
      <Section title="Came back">
        {back === 0 ? (
          <p class="dim">No reply and no bounce yet.</p>
        ) : (
          <Bars
            summary={`${count(sums.replied, "reply", "replies")} and ${count(sums.bounced, "bounce")}. The table has each.`}
            series={BACK}
            bars={rows.map((row) => ({
              key: row.key,
              label: row.short,
              title: `${row.name}: ${count(row.replied, "reply", "replies")}, ${count(row.bounced, "bounce")}`,
              values: [row.replied, row.bounced],
            }))}
          />
        )}
      </Section>
    </div>
  );
}
