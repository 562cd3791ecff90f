import { useSignal } from "@preact/signals";
import { asProblem, Problem } from "../../api/problem.ts";
import type { CampaignChange } from "../../api/schema.ts";
import { useWrite } from "../../api/use.ts";
import { Form, useForm, type FormState } from "../../parts/form.tsx";
import { toast } from "../../parts/toast.tsx";
import { FREEDOM_WORDS, freedomOf } from "../../pure/campaign-rules.ts";
import { placedFault, typedFaults } from "../../pure/step-faults.ts";
import { bodyOf, formOf, moved, newStep, type StepForm, typeOf } from "../../pure/step-form.ts";
import type { ScreenProps } from "../../routes.ts";
import { CampaignFrame } from "./frame.tsx";
import { LiveRender } from "./live-render.tsx";
import { StepCard } from "./step-card.tsx";
import { type Campaign, useCampaign } from "./use-campaign.ts";

/** The API takes so many. */
const MOST_STEPS = 10;

export function CampaignStepsScreen({ params, query }: ScreenProps) {
  const id = params["id"]!;
  const of = useCampaign(id);

  const first = Math.max(0, Number(query.get("step") ?? 1) - 1) || 0;
  return (
    <CampaignFrame id={id} page="/steps" of={of}>
      {(campaign) => <Editor campaign={campaign} etag={of.etag ?? null} first={first} />}
    </CampaignFrame>
  );
}

interface Values {
  steps: StepForm[];
}

function Editor(props: { campaign: Campaign; etag: string | null; first: number }) {
  const { campaign, etag, first } = props;
  const id = campaign.campaign_id;
  const form = useForm<Values>(
    `campaign-steps ${id}`,
    { steps: formOf(campaign.steps_config) },
    { etag },
  );
  const change = useWrite("changeCampaign");
  const current = useSignal(first);
  const { steps } = form.values.value;
  const sent = new Set(
    (campaign.stats?.rows ?? []).filter((row) => row.sent > 0).map((row) => Number(row.key)),
  );
  const set = (next: StepForm[]) => form.set("steps", next);
  const freedom = (index: number) => freedomOf(campaign.status, index + 1, sent);
  const canAdd = freedom(steps.length) !== "shut" && steps.length < MOST_STEPS;
  const add = (channel: StepForm["channel"]) => {
    set([...steps, newStep(steps, channel)]);
    current.value = steps.length;
  };
  const hasAccount = campaign.connected_account_id !== null;
  return (
    <div class="editor">
      <Form
        form={form}
        submit="Save the steps"
        isRecord
        onSend={async (values) => {
          await save(campaign, values, (body) =>
            change({ params: { campaign_id: id }, body }, { ifMatch: form.etag }),
          );
          toast("The steps are saved.");
        }}
      >
        {steps.map((step, index) => (
          <StepCard
            key={step.key}
            index={index}
            step={step}
            isOnly={steps.length === 1}
            isCurrent={index === Math.min(current.value, steps.length - 1)}
            note={FREEDOM_WORDS[freedom(index)]}
            freedom={freedom(index)}
            faultOf={(at) => faultAt(form, at)}
            onFocus={() => (current.value = index)}
            onChange={(next) => set(steps.with(index, next))}
            onMove={(by) => {
              set(moved(steps, index, index + by));
              current.value = index + by;
            }}
            onRemove={() => set(steps.toSpliced(index, 1))}
          />
        ))}
        <div class="row">
          <button type="button" class="btn" disabled={!canAdd} onClick={() => add("email")}>
            Add an email
          </button>
          <button
            type="button"
            class="btn"
            disabled={!canAdd || !hasAccount}
            onClick={() => add("socialnet")}
          >
            Add a step on the network
          </button>
          {!hasAccount && (
            <span class="hint">Steps on the network need an account (Settings).</span>
          )}
        </div>
      </Form>
      <LiveRender
        campaign={campaign}
        steps={steps}
        index={Math.min(current.value, steps.length - 1)}
        isChanged={form.isChanged()}
      />
    </div>
  );
}

const faultAt = (form: FormState<Values>, at: string): string | null =>
  form.problem.value?.faults.find((fault) => fault.at === at)?.message ?? null;

async function save(
  campaign: Campaign,
  { steps }: Values,
  change: (body: CampaignChange) => Promise<unknown>,
): Promise<void> {
  const typed = Object.entries(typedFaults(steps));
  if (typed.length > 0)
    throw new Problem(422, "TYPED", "Some steps are not finished.", {
      faults: typed.map(([at, message]) => ({ at, message })),
    });
  const type = typeOf(steps);
  const isOther = campaign.type !== "mixed" && type !== campaign.type;
  // What a step takes depends on its channel, which the description's types do not tell apart.
  const body = { steps: bodyOf(steps), ...(isOther ? { type } : {}) } as CampaignChange;
  try {
    await change(body);
  } catch (error) {
    const problem = asProblem(error);
    const placed = problem.faults.length === 0 ? placedFault(problem.message) : null;
    if (placed === null) throw problem;
    throw new Problem(problem.status, problem.code, "One step does not fit.", {
      faults: [placed],
      requestId: problem.requestId,
    });
  }
}
