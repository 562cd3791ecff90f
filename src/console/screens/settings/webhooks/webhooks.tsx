import { useSignal } from "@preact/signals";
import { usePages } from "../../../api/pages.ts";
import type { WebhookCreated } from "../../../api/schema.ts";
import { useKeys } from "../../../keys.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Part } from "../../../parts/load.tsx";
import { Empty, Section } from "../../../parts/page.tsx";
import { Status } from "../../../parts/status.tsx";
import { More, Table } from "../../../parts/table.tsx";
import { Time } from "../../../parts/time.tsx";
import { webhookState } from "../../../pure/webhook-words.ts";
import { href } from "../../../router.ts";
import { SettingsPage } from "../frame.tsx";
import { SecretDialog } from "./secret.tsx";
import { TypesOf } from "./types-of.tsx";
import { NewWebhook } from "./webhook-form.tsx";

export function WebhooksScreen() {
  const webhooks = usePages("listWebhooks");
  const isMaking = useSignal(false);
  const made = useSignal<WebhookCreated | null>(null);
  const begin = () => (isMaking.value = true);
  useKeys([{ key: "n", label: "New webhook", run: begin }]);
  const rows = webhooks.data ?? [];
  return (
    <SettingsPage
      path="/settings/webhooks"
      actions={
        rows.length > 0 && (
          <button type="button" class="btn main" onClick={begin}>
            New webhook <kbd>N</kbd>
          </button>
        )
      }
    >
      <Part of={webhooks} lines={5}>
        {() =>
          rows.length === 0 ? (
            <Section>
              <Empty
                title="There is no webhook yet."
                action={
                  <button type="button" class="btn main" onClick={begin}>
                    Make the first
                  </button>
                }
              >
                What happens here is posted to an address of yours within seconds, signed, and again
                until it is taken.
              </Empty>
            </Section>
          ) : (
            <Section flush>
              <Table
                caption="Webhooks"
                rows={rows}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => href(`/settings/webhooks/${id}`)}
                columns={[
                  { head: "Address", cell: ({ url }) => url },
                  {
                    head: "What for",
                    cell: ({ description }) => description ?? "",
                  },
                  {
                    head: "State",
                    cell: (hook) => {
                      const { tone, word, sentence } = webhookState(hook);
                      return (
                        <Status tone={tone} title={sentence}>
                          {word}
                        </Status>
                      );
                    },
                  },
                  { head: "Events", cell: ({ types }) => <TypesOf types={types} /> },
                  {
                    head: "Last taken",
                    cell: ({ last_success_at: at }) =>
                      at === null ? (
                        <span class="dim">nothing yet</span>
                      ) : (
                        <Time at={at} as="ago" />
                      ),
                  },
                ]}
              />
              <More of={webhooks} />
            </Section>
          )
        }
      </Part>
      {isMaking.value && (
        <Dialog title="New webhook" onClose={() => (isMaking.value = false)}>
          <NewWebhook
            onCancel={() => (isMaking.value = false)}
            onMade={(hook) => {
              isMaking.value = false;
              made.value = hook;
            }}
          />
        </Dialog>
      )}
      {made.value !== null && (
        <SecretDialog
          title="The webhook is made"
          secret={made.value.secret}
          onClose={() => (made.value = null)}
          next={{ label: "Send it a test", path: `/settings/webhooks/${made.value.id}` }}
        />
      )}
    </SettingsPage>
  );
}
