import type { Confirmation } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Empty, Facts, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { previewFacts } from "../../pure/preview-facts.ts";
import { SettingsPage } from "./frame.tsx";

/** What agents want to send, and wait for a person to say yes to. */
export function ConfirmationsScreen() {
  // As many as may wait at all.
  const waiting = useQuery("listConfirmations", { query: { limit: 100 } }, { every: 15 });
  return (
    <SettingsPage path="/settings/confirmations">
      <Part of={waiting} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <Section>
              <Empty title="No agent waits for you.">
                An agent whose key needs a person's confirmation sends nothing by itself: what it
                wants to send stands here until you approve or decline it.
              </Empty>
            </Section>
          ) : (
            <>
              {items.map((row) => (
                <Waiting key={row.id} row={row} />
              ))}
            </>
          )
        }
      </Part>
    </SettingsPage>
  );
}

function Waiting({ row }: { row: Confirmation }) {
  const approve = useAction("approveConfirmation");
  const decline = useAction("declineConfirmation");
  const isRunning = approve.isRunning || decline.isRunning;
  const problem = approve.problem ?? decline.problem;
  const input = { params: { confirmation_id: row.id } };
  return (
    <Section
      title={row.title}
      note={
        <>
          asked <Time at={row.created_at} as="ago" />, until <Time at={row.expires_at} />
        </>
      }
    >
      {problem !== undefined && <ProblemNote problem={problem} />}
      <Facts of={previewFacts(row.preview)} />
      <p class="actions">
        <button
          type="button"
          class="btn main"
          disabled={isRunning}
          onClick={async () => {
            if (await approve.run(input)) toast("Approved: the agent may send it now, once.");
          }}
        >
          Approve<span class="sr">: {row.title}</span>
        </button>
        <button
          type="button"
          class="btn"
          disabled={isRunning}
          onClick={async () => {
            if (await decline.run(input)) toast("Declined: nothing is sent.");
          }}
        >
          Decline<span class="sr">: {row.title}</span>
        </button>
      </p>
    </Section>
  );
}
