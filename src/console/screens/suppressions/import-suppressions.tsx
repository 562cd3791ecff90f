import { useSignal } from "@preact/signals";
import type { SuppressionImportReport } from "../../api/schema.ts";
import { useAction } from "../../api/use.ts";
import { FileDrop } from "../../parts/file-drop.tsx";
import { Facts } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { saveText } from "../../parts/save-text.ts";
import { rejectsCsv } from "../../pure/rejects-csv.ts";
import { num } from "../../pure/words.ts";

export function ImportSuppressions({ onClose }: { onClose(): void }) {
  const write = useAction("importSuppressions");
  const file = useSignal<File | null>(null);
  async function take(chosen: File): Promise<void> {
    file.value = chosen;
    const body = new FormData();
    body.append("file", chosen, chosen.name);
    await write.run({ body });
  }
  return (
    <>
      <p>
        A CSV file with a column of addresses or domains. Each of them gets no mail any more; who is
        on the list already stays on it.
      </p>
      {write.problem !== undefined && <ProblemNote problem={write.problem} />}
      {write.answer !== undefined && file.value !== null && (
        <Done of={write.answer} file={file.value} />
      )}
      {write.isRunning ? (
        <p role="status">
          <progress aria-label="Importing" /> {file.value?.name} is being taken in.
        </p>
      ) : (
        <FileDrop
          label={write.answer === undefined ? "Choose a CSV file" : "Choose another"}
          accept=".csv,.txt,text/csv"
          onFile={(chosen) => void take(chosen)}
        />
      )}
      <div class="dialog-foot">
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}

function Done({ of, file }: { of: SuppressionImportReport; file: File }) {
  return (
    <div class="note" role="status">
      <Facts
        of={[
          ["New", num(of.created)],
          ["Known already", num(of.renewed)],
          ["Not taken", num(of.rejected)],
        ]}
      />
      {of.rejected > 0 && (
        <>
          <ul>
            {of.rejections.slice(0, SHOWN).map(({ row_index: row, message }) => (
              <li key={row}>
                Row {num(row + 1)}: {message}
              </li>
            ))}
          </ul>
          <p>
            <button
              type="button"
              class="link"
              onClick={() =>
                void file
                  .text()
                  .then((text) => saveText("rejected.csv", rejectsCsv(text, of.rejections)))
              }
            >
              Download what was not taken
            </button>
          </p>
        </>
      )}
    </div>
  );
}

const SHOWN = 10;
