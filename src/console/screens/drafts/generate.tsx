import { Problem } from "../../api/problem.ts";
import { useWrite } from "../../api/use.ts";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { toast } from "../../parts/toast.tsx";
import { count, num } from "../../pure/words.ts";
import { learnMe, me } from "../../session.ts";

/** A batch, with its cost said before. */
export function Generate(props: {
  campaignId: string;
  steps: number[];
  onMade(batchId: string): void;
  onCancel(): void;
}) {
  const { campaignId, steps, onMade, onCancel } = props;
  const generate = useWrite("generatePlaygroundDrafts");
  const form = useForm(`generate ${campaignId}`, {
    step_index: String(steps[0] ?? 1),
    n_leads: "10",
    custom_prompt: "",
  });
  const most = Math.max(0, Math.trunc(Number(form.values.value.n_leads)) || 0);
  const left = me.value?.workspace.credits ?? 0;
  return (
    <Form
      form={form}
      submit={`Generate for ${count(most, "credit")} at most`}
      onCancel={onCancel}
      onSend={async ({ step_index: step, n_leads: leads, custom_prompt: prompt }) => {
        const made = await generate({
          params: { campaign_id: campaignId },
          body: {
            step_index: Number(step),
            n_leads: Number(leads),
            ...(prompt.trim() !== "" && { custom_prompt: prompt }),
          },
        });
        if (made.total === 0)
          throw new Problem(
            200,
            "NOBODY",
            "Nobody is left to write for: all who can still get this step have an approved text. Nothing was charged.",
          );
        form.discard();
        void learnMe();
        toast(`${count(made.total, "draft")} being written.`);
        onMade(made.batch_id);
      }}
    >
      <SelectField
        form={form}
        name="step_index"
        label="Step"
        options={steps.map((step) => [String(step), `Step ${step}`])}
      />
      <TextField
        form={form}
        name="n_leads"
        label="For how many people"
        type="number"
        min={1}
        max={200}
        hint="The first who can still get the step and have no approved text for it."
      />
      <TextField
        form={form}
        name="custom_prompt"
        label="Prompt"
        rows={3}
        maxLength={32_000}
        hint="Empty: the campaign's, else the sender profile's, else the default."
      />
      <p class={most > left ? "note warn" : "note"}>
        A credit for each draft that is written, none for one that is not.{" "}
        <b>{count(left, "credit")}</b> left{most > left && `: ${num(most - left)} too few for all`}.
      </p>
    </Form>
  );
}
