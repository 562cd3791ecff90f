import { Problem } from "../../api/problem.ts";
import { useWrite } from "../../api/use.ts";
import { Form, useForm } from "../../parts/form.tsx";
import { Skeleton } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";
import { settingsChange, settingsFaults, settingsForm } from "../../pure/settings-form.ts";
import type { ScreenProps } from "../../routes.ts";
import { CampaignFrame } from "./frame.tsx";
import { SettingsFields } from "./settings-fields.tsx";
import { useSenders } from "./sender-fields.tsx";
import { type Campaign, useCampaign } from "./use-campaign.ts";

export function CampaignSettingsScreen({ params }: ScreenProps) {
  const id = params["id"]!;
  const of = useCampaign(id);

  return (
    <CampaignFrame id={id} page="/settings" of={of}>
      {(campaign) => <Editor campaign={campaign} etag={of.etag ?? null} />}
    </CampaignFrame>
  );
}

function Editor({ campaign, etag }: { campaign: Campaign; etag: string | null }) {
  const id = campaign.campaign_id;
  const form = useForm(`campaign-settings ${id}`, settingsForm(campaign), { etag });
  const change = useWrite("changeCampaign");
  const senders = useSenders();
  if (!senders.isRead) return <Skeleton lines={10} />;
  return (
    <Section>
      <Form
        form={form}
        submit="Save"
        isRecord
        onSend={async (values) => {
          const faults = Object.entries(settingsFaults(values));
          if (faults.length > 0)
            throw new Problem(422, "TYPED", "Some fields are not filled in yet.", {
              faults: faults.map(([at, message]) => ({ at, message })),
            });
          const body = settingsChange(campaign, values);
          if (Object.keys(body).length > 0)
            await change({ params: { campaign_id: id }, body }, { ifMatch: form.etag });
          toast("The settings are saved.");
        }}
      >
        <SettingsFields form={form} campaign={campaign} />
      </Form>
    </Section>
  );
}
