import { useSignal } from "@preact/signals";
import { usePages } from "../../api/pages.ts";
import { useWrite } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { State } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { count, num } from "../../pure/words.ts";
import { go, href } from "../../router.ts";
import { SendersPage } from "./frame.tsx";

export function DomainsScreen() {
  const domains = usePages("listMailDomains", { query: { limit: 100 } });
  const isAdding = useSignal(false);
  const begin = () => (isAdding.value = true);
  useKeys([{ key: "n", label: "Add a domain", run: begin }]);
  return (
    <SendersPage
      path="/senders/domains"
      actions={
        <button type="button" class="btn main" onClick={begin}>
          Add a domain <kbd>N</kbd>
        </button>
      }
    >
      <Part of={domains} lines={4}>
        {(rows) =>
          rows.length === 0 ? (
            <Section>
              <Empty
                title="No domain is looked after yet."
                action={
                  <button type="button" class="btn main" onClick={begin}>
                    Add the first
                  </button>
                }
              >
                Add the domain of your addresses. You get the records to publish in DNS, with a
                signing key of its own, and see what is wrong with those that are there.
              </Empty>
            </Section>
          ) : (
            <Section flush>
              <Table
                caption="Mail domains"
                rows={rows}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => href(`/senders/domains/${id}`)}
                columns={[
                  {
                    head: "Domain",
                    cell: ({ domain }) => domain,
                    sortBy: ({ domain }) => domain,
                  },
                  {
                    head: "State",
                    cell: ({ status, failing_since: since }) => (
                      <>
                        <State of={status} />
                        {since !== null && (
                          <small>
                            since <Time at={since} />
                          </small>
                        )}
                      </>
                    ),
                  },
                  {
                    head: "Records",
                    cell: ({ records }) => {
                      const right = records.filter(({ status }) => status === "ok").length;
                      return `${right} of ${count(records.length, "record")} right`;
                    },
                  },
                  {
                    head: "At most a day",
                    isNumber: true,
                    cell: ({ daily_limit: limit }) =>
                      limit === null ? <span class="dim">no limit</span> : num(limit),
                  },
                  {
                    head: "Checked",
                    cell: ({ checked_at: at }) =>
                      at === null ? <span class="dim">never</span> : <Time at={at} as="ago" />,
                  },
                ]}
              />
              <More of={domains} />
            </Section>
          )
        }
      </Part>
      {isAdding.value && (
        <Dialog title="Add a domain" onClose={() => (isAdding.value = false)}>
          <AddDomain onClose={() => (isAdding.value = false)} />
        </Dialog>
      )}
    </SendersPage>
  );
}

function AddDomain({ onClose }: { onClose(): void }) {
  const create = useWrite("createMailDomain");
  const form = useForm("new domain", { domain: "" });
  return (
    <Form
      form={form}
      submit="Add the domain"
      onCancel={onClose}
      onSend={async (body) => {
        const { id } = await create({ body });
        form.discard();
        onClose();
        go(`/senders/domains/${id}`);
      }}
    >
      <TextField
        form={form}
        name="domain"
        label="Domain"
        hint="What stands behind the @ of your addresses: example.com"
        autocomplete="off"
        spellcheck={false}
      />
    </Form>
  );
}
