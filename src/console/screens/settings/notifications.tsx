import type { NotificationPreferences } from "../../api/schema.ts";
import { useQuery, useWrite } from "../../api/use.ts";
import { CheckField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { Part } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";
import { me } from "../../session.ts";
import { SettingsPage } from "./frame.tsx";

export function NotificationsScreen() {
  const preferences = useQuery("getNotificationPreferences");
  return (
    <SettingsPage path="/settings/notifications">
      <Part of={preferences} lines={8}>
        {(found) => (
          <Section>
            <Preferences of={found} />
          </Section>
        )}
      </Part>
    </SettingsPage>
  );
}

function Preferences({ of }: { of: NotificationPreferences }) {
  const replace = useWrite("replaceNotificationPreferences");
  const form = useForm("notifications", {
    ...of,
    personal_email: of.personal_email ?? "",
    whatsapp_number: of.whatsapp_number ?? "",
  });
  const login = me.value?.email;
  return (
    <Form
      form={form}
      submit="Save"
      isRecord
      onSend={async (wish) => {
        await replace({
          body: {
            ...wish,
            personal_email: wish.personal_email.trim() || null,
            whatsapp_number: wish.whatsapp_number.trim() || null,
          },
        });
        toast("Your notifications are saved.");
      }}
    >
      <fieldset class="choices">
        <legend>Tell me of</legend>
        <CheckField form={form} name="notify_on_reply" label="Replies" />
        <CheckField form={form} name="notify_on_bounce" label="Mail that came back" />
        <CheckField form={form} name="notify_on_complaint" label="Complaints" />
        <p class="hint">
          Launches that were held, campaigns that were paused for you and accounts that were
          disconnected are told by email whatever is set here.
        </p>
      </fieldset>
      <fieldset class="choices">
        <legend>By email</legend>
        <CheckField form={form} name="email_enabled" label="Send me email" />
        <TextField
          form={form}
          name="personal_email"
          label="Address"
          type="email"
          autocomplete="email"
          hint={login == null ? "Empty: that of the login." : `Empty: that of the login, ${login}.`}
        />
      </fieldset>
      <fieldset class="choices">
        <legend>By WhatsApp</legend>
        <CheckField form={form} name="whatsapp_enabled" label="Send me WhatsApp messages" />
        <TextField
          form={form}
          name="whatsapp_number"
          label="Number"
          type="tel"
          autocomplete="tel"
          hint="With a plus sign and the country code, such as +491701234567."
        />
      </fieldset>
    </Form>
  );
}
