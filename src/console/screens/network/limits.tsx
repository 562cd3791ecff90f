import type { ConnectedAccount } from "../../api/schema.ts";
import { useWrite } from "../../api/use.ts";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { toast } from "../../parts/toast.tsx";

const NAMES = ["daily_connection_limit", "daily_message_limit", "warmup_days"] as const;

export function Limits({ account, onClose }: { account: ConnectedAccount; onClose(): void }) {
  const change = useWrite("changeConnectedAccount");
  const form = useForm(`account ${account.id}`, {
    daily_connection_limit: String(account.daily_connection_limit),
    daily_message_limit: String(account.daily_message_limit),
    warmup_days: String(account.warmup_days),
  });
  return (
    <Form
      form={form}
      submit="Keep these limits"
      onCancel={onClose}
      onSend={async () => {
        const changes = form.changes();
        const body = Object.fromEntries(
          NAMES.filter((name) => changes[name] !== undefined).map((name) => [
            name,
            Number(changes[name]),
          ]),
        );
        if (Object.keys(body).length > 0)
          await change({ params: { account_id: account.id }, body });
        form.discard();
        toast("The limits hold from now on.");
        onClose();
      }}
    >
      <TextField
        form={form}
        name="daily_connection_limit"
        label="Connection requests a day"
        type="number"
        min={0}
        max={100}
        hint="20 is careful. The network itself stops at about 100 a week."
      />
      <TextField
        form={form}
        name="daily_message_limit"
        label="Messages a day"
        type="number"
        min={0}
        max={500}
      />
      <TextField
        form={form}
        name="warmup_days"
        label="Days of warm-up"
        type="number"
        min={0}
        max={90}
        hint="It begins with a fifth of the limits, and has all after so many days."
      />
    </Form>
  );
}
