import { Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import {
  type Choice,
  choiceOf,
  choicesFor,
  ownName,
  type TriedColumn,
} from "../../pure/column-choice.ts";
import { LABELS } from "./lead-fields.tsx";

/** What each column becomes: guessed by its name, and chosen otherwise where the guess is wrong. */
export function Columns(props: {
  columns: TriedColumn[];
  chosen: Record<string, Choice>;
  isDisabled: boolean;
  onChoose(header: string, choice: Choice): void;
}) {
  const { columns, chosen, isDisabled, onChoose } = props;
  return (
    <Section title="Columns" note="What each of them becomes" flush>
      <Table
        caption="Columns of the file"
        rows={columns}
        keyOf={({ header }) => header}
        columns={[
          { head: "In the file", cell: ({ header }) => header },
          {
            head: "Becomes",
            cell: (column) => (
              <select
                aria-label={`What ${column.header} becomes`}
                disabled={isDisabled}
                value={chosen[column.header] ?? choiceOf(column.guess)}
                onChange={(event) => onChoose(column.header, event.currentTarget.value)}
              >
                <option value="">left out</option>
                {choicesFor(column).map((choice) => (
                  <option key={choice} value={choice}>
                    {words(choice)}
                  </option>
                ))}
              </select>
            ),
          },
          {
            head: "Such as",
            cell: ({ samples }) => <span class="dim">{samples.join(" · ")}</span>,
          },
        ]}
      />
    </Section>
  );
}

function words(choice: Choice): string {
  const own = ownName(choice);
  if (own !== null) return `a field of its own: ${own}`;
  return choice === "tags" ? "Tags" : (LABELS[choice as keyof typeof LABELS] ?? choice);
}
