import { useSignal } from "@preact/signals";
import { usePages } from "../../api/pages.ts";
import { useAction } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { useDropAnywhere } from "../../parts/drop-anywhere.ts";
import { FileDrop } from "../../parts/file-drop.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { State } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { num } from "../../pure/words.ts";
import { go, href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { LeadTable } from "./lead-table.tsx";
import { NewDataset } from "./new-dataset.tsx";
import { pickedFile } from "./picked-file.ts";

const LONGEST_NAME = 255;

export function PeopleScreen({ query }: ScreenProps) {
  const q = query.get("q") ?? "";
  const isMaking = useSignal(false);
  const create = useAction("createDataset");
  const begin = () => (isMaking.value = true);
  useKeys([{ key: "n", label: "New dataset", run: begin }]);
  useDropAnywhere((file) => void take(file));

  /** A dataset of the file's name, and on to the look at what is in it. */
  async function take(file: File): Promise<void> {
    const name = file.name.replace(/\.(csv|txt|tsv)$/i, "").slice(0, LONGEST_NAME) || "Import";
    const made = await create.run({ body: { name } });
    if (made === undefined) return;
    pickedFile.value = { datasetId: made.id, file };
    go(`/people/${made.id}/import`);
  }
  return (
    <Page
      title="People"
      actions={
        <>
          <SearchField label="Search all people" placeholder="Name, company or address" value={q} />
          <button type="button" class="btn main" onClick={begin}>
            New dataset <kbd>N</kbd>
          </button>
        </>
      }
    >
      {create.problem !== undefined && <ProblemNote problem={create.problem} />}
      {q === "" ? <Datasets onFile={(file) => void take(file)} /> : <Found q={q} />}
      {isMaking.value && (
        <Dialog title="New dataset" onClose={() => (isMaking.value = false)}>
          <NewDataset onClose={() => (isMaking.value = false)} />
        </Dialog>
      )}
    </Page>
  );
}

function Found({ q }: { q: string }) {
  const leads = usePages("findLeads", { query: { q, limit: 50 } });
  return (
    <Part of={leads} lines={8}>
      {(rows) => (
        <Section flush>
          {rows.length === 0 ? (
            <Empty
              title={leads.hasMore ? "Nobody among the first." : `Nobody is found for “${q}”.`}
            >
              {leads.hasMore
                ? "Only some of the people were looked at yet: show more looks at the next."
                : "It looks for a part of the address, the name or the company."}
            </Empty>
          ) : (
            <LeadTable caption={`People found for ${q}`} rows={rows} />
          )}
          <More of={leads} />
        </Section>
      )}
    </Part>
  );
}

function Datasets({ onFile }: { onFile(file: File): void }) {
  const datasets = usePages("listDatasets", { query: { limit: 50 } });
  const drop = (
    <FileDrop label="Choose a CSV file" accept=".csv,.tsv,.txt,text/csv" onFile={onFile} />
  );
  return (
    <Part of={datasets} lines={6}>
      {(rows) =>
        rows.length === 0 ? (
          <Section>
            <Empty title="Nobody is here yet.">
              Drop a CSV file anywhere on this page: you see first what is in it and what would
              become of it; nothing is stored before you say so.
            </Empty>
            {drop}
          </Section>
        ) : (
          <div class="stack">
            <Section flush>
              <Table
                caption="Datasets, newest first"
                rows={rows}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => href(`/people/${id}`)}
                columns={[
                  { head: "Dataset", cell: ({ name }) => name, sortBy: ({ name }) => name },
                  {
                    head: "People",
                    isNumber: true,
                    cell: ({ row_count: count }) => num(count),
                    sortBy: ({ row_count: count }) => count,
                  },
                  { head: "State", cell: ({ status }) => <State of={status} /> },
                  { head: "From", cell: ({ source }) => SOURCES[source] },
                  {
                    head: "Changed",
                    cell: ({ updated_at: at }) => <Time at={at} as="ago" />,
                    sortBy: ({ updated_at: at }) => at,
                  },
                ]}
              />
              <More of={datasets} />
            </Section>
            {drop}
          </div>
        )
      }
    </Part>
  );
}

export const SOURCES = {
  csv: "CSV file",
  sheet: "Google sheet",
  api: "typed in, or the API",
  prospects: "prospect pool",
};
