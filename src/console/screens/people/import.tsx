import { useSignal } from "@preact/signals";
import { useQuery } from "../../api/use.ts";
import { useDropAnywhere } from "../../parts/drop-anywhere.ts";
import { FileDrop } from "../../parts/file-drop.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { bytes } from "../../pure/words.ts";
import { href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { CsvImport } from "./csv-import.tsx";
import { pickedFile } from "./picked-file.ts";
import { SheetImport } from "./sheet-import.tsx";

/** As the API has it. */
const LARGEST = 64 * 1024 * 1024;

export function ImportScreen({ params }: ScreenProps) {
  const id = params["dataset"]!;
  const dataset = useQuery("getDataset", { params: { dataset_id: id } });
  const tooLarge = useSignal<File | null>(null);
  const take = (file: File) => {
    tooLarge.value = file.size > LARGEST ? file : null;
    if (tooLarge.value === null) pickedFile.value = { datasetId: id, file };
  };
  useDropAnywhere(take);
  const picked = pickedFile.value?.datasetId === id ? pickedFile.value.file : null;
  const name = dataset.data?.name ?? "Dataset";
  return (
    <Page
      title="Import people"
      crumbs={[
        { label: "People", href: href("/people") },
        { label: name, href: href(`/people/${id}`) },
      ]}
    >
      {tooLarge.value !== null && (
        <div class="note bad" role="alert">
          <p>
            <b>{tooLarge.value.name} is too large.</b> It has {bytes(tooLarge.value.size)}, and a
            file may have 64 MiB: split it, and import the parts one after the other.
          </p>
        </div>
      )}
      {picked === null ? (
        <div class="stack">
          <Section title="From a file">
            <FileDrop
              label="Choose a CSV file"
              accept=".csv,.tsv,.txt,text/csv"
              hint="You see first what would become of it; nothing is stored before you say so"
              onFile={take}
            />
          </Section>
          <SheetImport datasetId={id} />
        </div>
      ) : (
        <CsvImport
          key={`${picked.name} ${picked.size} ${picked.lastModified}`}
          datasetId={id}
          file={picked}
          onOther={() => (pickedFile.value = null)}
        />
      )}
    </Page>
  );
}
