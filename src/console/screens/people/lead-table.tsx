import type { Lead } from "../../api/schema.ts";
import { Status } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { leadName, reachedBy, verificationWords } from "../../pure/lead-words.ts";
import { href } from "../../router.ts";

export function LeadTable({ caption, rows }: { caption: string; rows: Lead[] }) {
  return (
    <Table<Lead>
      caption={caption}
      rows={rows}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => href(`/person/${id}`)}
      columns={[
        { head: "Person", cell: (lead) => leadName(lead) },
        { head: "Reached by", cell: (lead) => reachedBy(lead) },
        { head: "Company", cell: ({ company }) => company ?? "" },
        { head: "Title", cell: ({ title }) => title ?? "" },
        { head: "Tags", cell: ({ tags }) => tags.join(", ") },
        {
          head: "Address",
          cell: ({ verification }) => {
            const words = verificationWords(verification);
            return words === null ? (
              <span class="dim">not verified</span>
            ) : (
              <Status tone={words.tone}>{words.word}</Status>
            );
          },
        },
      ]}
    />
  );
}
