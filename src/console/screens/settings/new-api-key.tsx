import { serverNow } from "../../api/clock.ts";
import type { ApiKeyCreated, ApiKeyScopes } from "../../api/schema.ts";
import { SCOPES } from "../../api/scopes.ts";
import { useWrite } from "../../api/use.ts";
import { ChoicesField, SelectField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";

const DAY_MS = 86_400_000;

/** A whole day, so that the same form sent again is the same request. */
const endOfDayIn = (days: number): string =>
  new Date((Math.floor(serverNow() / DAY_MS) + days + 1) * DAY_MS).toISOString();

export function NewApiKey(props: { onMade(key: ApiKeyCreated): void; onCancel(): void }) {
  const create = useWrite("createApiKey");
  const form = useForm("api-key", {
    name: "",
    expires_at: "90",
    may: "everything",
    scopes: [] as string[],
    confirm: "human",
  });
  const isSome = form.values.value.may === "some";
  return (
    <Form
      form={form}
      submit="Make the key"
      onCancel={props.onCancel}
      onSend={async ({ name, expires_at: days, may, scopes, confirm }) => {
        const key = await create({
          body: {
            name,
            confirm: confirm === "token" ? "token" : "human",
            ...(days === "" ? {} : { expires_at: endOfDayIn(Number(days)) }),
            ...(may === "some" ? { scopes: scopes as ApiKeyScopes[] } : {}),
          },
        });
        form.discard();
        props.onMade(key);
      }}
    >
      <TextField form={form} name="name" label="Name" hint="What will use it." maxLength={100} />
      <SelectField
        form={form}
        name="expires_at"
        label="Expires"
        options={[
          ["30", "in 30 days"],
          ["90", "in 90 days"],
          ["365", "in a year"],
          ["", "never"],
        ]}
      />
      <SelectField
        form={form}
        name="may"
        label="May do"
        options={[
          ["everything", "everything that the API can"],
          ["some", "only what I choose"],
        ]}
      />
      <SelectField
        form={form}
        name="confirm"
        label="What an agent sends with it"
        options={[
          ["human", "is confirmed by a person, here"],
          ["token", "is confirmed by the agent's own second call"],
        ]}
      />
      {isSome && (
        <ChoicesField
          form={form}
          name="scopes"
          label="What it may do"
          hint="This cannot be changed later: make another key instead."
          options={Object.entries(SCOPES).map(([scope, opens]) => [
            scope,
            <>
              <code>{scope}</code> <span class="dim">{opens}</span>
            </>,
          ])}
        />
      )}
    </Form>
  );
}
