import { call } from "../../api/call.ts";
import type { Dataset, DatasetVerification } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Status } from "../../parts/status.tsx";
import { toast } from "../../parts/toast.tsx";
import { count, num, percent } from "../../pure/words.ts";
import { me } from "../../session.ts";

const isOpen = (of: DatasetVerification | undefined) =>
  of?.status === "pending" || of?.status === "running";

/** Which addresses of a dataset are there: the last look, or the one under way, and what another costs. */
export function Verification({ dataset }: { dataset: Dataset }) {
  const of = { params: { dataset_id: dataset.id } };
  const known = useQuery(
    "getDatasetVerification",
    { ...of, query: { limit: 1 } },
    { every: (data) => (isOpen(data) ? 3 : null) },
  );
  const verify = useAction("verifyDataset");
  const cancel = useAction("cancelDatasetVerification");
  const isNever = known.problem?.status === 404;
  const data = isNever ? undefined : known.data;
  if (data === undefined && !isNever && known.problem === undefined) return null;

  async function ask(): Promise<void> {
    const packs = await call("listCreditPacks").catch(() => null);
    const each = packs?.items[0]?.credit_costs["dataset_row_verification"] ?? 1;
    const isSure = await confirm({
      title: "Verify every address?",
      body: "Mail servers are asked whether the addresses are there; nobody gets a mail. What is known is free, and what stays unknown is given back.",
      facts: [
        ["People", num(dataset.row_count)],
        ["Costs at most", count(dataset.row_count * each, "credit")],
        ["You have", count(me.peek()?.workspace.credits ?? 0, "credit")],
      ],
      confirm: `Verify for at most ${count(dataset.row_count * each, "credit")}`,
    });
    if (isSure && (await verify.run(of))) toast("The verification is under way.");
  }
  async function askToCancel(): Promise<void> {
    const isSure = await confirm({
      title: "End the verification?",
      body: "What is found out stays. What is not begun is given back.",
      confirm: "End it",
    });
    if (isSure) await cancel.run(of);
  }
  return (
    <Section
      title={titleOf(data)}
      note={data && noteOf(data)}
      actions={
        isOpen(data) ? (
          <button type="button" class="btn" onClick={() => void askToCancel()}>
            End it
          </button>
        ) : (
          <button type="button" class="btn" disabled={verify.isRunning} onClick={() => void ask()}>
            {data === undefined ? "Verify the addresses" : "Verify again"}
          </button>
        )
      }
    >
      {[verify, cancel].map(
        ({ problem }, index) => problem && <ProblemNote key={index} problem={problem} />,
      )}
      {known.problem !== undefined && !isNever && (
        <ProblemNote problem={known.problem} retry={known.reload} />
      )}
      {data !== undefined && data.processed > 0 && (
        <p class="row">
          <Status tone="good">{num(data.summary.safe)} safe</Status>
          <Status tone="warn">{num(data.summary.risky)} risky</Status>
          <Status tone="bad">{num(data.summary.invalid)} do not exist</Status>
          <Status tone="quiet">{num(data.summary.unknown)} not known</Status>
        </p>
      )}
      {isOpen(data) && data !== undefined && (
        <progress aria-label="Addresses verified" value={data.processed} max={data.total} />
      )}
    </Section>
  );
}

function titleOf(data: DatasetVerification | undefined): string {
  if (data === undefined) return "The addresses are not verified";
  if (isOpen(data)) return `${num(data.processed)} of ${num(data.total)} addresses verified`;
  return data.status === "cancelled" ? "The verification was ended" : "The addresses are verified";
}

const noteOf = ({ total, processed, credits_consumed: credits }: DatasetVerification) =>
  `${count(credits, "credit")}${total > 0 && processed < total ? `, ${percent(processed / total)} done` : ""}`;
