import { useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { type OperatorRow, placedWords, saidWords } from "../../pure/operator-words.ts";
import { num } from "../../pure/words.ts";

/** How each receiving operator takes the domain's mail. */
export function DomainOperators({ id }: { id: string }) {
  const operators = useQuery("getDomainOperators", { params: { domain_id: id } });
  return (
    <Section title="Receiving operators">
      <Part of={operators} lines={4}>
        {({ operators: rows }) =>
          rows.length === 0 ? (
            <Empty title="Nothing has gone out yet." />
          ) : (
            <Table
              caption="Receiving operators"
              rows={rows}
              keyOf={({ operator }) => operator}
              columns={[
                {
                  head: "Operator",
                  cell: (row) => (
                    <>
                      {row.operator} <small>{saidWords(row)}</small>
                    </>
                  ),
                },
                { head: "Accepted", ...figure("accepted") },
                { head: "Put off", ...figure("deferred") },
                { head: "Refused", ...figure("refused") },
                { head: "Complaints", ...figure("complained") },
                { head: "Tests", cell: placedWords },
              ]}
            />
          )
        }
      </Part>
    </Section>
  );
}

const figure = (field: "accepted" | "deferred" | "refused" | "complained") => ({
  cell: ({ ledger }: OperatorRow) => ledger && num(ledger[field]),
  isNumber: true,
});
