import { useSignal } from "@preact/signals";
import { addressOf } from "../../api/call.ts";
import { usePages } from "../../api/pages.ts";
import type { Dataset } from "../../api/schema.ts";
import { useAction, useQuery, useWrite } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { useDropAnywhere } from "../../parts/drop-anywhere.ts";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { DeleteProblem } from "../../parts/in-use.tsx";
import { Part } from "../../parts/load.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { State } from "../../parts/status.tsx";
import { More } from "../../parts/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { count, num } from "../../pure/words.ts";
import { go, href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { LeadTable } from "./lead-table.tsx";
import { NewLead } from "./new-lead.tsx";
import { SOURCES } from "./people.tsx";
import { pickedFile } from "./picked-file.ts";
import { Verification } from "./verification.tsx";

export function DatasetScreen({ params }: ScreenProps) {
  const id = params["dataset"]!;
  const of = { params: { dataset_id: id } };
  const dataset = useQuery("getDataset", of, {
    every: (known) => (known?.status === "importing" ? 2 : null),
  });
  const leads = usePages("listLeads", { ...of, query: { limit: 50 } });
  const remove = useAction("deleteDataset");
  const open = useSignal<"rename" | "lead" | null>(null);
  const close = () => (open.value = null);
  const { data } = dataset;
  const importPath = `/people/${id}/import`;
  useKeys([
    { key: "i", label: "Import people", run: () => go(importPath) },
    { key: "n", label: "Add one person", run: () => (open.value = "lead") },
  ]);
  useDropAnywhere((file) => {
    pickedFile.value = { datasetId: id, file };
    go(importPath);
  });

  async function askToDelete(known: Dataset): Promise<void> {
    const isSure = await confirm({
      title: `Delete ${known.name}?`,
      body: "Its people go with it and are stopped in every campaign. Suppressions stay, and so does what was sent.",
      facts: [["People", num(known.row_count)]],
      typed: known.name,
      confirm: `Delete ${count(known.row_count, "person", "people")}`,
      isDangerous: true,
    });
    if (isSure && (await remove.run(of, { ifMatch: dataset.etag }))) {
      toast(`${known.name} is deleted.`);
      go("/people");
    }
  }
  return (
    <Page
      title={data?.name ?? "Dataset"}
      crumbs={[{ label: "People", href: href("/people") }]}
      meta={
        data && (
          <>
            {data.status !== "ready" && <State of={data.status} />}
            <span class="dim">
              {count(data.row_count, "person", "people")}, from: {SOURCES[data.source]}
            </span>
          </>
        )
      }
      actions={
        data && (
          <>
            <a class="btn main" href={href(importPath)}>
              Import <kbd>I</kbd>
            </a>
            <button type="button" class="btn" onClick={() => (open.value = "lead")}>
              Add one <kbd>N</kbd>
            </button>
            <a class="btn" download href={addressOf("exportLeads", of).url}>
              Export
            </a>
            <Menu
              label="More"
              items={[
                { label: "Rename", run: () => (open.value = "rename") },
                { label: "Delete", isDangerous: true, run: () => void askToDelete(data) },
              ]}
            />
          </>
        )
      }
    >
      {remove.problem !== undefined && <DeleteProblem problem={remove.problem} />}
      {data?.error != null && (
        <div class="note bad">
          <p>
            <b>The last import failed.</b> {data.error}
          </p>
        </div>
      )}
      {data !== undefined && data.row_count > 0 && <Verification dataset={data} />}
      <Part of={leads} lines={10}>
        {(rows) => (
          <Section flush>
            {rows.length === 0 ? (
              <Empty
                title="Nobody is in this dataset yet."
                action={
                  <a class="btn main" href={href(importPath)}>
                    Import people
                  </a>
                }
              >
                From a CSV file, which you can drop here, or a Google sheet; or add one by hand.
              </Empty>
            ) : (
              <LeadTable caption="People of the dataset, in its order" rows={rows} />
            )}
            <More of={leads} />
          </Section>
        )}
      </Part>
      {open.value === "rename" && data !== undefined && (
        <Dialog title="Rename the dataset" onClose={close}>
          <Rename of={data} etag={dataset.etag ?? null} onClose={close} />
        </Dialog>
      )}
      {open.value === "lead" && (
        <Dialog title="Add one person" onClose={close}>
          <NewLead datasetId={id} onClose={close} />
        </Dialog>
      )}
    </Page>
  );
}

function Rename(props: { of: Dataset; etag: string | null; onClose(): void }) {
  const { of, etag, onClose } = props;
  const write = useWrite("changeDataset");
  const form = useForm(`dataset ${of.id}`, { name: of.name }, { etag });
  return (
    <Form
      form={form}
      submit="Rename"
      onCancel={onClose}
      onSend={async (body) => {
        await write({ params: { dataset_id: of.id }, body }, { ifMatch: form.etag });
        toast("It is renamed.");
        onClose();
      }}
    >
      <TextField form={form} name="name" label="Name" />
    </Form>
  );
}
