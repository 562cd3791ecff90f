import { Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { saveText } from "../../parts/save-text.ts";
import { rejectsCsv, type Rejection } from "../../pure/rejects-csv.ts";
import { count, num } from "../../pure/words.ts";

/** Rows that cannot be taken, each with its reason; as a file they can be mended and imported again. */
export function Rejects(props: {
  of: { rejected: number; rejections: Rejection[] };
  file?: File | undefined;
}) {
  const { of, file } = props;
  async function download(): Promise<void> {
    const text = file === undefined ? null : await file.text();
    saveText("rejected.csv", rejectsCsv(text, of.rejections));
  }
  return (
    <Section
      title={`${count(of.rejected, "row")} cannot be taken`}
      note={
        of.rejected > of.rejections.length ? `the first ${num(of.rejections.length)} are shown` : ""
      }
      actions={
        <button type="button" class="btn" onClick={() => void download()}>
          Download them as CSV
        </button>
      }
      flush
    >
      <Table
        caption="Rejected rows"
        rows={of.rejections.slice(0, SHOWN)}
        keyOf={({ row_index: row }) => String(row)}
        columns={[
          { head: "Row", cell: ({ row_index: row }) => num(row + 1) },
          { head: "Why", cell: ({ message }) => message },
        ]}
      />
    </Section>
  );
}

const SHOWN = 100;
