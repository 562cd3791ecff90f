import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { call } from "../../api/call.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import type { ImportReport, ImportTrial } from "../../api/schema.ts";
import { useWrite } from "../../api/use.ts";
import { Skeleton } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { toast } from "../../parts/toast.tsx";
import { type Choice, mappingOf, type TriedColumn } from "../../pure/column-choice.ts";
import { bytes, count, num } from "../../pure/words.ts";
import { go } from "../../router.ts";
import { Columns } from "./columns.tsx";
import { pickedFile } from "./picked-file.ts";
import { Rejects } from "./rejects.tsx";

interface Props {
  datasetId: string;
  file: File;
  onOther(): void;
}

/** First a look at what would become of the file, with the columns to choose; then the import itself. */
export function CsvImport({ datasetId, file, onOther }: Props) {
  const chosen = useSignal<Record<string, Choice>>({});
  const trial = useSignal<ImportTrial | null>(null);
  const problem = useSignal<Problem | null>(null);
  const work = useSignal<"looking" | "importing" | null>("looking");
  const turn = useRef(0);
  const write = useWrite("importLeads");

  const input = (dryRun: "true" | "false") => {
    const body = new FormData();
    const mapping = mappingOf(chosen.peek());
    if (Object.keys(mapping).length > 0) body.append("mapping", JSON.stringify(mapping));
    body.append("file", file, file.name);
    return { params: { dataset_id: datasetId }, query: { dry_run: dryRun }, body };
  };
  async function look(): Promise<void> {
    const mine = ++turn.current;
    work.value = "looking";
    try {
      const found = (await call("importLeads", input("true"))) as ImportTrial;
      if (mine !== turn.current) return;
      trial.value = found;
      problem.value = null;
    } catch (error) {
      if (mine === turn.current) problem.value = asProblem(error);
    }
    if (mine === turn.current) work.value = null;
  }
  useEffect(() => void look(), []);

  async function take(): Promise<void> {
    work.value = "importing";
    try {
      const done = (await write(input("false"))) as ImportReport;
      pickedFile.value = null;
      toast(
        `${count(done.created, "person is", "people are")} new, ${num(done.updated)} brought up to date.`,
      );
      go(`/people/${datasetId}`);
    } catch (error) {
      problem.value = asProblem(error);
      work.value = null;
    }
  }
  const columns = trial.value?.columns ?? headersOf(problem.value);
  const choose = (header: string, choice: Choice) => {
    chosen.value = { ...chosen.peek(), [header]: choice };
    void look();
  };
  const found = trial.value;
  const taken = found === null ? 0 : found.created + found.updated;
  const isBusy = work.value !== null;
  return (
    <div class="stack">
      <Section
        title={file.name}
        note={
          found === null ? bytes(file.size) : `${count(found.total, "row")}, ${bytes(file.size)}`
        }
        actions={
          <button type="button" class="btn" disabled={work.value === "importing"} onClick={onOther}>
            Another file
          </button>
        }
      >
        {problem.value !== null && (
          <ProblemNote problem={problem.value} retry={() => void look()} />
        )}
        {found === null && problem.value === null && <Skeleton lines={3} />}
        {found !== null && problem.value === null && (
          <dl class="counts">
            <Count value={found.created} of="new" />
            <Count value={found.updated} of="known already, brought up to date" />
            <Count value={found.duplicate} of="twice in the file" />
            <Count value={found.rejected} of="cannot be taken" />
          </dl>
        )}
        {work.value === "importing" && (
          <p role="status">
            <progress aria-label="Importing" /> {count(taken, "person is", "people are")} being
            taken in. All of them are, or none.
          </p>
        )}
        <p class="form-foot">
          <button
            type="button"
            class="btn main"
            disabled={isBusy || found === null || problem.value !== null || taken === 0}
            onClick={() => void take()}
          >
            {work.value === "looking"
              ? "Looking"
              : work.value === "importing"
                ? "Importing"
                : `Import ${count(taken, "person", "people")}`}
          </button>
        </p>
      </Section>
      {columns.length > 0 && (
        <Columns
          columns={columns}
          chosen={chosen.value}
          isDisabled={work.value === "importing"}
          onChoose={choose}
        />
      )}
      {found !== null && found.rejected > 0 && <Rejects of={found} file={file} />}
    </div>
  );
}

function Count({ value, of }: { value: number; of: string }) {
  return (
    <div>
      <dt>{of}</dt>
      <dd>{num(value)}</dd>
    </div>
  );
}

/** A file in which nothing reaches a person is refused with its headers: the person says which column does. */
function headersOf(problem: Problem | null): TriedColumn[] {
  const names = problem?.more["columns"];
  if (!Array.isArray(names)) return [];
  return names.map((header) => ({ header: String(header), guess: null, samples: [] }));
}
