import type { EventType, Webhook, WebhookCreated, WebhookTypes } from "../../../api/schema.ts";
import { useWrite } from "../../../api/use.ts";
import { ChoicesField, SelectField, TextField } from "../../../parts/fields.tsx";
import { Form, useForm, type FormState } from "../../../parts/form.tsx";
import { EVENT_KINDS, KINDS, typeWords } from "../../../pure/event-types.ts";
import { EVENT_TYPES } from "../../../pure/event-words.ts";
import { splitTypes } from "../../../pure/webhook-words.ts";

interface Values {
  url: string;
  description: string;
  may: string;
  kinds: string[];
  types: string[];
}

const valuesOf = (hook: Pick<Webhook, "url" | "description" | "types"> | null): Values => ({
  url: hook?.url ?? "",
  description: hook?.description ?? "",
  may: hook === null || hook.types === null ? "usual" : "some",
  ...splitTypes(hook?.types ?? null),
});

const bodyOf = ({ url, description, may, kinds, types }: Values) => ({
  url,
  description: description === "" ? null : description,
  types: may === "usual" ? null : ([...kinds, ...types] as WebhookTypes[]),
});

export function NewWebhook(props: { onMade(hook: WebhookCreated): void; onCancel(): void }) {
  const create = useWrite("createWebhook");
  const form = useForm("webhook", valuesOf(null));
  return (
    <Form
      form={form}
      submit="Make the webhook"
      onCancel={props.onCancel}
      onSend={async (values) => {
        const hook = await create({ body: bodyOf(values) });
        form.discard();
        props.onMade(hook);
      }}
    >
      <Fields form={form} />
    </Form>
  );
}

/** Only what was typed is sent: what another changed meanwhile stays. */
export function EditWebhook(props: { hook: Webhook; onDone(): void; onCancel(): void }) {
  const { hook, onDone, onCancel } = props;
  const change = useWrite("changeWebhook");
  const form = useForm(`webhook ${hook.id}`, valuesOf(hook));
  return (
    <Form
      form={form}
      submit="Keep the changes"
      onCancel={onCancel}
      onSend={async (values) => {
        const { url, description, types } = bodyOf(values);
        const changes = form.changes();
        const isOtherTypes = "may" in changes || "kinds" in changes || "types" in changes;
        await change({
          params: { webhook_id: hook.id },
          body: {
            ...("url" in changes && { url }),
            ...("description" in changes && { description }),
            ...(isOtherTypes && { types }),
          },
        });
        onDone();
      }}
    >
      <Fields form={form} />
    </Form>
  );
}

function Fields({ form }: { form: FormState<Values> }) {
  return (
    <>
      <TextField
        form={form}
        name="url"
        label="Address"
        type="url"
        placeholder="https://hooks.example.com/overture"
        hint="A public https address of yours."
        maxLength={2000}
      />
      <TextField
        form={form}
        name="description"
        label="What it is for"
        hint="For you; it may stay empty."
        maxLength={200}
      />
      <SelectField
        form={form}
        name="may"
        label="Events"
        options={[
          ["usual", "all but opens and clicks"],
          ["some", "only those that I choose"],
        ]}
      />
      {form.values.value.may === "some" && (
        <>
          <ChoicesField
            form={form}
            name="kinds"
            at="types"
            label="All of a kind"
            options={KINDS.map((kind) => [`${kind}.*`, EVENT_KINDS[kind]])}
          />
          <details>
            <summary>Single types</summary>
            <ChoicesField
              form={form}
              name="types"
              label="Types"
              options={EVENT_TYPES.map((type: EventType) => [type, typeWords(type)])}
            />
          </details>
        </>
      )}
    </>
  );
}
