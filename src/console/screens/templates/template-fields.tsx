import { SelectField, TextField } from "../../parts/fields.tsx";
import type { FormState } from "../../parts/form.tsx";
import type { TemplateValues } from "../../pure/template-form.ts";

export function TemplateFields({ form }: { form: FormState<TemplateValues> }) {
  const isMail = form.values.value.channel === "email";
  return (
    <>
      <TextField form={form} name="name" label="Name" hint="For you alone." maxLength={255} />
      <SelectField
        form={form}
        name="channel"
        label="Goes by"
        options={[
          ["email", "mail"],
          ["socialnet", "message on the network"],
        ]}
      />
      {isMail && (
        <TextField
          form={form}
          name="subject"
          label="Subject"
          hint="Empty: it goes on in the thread of the mail before it."
          autocomplete="off"
        />
      )}
      <TextField
        form={form}
        name="body"
        label="Text"
        rows={14}
        class="writing"
        hint={
          <>
            <code>{"{{ first_name }}"}</code> is the person's,{" "}
            <code>{"{{ company | default: 'your team' }}"}</code> has a way out,{" "}
            <code>{"{Hello|Good day}"}</code> is one of two.
          </>
        }
      />
      {isMail && (
        <SelectField
          form={form}
          name="format"
          label="Sent as"
          options={[
            ["", "HTML if there is a tag in it"],
            ["text", "plain text"],
            ["html", "HTML"],
          ]}
        />
      )}
      <TextField form={form} name="tags" label="Tags" hint="With commas between them." />
    </>
  );
}
