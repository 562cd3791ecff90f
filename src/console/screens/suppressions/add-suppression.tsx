import { serverNow } from "../../api/clock.ts";
import { useWrite } from "../../api/use.ts";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { toast } from "../../parts/toast.tsx";

const DAY_MS = 86_400_000;

/** A whole day, so that the same form sent again is the same request. */
const endOfDayIn = (days: number): string =>
  new Date((Math.floor(serverNow() / DAY_MS) + days + 1) * DAY_MS).toISOString();

export function AddSuppression({ onClose }: { onClose(): void }) {
  const create = useWrite("createSuppression");
  const form = useForm("new suppression", { value: "", days: "" });
  return (
    <Form
      form={form}
      submit="Suppress"
      onCancel={onClose}
      onSend={async ({ value, days }) => {
        const until = days === "" ? {} : { expires_at: endOfDayIn(Number(days)) };
        const made = await create({ body: { value, ...until } });
        form.discard();
        onClose();
        toast(`${made.value} gets no mail any more.`);
      }}
    >
      <TextField
        form={form}
        name="value"
        label="Address or domain"
        hint="Of a domain nobody gets mail: example.com."
        autocomplete="off"
        spellcheck={false}
      />
      <SelectField
        form={form}
        name="days"
        at="expires_at"
        label="For how long"
        options={[
          ["", "for good"],
          ["30", "30 days"],
          ["90", "90 days"],
          ["365", "a year"],
        ]}
      />
    </Form>
  );
}
