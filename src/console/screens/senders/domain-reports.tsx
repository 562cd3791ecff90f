import type { DomainReports as Reports } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { num } from "../../pure/words.ts";

const DAYS = 30;

/** Who sends in the domain's name, as receivers say, and the next step towards refusing all others. */
export function DomainReports({ id }: { id: string }) {
  const reports = useQuery("getDomainReports", {
    params: { domain_id: id },
    query: { days: DAYS },
  });
  return (
    <Section title={`What receivers report, ${DAYS} days`}>
      <Part of={reports} lines={4}>
        {(now) =>
          now.reports_to === null ? (
            <p class="dim">This service takes no reports: its operator sets REPORTS_DOMAIN.</p>
          ) : (
            <>
              <NextStep of={now} />
              {now.sources.length > 0 && (
                <Table
                  caption={`Who sends in the name of ${now.domain}`}
                  rows={now.sources}
                  keyOf={({ name, is_ours: isOurs }) => `${name} ${isOurs}`}
                  columns={COLUMNS}
                />
              )}
            </>
          )
        }
      </Part>
    </Section>
  );
}

function NextStep({ of }: { of: Reports }) {
  const { safe, why, fix, policy } = of.next_step;
  return (
    <div class={safe === false ? "note warn" : "note"}>
      <p>
        {policy !== null && safe === true && <b>Go to p={policy}: it is safe. </b>}
        {policy !== null && safe === false && <b>Not yet p={policy}. </b>}
        {why}
      </p>
      {fix !== null && <p>{fix}</p>}
    </div>
  );
}

type Source = Reports["sources"][number];

const nameOf = ({ name, is_ours: isOurs }: Source): string =>
  isOurs ? "this service" : (name ?? "nobody by name");

const COLUMNS: Column<Source>[] = [
  {
    head: "Sender",
    cell: (source) => (
      <>
        {nameOf(source)} <small>{source.some_addresses.join(", ")}</small>
      </>
    ),
  },
  { head: "Messages", cell: ({ messages }) => num(messages), isNumber: true },
  { head: "Pass", cell: ({ aligned }) => num(aligned), isNumber: true },
  { head: "Forwarded", cell: ({ forwarded }) => num(forwarded), isNumber: true },
  {
    head: "Refused or filed",
    cell: ({ rejected, quarantined }) => num(rejected + quarantined),
    isNumber: true,
  },
];
