import { serverNow } from "../../api/clock.ts";
import type { ApiKeyCreated, ApiKeyScopes } from "../../api/schema.ts";
import { useWrite } from "../../api/use.ts";
import { ChoicesField, SelectField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";

/** As the API has them (`ApiKeyScopes`), each with what it opens. */
const SCOPES: Record<ApiKeyScopes, string> = {
  "campaigns:read": "See campaigns, their leads and figures, templates and sender profiles",
  "campaigns:write": "Make and change them, hold and stop leads, review drafts; pause and drain",
  "campaigns:send": "Launch and resume campaigns, and send tests of their steps",
  "leads:read": "See datasets, leads and suppressions",
  "leads:write": "Import, change and erase them",
  "mailer:read": "See aliases, domains and single messages",
  "mailer:write": "Connect and change aliases and domains",
  "mailer:send": "Send and cancel single messages, and test aliases",
  "network:read": "See network accounts, chats and posts",
  "network:send": "Connect network accounts, and send messages from them",
  "posts:write": "Write, change and delete posts",
  "conversations:read": "See conversations and messages",
  "conversations:write": "Mark and change conversations",
  "conversations:send": "Answer conversations, by mail and on the network",
  "personalize:run": "Have texts written, and see them",
  "verify:run": "Verify and find addresses, profiles and prospects",
  "billing:read": "See credits and what they were spent on",
  "billing:write": "Buy credits",
  "events:read": "Read what happened, in order",
  "webhooks:read": "See webhooks and their deliveries",
  "webhooks:write": "Make, change and test webhooks",
  "members:read": "See members and invitations",
  "members:write": "Invite people, change their roles and take them out",
  "notifications:write": "See and change who is told of what",
  "sheets:read": "Look whether a sheet can be read",
  "workspace:write": "Change the workspace",
};

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
  });
  const isSome = form.values.value.may === "some";
  return (
    <Form
      form={form}
      submit="Make the key"
      onCancel={props.onCancel}
      onSend={async ({ name, expires_at: days, may, scopes }) => {
        const key = await create({
          body: {
            name,
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
