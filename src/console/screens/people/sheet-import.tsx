import { useSignal } from "@preact/signals";
import { call } from "../../api/call.ts";
import type { SheetAccess, SheetImport as SheetReport } from "../../api/schema.ts";
import { useQuery, useWrite } from "../../api/use.ts";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { State } from "../../parts/status.tsx";
import { toast } from "../../parts/toast.tsx";
import { count, num } from "../../pure/words.ts";
import { go } from "../../router.ts";
import { Rejects } from "./rejects.tsx";

/** From a Google sheet: whether it can be read, which of its sheets, and how far the import is. */
export function SheetImport({ datasetId }: { datasetId: string }) {
  const write = useWrite("importLeads");
  const access = useSignal<SheetAccess | null>(null);
  const gid = useSignal<number | null>(null);
  const form = useForm(`sheet ${datasetId}`, { sheet_url: "" });
  const last = useQuery(
    "getSheetImport",
    { params: { dataset_id: datasetId } },
    { every: (known) => (known?.status === "importing" ? 2 : null) },
  );
  const isOpen = access.value?.accessible === true;
  return (
    <>
      <Section title="From a Google sheet">
        <Form
          form={form}
          submit={isOpen ? "Import the sheet" : "Look at the sheet"}
          onSend={async ({ sheet_url: url }) => {
            if (!isOpen) {
              access.value = await call("verifySheetAccess", { body: { sheet_url: url } });
              gid.value = access.value.sheets[0]?.sheet_id ?? null;
              // Only what was looked at is imported: it stays typed.
              form.set("sheet_url", url);
              return;
            }
            const report = await write({
              params: { dataset_id: datasetId },
              body: { sheet_url: url, ...(gid.value === null ? {} : { gid: gid.value }) },
            });
            form.discard();
            access.value = null;
            if ("dataset_id" in report) return;
            toast(
              `${count(report.created, "person is", "people are")} new, ${num(report.updated)} brought up to date.`,
            );
            go(`/people/${datasetId}`);
          }}
        >
          <TextField
            form={form}
            name="sheet_url"
            label="Address of the sheet"
            placeholder="https://docs.google.com/spreadsheets/d/…"
            autocomplete="off"
            onChange={() => (access.value = null)}
          />
          {access.value !== null && (
            <Access of={access.value} gid={gid.value} onGid={(id) => (gid.value = id)} />
          )}
        </Form>
      </Section>
      {last.data !== undefined && <LastImport of={last.data} />}
      {last.problem !== undefined && last.problem.status !== 404 && (
        <ProblemNote problem={last.problem} retry={last.reload} />
      )}
    </>
  );
}

function Access(props: { of: SheetAccess; gid: number | null; onGid(id: number): void }) {
  const { of, gid, onGid } = props;
  if (!of.accessible)
    return (
      <div class="note warn" role="alert">
        <p>
          {of.message}
          {of.share_with !== null && (
            <>
              {" "}
              Share it with <code>{of.share_with}</code>.
            </>
          )}
        </p>
      </div>
    );
  return (
    <>
      <p>
        <b>{of.title ?? "The sheet"}</b> can be read. Columns: {of.headers.join(", ")}
      </p>
      {of.sheets.length > 1 && (
        <fieldset class="choices">
          <legend>Which of its sheets</legend>
          {of.sheets.map(({ sheet_id: id, title, row_count: rows }) => (
            <label key={id}>
              <input type="radio" name="gid" checked={gid === id} onChange={() => onGid(id)} />
              <span>
                {title} <span class="dim">{count(rows, "row")}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

function LastImport({ of }: { of: SheetReport }) {
  const isRunning = of.status === "importing";
  return (
    <>
      <Section title={isRunning ? "The import is under way" : "The last import of a sheet"}>
        <p class="row">
          <State of={of.status} />
          {isRunning
            ? `${count(of.total, "row")} read, ${num(of.rejected)} cannot be taken. Nothing is taken in before all is read.`
            : `${num(of.created)} new, ${num(of.updated)} brought up to date, ${num(of.duplicate)} twice, ${num(of.rejected)} not taken.`}
        </p>
        {isRunning && <progress aria-label="Reading the sheet" />}
        {of.error !== null && <p>{of.error}</p>}
      </Section>
      {!isRunning && of.rejected > 0 && <Rejects of={of} />}
    </>
  );
}
