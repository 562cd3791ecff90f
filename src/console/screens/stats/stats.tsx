import { useQuery } from "../../api/use.ts";
import { CopyButton } from "../../parts/copy.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { csvText } from "../../pure/csv-text.ts";
import { asStatsBy, COUNT_NAMES, namedRows, totals, type StatsBy } from "../../pure/stats-rows.ts";
import { href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { StatsCharts } from "./charts.tsx";
import { StatsFilters } from "./filters.tsx";
import { useNames } from "./names.ts";
import { Rates, StatsTable } from "./table.tsx";

const LABELS: Record<StatsBy, string> = {
  day: "By day",
  hour: "By hour",
  campaign: "By campaign",
  alias: "By sender",
  domain: "By domain",
};
const HEADS: Record<StatsBy, string> = {
  day: "Day",
  hour: "Hour",
  campaign: "Campaign",
  alias: "Sender",
  domain: "Domain",
};

export function StatsScreen({ query }: ScreenProps) {
  const by = asStatsBy(query.get("by"));
  const from = query.get("from") ?? undefined;
  const to = query.get("to") ?? undefined;
  const stats = useQuery("getStats", {
    query: { by, ...(from && { from }), ...(to && { to }) },
  });
  const nameOf = useNames(by);
  return (
    <Page
      title="Statistics"
      meta={<span class="dim">of campaigns; single emails are not among them</span>}
      tabs={
        <Tabs
          label="Counted by"
          tabs={Object.entries(LABELS).map(([each, label]) => ({
            label,
            href: href("/stats", { by: each, from, to }),
            isCurrent: each === by,
          }))}
        />
      }
    >
      <StatsFilters by={by} from={from} to={to} answer={stats.data} />
      <Part of={stats} lines={8}>
        {(answer) => {
          const rows = namedRows(answer, nameOf);
          const sums = totals(rows);
          if (sums.sent === 0)
            return (
              <Section>
                <Empty title="Nothing was sent in this time.">
                  A message counts on the day on which it was sent, and so does what came of it,
                  whenever that came. Choose other dates, or launch a campaign.
                </Empty>
              </Section>
            );
          const csv = csvText(
            [HEADS[by].toLowerCase(), "key", ...COUNT_NAMES],
            rows.map((row) => [row.name, row.key, ...COUNT_NAMES.map((name) => row[name])]),
          );
          return (
            <>
              <Section title="Together">
                <Rates of={sums} />
              </Section>
              {(by === "day" || by === "hour") && <StatsCharts rows={rows} />}
              <Section
                title={LABELS[by]}
                note={
                  by === "day" || by === "hour"
                    ? "without those on which nothing was sent"
                    : "what sent most first"
                }
                actions={<CopyButton text={csv} label="Copy as CSV" />}
                flush
              >
                <StatsTable head={HEADS[by]} rows={rows} isTime={by === "day" || by === "hour"} />
              </Section>
            </>
          );
        }}
      </Part>
    </Page>
  );
}
