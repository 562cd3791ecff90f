import { useSignal } from "@preact/signals";
import type { Webhook } from "../../../api/schema.ts";
import { useQuery } from "../../../api/use.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Part } from "../../../parts/load.tsx";
import { Facts, Page, Section } from "../../../parts/page.tsx";
import { Status } from "../../../parts/status.tsx";
import { Time } from "../../../parts/time.tsx";
import { webhookState } from "../../../pure/webhook-words.ts";
import { href } from "../../../router.ts";
import type { ScreenProps } from "../../../routes.ts";
import { Deliveries } from "./deliveries.tsx";
import { TypesOf } from "./types-of.tsx";
import { EditWebhook } from "./webhook-form.tsx";
import { WebhookVerbs } from "./verbs.tsx";

/** Also while its test and its deliveries come about. */
const EVERY = 15;

export function WebhookScreen({ params, query }: ScreenProps) {
  const id = params["id"]!;
  const hook = useQuery("getWebhook", { params: { webhook_id: id } }, { every: EVERY });
  const isEditing = useSignal(false);
  return (
    <Page
      title={hook.data?.description || "Webhook"}
      crumbs={[{ label: "Webhooks", href: href("/settings/webhooks") }]}
      meta={hook.data && <StateOf hook={hook.data} />}
    >
      <Part of={hook} lines={5}>
        {(now) => (
          <div class="stack">
            <WebhookVerbs hook={now} onEdit={() => (isEditing.value = true)} />
            <Section title="Where it sends">
              <p class={webhookState(now).tone === "bad" ? "note bad" : "sentence"}>
                {webhookState(now).sentence}
              </p>
              <Facts
                of={[
                  ["Address", <code key="url">{now.url}</code>],
                  ["Events", <TypesOf key="types" types={now.types} />],
                  [
                    "Last taken",
                    now.last_success_at === null ? (
                      "nothing yet"
                    ) : (
                      <Time key="last" at={now.last_success_at} as="exact" />
                    ),
                  ],
                  ...(now.failing_since === null
                    ? []
                    : [
                        ["Failing since", <Time key="failing" at={now.failing_since} />] as [
                          string,
                          preact.ComponentChildren,
                        ],
                      ]),
                  ["Made", <Time key="made" at={now.created_at} />],
                ]}
              />
            </Section>
            <Deliveries webhookId={id} state={query.get("state")} />
          </div>
        )}
      </Part>
      {isEditing.value && hook.data !== undefined && (
        <Dialog title="Change the webhook" onClose={() => (isEditing.value = false)}>
          <EditWebhook
            hook={hook.data}
            onCancel={() => (isEditing.value = false)}
            onDone={() => (isEditing.value = false)}
          />
        </Dialog>
      )}
    </Page>
  );
}

function StateOf({ hook }: { hook: Webhook }) {
  const { tone, word } = webhookState(hook);
  return <Status tone={tone}>{word}</Status>;
}
