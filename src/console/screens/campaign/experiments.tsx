import type { StepExperiment } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Part } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { pollSeconds } from "../../pure/campaign-rules.ts";
import { changeWords, stateWords } from "../../pure/experiment-words.ts";
import { num, percent } from "../../pure/words.ts";
import { href } from "../../router.ts";
import type { Campaign } from "./use-campaign.ts";

/** So many changes are in sight; all of them are in the API's answer. */
const CHANGES = 5;

/** What the variants of each step that is tried out have brought; nothing where no step has two. */
export function Experiments({ campaign }: { campaign: Campaign }) {
  const { campaign_id: id, steps_config: steps, status } = campaign;
  if (steps.every(({ variants }) => variants.length < 2)) return null;
  const isTried = steps.some(({ experiment }) => experiment !== undefined);
  return (
    <Section title="Experiments" note="what a message brought is judged once, days after it went">
      {isTried ? (
        <Tried id={id} status={status} />
      ) : (
        <p class="dim">
          The variants keep the weights that they were given. With{" "}
          <a href={href(`/campaigns/${id}/steps`)}>Weights follow what comes back</a> a step sends
          more of what is answered.
        </p>
      )}
    </Section>
  );
}

function Tried({ id, status }: { id: string; status: Campaign["status"] }) {
  const of = useQuery(
    "getCampaignExperiments",
    { params: { campaign_id: id } },
    { every: () => pollSeconds(status) },
  );
  return (
    <Part of={of} lines={4}>
      {({ steps }) => (
        <div class="stack">
          {steps.map((step) => (
            <Step key={step.step} id={id} of={step} />
          ))}
        </div>
      )}
    </Part>
  );
}

function Step({ id, of }: { id: string; of: StepExperiment }) {
  const freeze = useAction("freezeCampaignExperiment");
  const reset = useAction("resetCampaignExperiment");
  const params = { campaign_id: id, step: of.step };
  const problem = freeze.problem ?? reset.problem;
  async function ask(): Promise<void> {
    const isSure = await confirm({
      title: `Begin the experiment of step ${of.step} anew?`,
      body: "What was sent until now counts no more, and the weights are as they were given.",
      confirm: "Begin anew",
      isDangerous: true,
    });
    if (isSure) await reset.run({ params });
  }
  return (
    <div role="group" aria-label={`Experiment of step ${of.step}`}>
      <div class="step-head">
        <h3>Step {of.step}</h3>
        <span class="dim">{stateWords(of)}</span>
        <div class="actions">
          {of.frozen_at === null && (
            <button
              type="button"
              class="btn"
              disabled={freeze.isRunning}
              onClick={() => void freeze.run({ params })}
            >
              Freeze<span class="sr"> the weights of step {of.step}</span>
            </button>
          )}
          <button type="button" class="btn" disabled={reset.isRunning} onClick={() => void ask()}>
            Begin anew<span class="sr"> with step {of.step}</span>
          </button>
        </div>
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <Table
        caption={`Variants of step ${of.step}`}
        rows={of.variants}
        keyOf={({ label }) => label}
        columns={columnsOf(of)}
      />
      {of.history.slice(0, CHANGES).map((change) => (
        <p key={change.version} class="dim">
          {changeWords(change)}
        </p>
      ))}
    </div>
  );
}

const columnsOf = ({
  metric,
  winner_label: winner,
}: StepExperiment): Column<StepExperiment["variants"][number]>[] => [
  {
    head: "Variant",
    cell: ({ label, vetoed }) => (
      <>
        {label}
        {label === winner && <small>the winner</small>}
        {vetoed && <small>left out: more people opt out of it</small>}
      </>
    ),
  },
  { head: "Weight", isNumber: true, cell: ({ weight }) => percent(weight) },
  { head: "Judged", isNumber: true, cell: ({ matured }) => num(matured) },
  {
    head: metric === "click" ? "Clicked" : "Replied",
    isNumber: true,
    cell: ({ successes }) => num(successes),
  },
  { head: "Opted out", isNumber: true, cell: ({ opt_outs: harmed }) => num(harmed) },
  {
    head: "Best, likely",
    isNumber: true,
    cell: ({ probability_best: best }) => percent(best),
  },
];
