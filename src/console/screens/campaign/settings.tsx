import { useSignal } from "@preact/signals";
import { Problem } from "../../api/problem.ts";
import { useWrite } from "../../api/use.ts";
import { Form, useForm } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";
import { settingsChange, settingsFaults, settingsForm } from "../../pure/settings-form.ts";
import type { ScreenProps } from "../../routes.ts";
import { CampaignFrame } from "./frame.tsx";
import { SettingsFields } from "./settings-fields.tsx";
import { type Campaign, useCampaign } from "./use-campaign.ts";

export function CampaignSettingsScreen({ params }: ScreenProps) {
  const id = params["id"]!;
  const of = useCampaign(id);
  // After a save the form begins anew, with what is stored now.
  const saves = useSignal(0);
  return (
    <CampaignFrame id={id} page="/settings" of={of}>
      {(campaign) => <Editor key={saves.value} campaign={campaign} onSaved={() => saves.value++} />}
    </CampaignFrame>
  );
}

function Editor({ campaign, onSaved }: { campaign: Campaign; onSaved: () => void }) {
  const id = campaign.campaign_id;
  const form = useForm(`campaign-settings ${id}`, settingsForm(campaign));
  const change = useWrite("changeCampaign");
  return (
    <Section>
      <Form
        form={form}
        submit="Save"
        {...(form.isChanged() ? { onCancel: form.discard } : {})}
        onSend={async (values) => {
          const faults = Object.entries(settingsFaults(values));
          if (faults.length > 0)
            throw new Problem(422, "TYPED", "Some fields are not filled in yet.", {
              faults: faults.map(([at, message]) => ({ at, message })),
            });
          const body = settingsChange(campaign, values);
          if (Object.keys(body).length > 0) await change({ params: { campaign_id: id }, body });
          form.discard();
          toast("The settings are saved.");
          onSaved();
        }}
      >
        <SettingsFields form={form} campaign={campaign} />
      </Form>
    </Section>
  );
}
