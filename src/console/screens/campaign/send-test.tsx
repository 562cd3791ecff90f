import { useSignal } from "@preact/signals";
import { Problem } from "../../api/problem.ts";
import { useWrite } from "../../api/use.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { toast } from "../../parts/toast.tsx";
import { me } from "../../session.ts";
import type { Campaign } from "./use-campaign.ts";

/** One mail of the step to oneself, written for the lead that is shown. */
export function SendTest(props: {
  campaign: Campaign;
  index: number;
  leadId: string;
  isChanged: boolean;
}) {
  const { campaign, index, leadId, isChanged } = props;
  const isOpen = useSignal(false);
  const send = useWrite("sendCampaignStepTest");
  const form = useForm("step-test", { to_email: me.value?.email ?? "" });
  if (campaign.steps_config[index]?.channel !== "email") return null;
  return (
    <p class="row">
      <button type="button" class="btn" disabled={isChanged} onClick={() => (isOpen.value = true)}>
        Send a test
      </button>
      {isChanged && <span class="hint">Save the steps first: a test is of what is stored.</span>}
      {isOpen.value && (
        <Dialog title={`Send step ${index + 1} as a test`} onClose={() => (isOpen.value = false)}>
          <Form
            form={form}
            submit="Send it"
            onCancel={() => (isOpen.value = false)}
            onSend={async ({ to_email }) => {
              const answer = await send({
                params: { campaign_id: campaign.campaign_id, step: index + 1 },
                body: { to_email, lead_id: leadId || null },
              });
              if (!answer.success)
                throw new Problem(
                  0,
                  "NOT_ACCEPTED",
                  `The mail server refused it: ${answer.message}`,
                );
              isOpen.value = false;
              toast(`The test is on its way to ${answer.to_email}.`);
            }}
          >
            <TextField
              form={form}
              name="to_email"
              label="To"
              type="email"
              hint="It counts in no limit and no report."
            />
          </Form>
        </Dialog>
      )}
    </p>
  );
}
