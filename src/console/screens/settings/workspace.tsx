import type { Workspace } from "../../api/schema.ts";
import { useAction, useQuery, useWrite } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { Part } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { toast } from "../../parts/toast.tsx";
import { SettingsPage } from "./frame.tsx";

export function WorkspaceScreen() {
  const workspace = useQuery("getWorkspace");
  return (
    <SettingsPage path="/settings/workspace">
      <Part of={workspace} lines={6}>
        {(found) => (
          <>
            <Section>
              <Change of={found} etag={workspace.etag ?? null} />
            </Section>
            <Deletion of={found} />
          </>
        )}
      </Part>
    </SettingsPage>
  );
}

function Change({ of, etag }: { of: Workspace; etag: string | null }) {
  const change = useWrite("changeWorkspace");
  const { name, timezone, postal_address: address } = of;
  const form = useForm(
    `workspace ${of.id}`,
    { name, timezone, postal_address: address ?? "" },
    { etag },
  );
  return (
    <Form
      form={form}
      submit="Save"
      isRecord
      onSend={async () => {
        const { postal_address: typed, ...rest } = form.changes();
        await change(
          { body: { ...rest, ...(typed === undefined ? {} : { postal_address: typed || null }) } },
          { ifMatch: form.etag },
        );
        toast("The workspace is saved.");
      }}
    >
      <TextField form={form} name="name" label="Name" maxLength={255} autocomplete="off" />
      <SelectField
        form={form}
        name="timezone"
        label="Time zone"
        hint="Daily limits of aliases and accounts count by dates of this zone. A campaign has one of its own."
        options={zonesWith(timezone)}
      />
      <TextField
        form={form}
        name="postal_address"
        label="Postal address"
        rows={3}
        maxLength={500}
        hint="It stands in the footer of campaign mail, where the law asks for one."
      />
    </Form>
  );
}

function zonesWith(current: string): [string, string][] {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", current]);
  return [...zones].toSorted().map((zone) => [zone, zone.replaceAll("_", " ")]);
}

function Deletion({ of: { name } }: { of: Workspace }) {
  const session = useQuery("getSession");
  const remove = useAction("deleteWorkspace");
  async function ask(): Promise<void> {
    const isSure = await confirm({
      title: "Delete the workspace?",
      body: "Everything stops at once: campaigns, queued mail, posts, imports and runs. All API keys are revoked. After 30 days its data is erased; until then the operator can restore it.",
      confirm: "Delete it",
      isDangerous: true,
      typed: name,
    });
    if (isSure && (await remove.run())) location.reload();
  }
  return (
    <Section title="Delete the workspace">
      <p class="dim">
        Nothing of it begins any more, and its data is erased after 30 days. Links in mail that was
        sent go on working until then.
      </p>
      {remove.problem !== undefined && <ProblemNote problem={remove.problem} />}
      {session.data?.via === "key" ? (
        <p>An API key cannot delete its workspace: sign in with a login.</p>
      ) : (
        <p>
          <button
            type="button"
            class="btn danger"
            disabled={remove.isRunning}
            onClick={() => void ask()}
          >
            Delete the workspace
          </button>
        </p>
      )}
    </Section>
  );
}
