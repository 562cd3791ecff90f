import type { MailDomain } from "../../api/schema.ts";
import { useWrite } from "../../api/use.ts";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";

export function DomainLimit({ of, etag }: { of: MailDomain; etag: string | null }) {
  const write = useWrite("updateMailDomain");
  const initial = { daily_limit: of.daily_limit === null ? "" : String(of.daily_limit) };
  const form = useForm(`domain ${of.id}`, initial, { etag });
  return (
    <Section title="Limit of the whole domain">
      <Form
        form={form}
        submit="Save the limit"
        onSend={async ({ daily_limit: typed }) => {
          const limit = typed.trim() === "" ? null : Number(typed);
          const body = { daily_limit: Number.isNaN(limit) ? (typed as unknown as number) : limit };
          await write({ params: { domain_id: of.id }, body }, { ifMatch: form.etag });
          toast("The limit is saved.");
        }}
      >
        <TextField
          form={form}
          name="daily_limit"
          label="Messages a day, over all its aliases"
          hint="Empty: no limit but those of the aliases."
          inputMode="numeric"
        />
      </Form>
    </Section>
  );
}
