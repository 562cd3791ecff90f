import { useSignal } from "@preact/signals";
import { usePages } from "../../api/pages.ts";
import type { MailAlias, PlacementTest } from "../../api/schema.ts";
import { useQuery, useWrite } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { CheckField, ChoicesField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { State } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { num } from "../../pure/words.ts";
import { go, href } from "../../router.ts";
import { SendersPage } from "./frame.tsx";

/** Where mail lands, seen in mailboxes of the workspace's own. */
export function PlacementScreen() {
  const tests = usePages("listPlacementTests", {});
  const isAsking = useSignal(false);
  const begin = () => (isAsking.value = true);
  useKeys([{ key: "n", label: "Test where mail lands", run: begin }]);
  const button = (
    <button type="button" class="btn main" onClick={begin}>
      Test where mail lands <kbd>N</kbd>
    </button>
  );
  return (
    <SendersPage path="/senders/placement" actions={button}>
      <Part of={tests} lines={4}>
        {(rows) =>
          rows.length === 0 ? (
            <Section>
              <Empty title="Nobody has looked yet where mail lands." action={button}>
                A message goes from your senders to mailboxes of your own, and Overture looks
                whether it lies in the inbox or in spam. It counts in no campaign.
              </Empty>
            </Section>
          ) : (
            <Section flush>
              <Table
                caption="Placement tests, the newest first"
                rows={rows}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => href(`/senders/placement/${id}`)}
                columns={[
                  { head: "Subject", cell: ({ subject }) => subject || "(erased)" },
                  { head: "State", cell: ({ status }) => <State of={status} /> },
                  { head: "Inbox", ...figure("inbox") },
                  { head: "Spam", ...figure("spam") },
                  { head: "Missing", ...figure("missing") },
                  { head: "When", cell: ({ created_at: at }) => <Time at={at} /> },
                ]}
              />
              <More of={tests} />
            </Section>
          )
        }
      </Part>
      {isAsking.value && (
        <Dialog title="Test where mail lands" onClose={() => (isAsking.value = false)}>
          <Begin onClose={() => (isAsking.value = false)} />
        </Dialog>
      )}
    </SendersPage>
  );
}

const figure = (of: keyof PlacementTest["counts"]) => ({
  cell: ({ counts }: PlacementTest) => num(counts[of]),
  isNumber: true,
});

function Begin({ onClose }: { onClose(): void }) {
  const aliases = useQuery("listMailAliases", { query: { limit: 200 } });
  return (
    <Part of={aliases} lines={4}>
      {({ items }) =>
        items.some(({ inbox }) => inbox !== null) ? (
          <BeginForm aliases={items} onClose={onClose} />
        ) : (
          <Empty title="No mailbox of yours can be looked into.">
            Connect the inbox of an alias first: one at Gmail, at Microsoft, wherever your leads
            are.
          </Empty>
        )
      }
    </Part>
  );
}

const named = (aliases: MailAlias[]): [string, string][] =>
  aliases.map(({ id, email }) => [id, email]);

function BeginForm({ aliases, onClose }: { aliases: MailAlias[]; onClose(): void }) {
  const begin = useWrite("beginPlacementTest");
  const seeds = aliases.filter(({ inbox }) => inbox !== null);
  const form = useForm("placement test", {
    alias_ids: [] as string[],
    seed_alias_ids: [] as string[],
    subject: "",
    body: "",
    delete_after: false,
  });
  return (
    <Form
      form={form}
      submit="Send it and look"
      onCancel={onClose}
      onSend={async (body) => {
        const { id } = await begin({ body });
        form.discard();
        onClose();
        go(`/senders/placement/${id}`);
      }}
    >
      <ChoicesField form={form} name="alias_ids" label="From" options={named(aliases)} />
      <ChoicesField
        form={form}
        name="seed_alias_ids"
        label="To"
        hint="Your senders whose inbox is connected."
        options={named(seeds)}
      />
      <TextField form={form} name="subject" label="Subject" maxLength={998} />
      <TextField form={form} name="body" label="Text" rows={6} />
      <CheckField form={form} name="delete_after" label="Delete it from the mailboxes afterwards" />
    </Form>
  );
}
