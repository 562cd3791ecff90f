import type { PlaygroundDraft } from "../../api/schema.ts";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";

/** In one's own words. What is not touched goes out byte for byte as it was written. */
export function EditDraft(props: {
  of: PlaygroundDraft;
  onSend(changes: { subject?: string; body?: string }): Promise<void>;
  onCancel(): void;
}) {
  const { of, onSend, onCancel } = props;
  const form = useForm(`draft ${of.generation_id}`, {
    subject: of.subject ?? "",
    body: of.body ?? "",
  });
  return (
    <Form
      form={form}
      submit="Approve as edited"
      onCancel={onCancel}
      onSend={async () => {
        await onSend(form.changes());
        form.discard();
      }}
    >
      {of.subject !== "" && (
        <TextField form={form} name="subject" label="Subject" maxLength={998} />
      )}
      <TextField
        form={form}
        name="body"
        label="Text"
        rows={14}
        maxLength={50_000}
        hint="Goes out to the letter; braces are not filled in any more. HTML if it has a tag."
      />
    </Form>
  );
}
