import { usePages } from "../../api/pages.ts";
import type { CreditEntry } from "../../api/schema.ts";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { More, Table, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { delta, entryWords, groupEntries, type EntryGroup } from "../../pure/credit-words.ts";
import { num } from "../../pure/words.ts";

const COLUMNS: Column<EntryGroup<CreditEntry>>[] = [
  { head: "When", cell: ({ created_at: at }) => <Time at={at} as="exact" /> },
  {
    head: "Why",
    isHead: true,
    cell: (group) => (
      <>
        {entryWords(group)}
        <What of={group.entries} />
      </>
    ),
  },
  { head: "To spend", isNumber: true, cell: (group) => delta(group.available_delta) },
  { head: "Reserved", isNumber: true, cell: (group) => delta(group.held_delta) },
  { head: "Owed", isNumber: true, cell: (group) => delta(group.owed_delta) },
];

/** Every move of credits; their sum is the balance. */
export function Ledger() {
  const entries = usePages("listCreditEntries", { query: { limit: 100 } });
  return (
    <div class="log">
      <Section title="Ledger" note="all of it adds up to the balance" flush>
        <Part of={entries} lines={6}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No credit has moved yet.">
                What is bought, reserved, spent and given back stands here, with what it was for.
              </Empty>
            ) : (
              <>
                <Table
                  caption="Entries of the credit ledger"
                  rows={groupEntries(rows)}
                  keyOf={({ id }) => id}
                  columns={COLUMNS}
                />
                <More of={entries} />
              </>
            )
          }
        </Part>
      </Section>
    </div>
  );
}

/** The ids by which the API has what was paid for. */
function What({ of: entries }: { of: CreditEntry[] }) {
  const ids = (
    <small>
      {entries.map(({ id, ref_id: ref }) => (
        <code key={id}>{ref} </code>
      ))}
    </small>
  );
  if (entries.length === 1) return ids;
  return (
    <details>
      <summary>{num(entries.length)} times</summary>
      {ids}
    </details>
  );
}
