import type { ComponentChildren } from "preact";
import { CheckField, ChoicesField, SelectField, TextField } from "../../parts/fields.tsx";
import type { FormState } from "../../parts/form.tsx";
import { canChange } from "../../pure/campaign-rules.ts";
import type { SettingsForm } from "../../pure/settings-form.ts";
import { SenderFields } from "./sender-fields.tsx";
import type { Campaign } from "./use-campaign.ts";
import { ZoneField } from "./zone-field.tsx";

const DAYS: [string, string][] = [
  ["mon", "Monday"],
  ["tue", "Tuesday"],
  ["wed", "Wednesday"],
  ["thu", "Thursday"],
  ["fri", "Friday"],
  ["sat", "Saturday"],
  ["sun", "Sunday"],
];
const POLICIES: [string, string][] = [
  ["launch_default", "start all the same"],
  ["hold", "wait until they are reviewed"],
  ["cancel", "do not start"],
];

/** Fields that change together: shut, with a word why, where the campaign's state shuts them. */
function Group(props: {
  title: string;
  /** One of its fields, which stands for all. */
  field: string;
  campaign: Campaign;
  children: ComponentChildren;
}) {
  const { title, field, campaign, children } = props;
  const isOpen = canChange(field, campaign.status);
  return (
    <fieldset class="group" disabled={!isOpen}>
      <legend>{title}</legend>
      {!isOpen && (
        <p class="hint">
          This cannot change while the campaign is {campaign.status}
          {canChange(field, "paused") ? "; pause it first." : "."}
        </p>
      )}
      {children}
    </fieldset>
  );
}

export function SettingsFields(props: { form: FormState<SettingsForm>; campaign: Campaign }) {
  const { form, campaign } = props;
  const of = { campaign };
  return (
    <>
      <Group title="What it is" field="name" {...of}>
        <TextField form={form} name="name" label="Name" maxLength={255} required />
        <TextField form={form} name="description" label="Description" rows={2} maxLength={1000} />
      </Group>
      <Group title="When it may send" field="daily_limit" {...of}>
        <div class="fields">
          <TextField form={form} name="sending_window_start" label="From" type="time" required />
          <TextField form={form} name="sending_window_end" label="Until" type="time" required />
        </div>
        <p class="hint">The same time twice is the whole day.</p>
        <div class="inline">
          <ChoicesField form={form} name="send_days" label="On these days" options={DAYS} />
        </div>
        <CheckField
          form={form}
          name="use_lead_timezone"
          label="On the clocks of each lead"
          hint="Window and days are read in the lead's own zone, where that is known."
        />
      </Group>
      <Group title="How many" field="daily_limit" {...of}>
        <div class="fields">
          <TextField form={form} name="daily_limit" label="Messages a day" inputmode="numeric" />
          <TextField
            form={form}
            name="max_new_leads_per_day"
            label="New leads a day"
            inputmode="numeric"
            placeholder="no limit"
          />
          <TextField
            form={form}
            name="min_interval_seconds"
            label="Seconds between two of a sender"
            inputmode="numeric"
          />
        </div>
        <SelectField
          form={form}
          name="unreviewed_launch_policy"
          label="If AI drafts were never reviewed when it is to start"
          options={POLICIES}
        />
      </Group>
      <Group title="Senders" field="alias_ids" {...of}>
        <SenderFields form={form} />
        <ZoneField form={form} />
        <TextField
          form={form}
          name="system_prompt"
          label="Instructions for texts that a model writes"
          rows={5}
          hint="At least 100 characters, or nothing."
        />
      </Group>
      {(canChange("start_date", campaign.status) || campaign.launch_type === "scheduled") && (
        <Group title="When it starts" field="start_date" {...of}>
          {canChange("launch_type", campaign.status) && (
            <SelectField
              form={form}
              name="launch_type"
              label="A launch starts it"
              options={[
                ["immediate", "at once"],
                ["scheduled", "at a date"],
              ]}
            />
          )}
          {form.values.value.launch_type === "scheduled" && (
            <TextField
              form={form}
              name="start_date"
              label="Start"
              type="datetime-local"
              hint={`On the clocks of ${form.values.value.timezone}.`}
            />
          )}
        </Group>
      )}
      <Group title="What ends it for a lead" field="stop_on_reply" {...of}>
        <CheckField form={form} name="stop_on_reply" label="A reply" />
        <CheckField form={form} name="stop_on_auto_reply" label="An automatic answer" />
        <CheckField
          form={form}
          name="stop_on_company_reply"
          label="A reply of somebody else at the same company"
        />
      </Group>
    </>
  );
}
