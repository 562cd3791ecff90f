import { useQuery, useWrite } from "../../api/use.ts";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { Part, Skeleton } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";
import { count } from "../../pure/words.ts";
import { go, href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { SenderFields, useSenders } from "../campaign/sender-fields.tsx";
import { ZoneField } from "../campaign/zone-field.tsx";

export function NewCampaignScreen({ query }: ScreenProps) {
  const datasets = useQuery("listDatasets", { query: { limit: 100 } });
  const senders = useSenders();
  const create = useWrite("createCampaign");
  const form = useForm("new-campaign", {
    name: "",
    dataset_id: query.get("dataset") ?? "",
    alias_ids: [] as string[],
    connected_account_id: "",
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    subject: "",
    body: "",
  });

  async function make(values: typeof form.values.value): Promise<void> {
    const { name, dataset_id, alias_ids, connected_account_id: account, timezone } = values;
    const { subject, body } = values;
    // Without an alias it is all on the network, and the text is the note of an invitation.
    const isMail = alias_ids.length > 0 || account === "";
    const type = account === "" ? "email" : isMail ? "mixed" : "socialnet";
    const first = isMail
      ? {
          step: 1,
          channel: "email" as const,
          variants: [{ type: "INLINE" as const, subject, body }],
        }
      : { step: 1, channel: "socialnet" as const, message_template: body === "" ? null : body };
    const made = await create({
      body: {
        ...{ name, dataset_id, timezone, type, alias_ids, steps: [first] },
        connected_account_id: account === "" ? null : account,
      },
    });
    toast(`${made.name} is a draft: nothing is sent before you launch it.`);
    go(`/campaigns/${made.campaign_id}/steps`);
  }
  return (
    <Page title="New campaign" crumbs={[{ label: "Campaigns", href: href("/campaigns") }]}>
      <Section>
        <Part of={datasets} lines={6}>
          {({ items: sets }) =>
            sets.length === 0 ? (
              <Empty
                title="There is nobody to write to yet."
                action={<a href={href("/people")}>Add people</a>}
              >
                A campaign writes to the people of a dataset. Import a file of them first.
              </Empty>
            ) : !senders.isRead ? (
              <Skeleton lines={6} />
            ) : (
              <Form
                form={form}
                submit="Make the draft"
                onSend={make}
                onCancel={() => go("/campaigns")}
              >
                <TextField form={form} name="name" label="Name" required maxLength={255} />
                <SelectField
                  form={form}
                  name="dataset_id"
                  label="People"
                  options={[
                    ["", "Choose a dataset"],
                    ...sets.map(({ id, name, row_count: rows }): [string, string] => [
                      id,
                      `${name}: ${count(rows, "person", "people")}`,
                    ]),
                  ]}
                />
                <SenderFields form={form} />
                <ZoneField form={form} />
                <TextField
                  form={form}
                  name="subject"
                  at="steps/0/variants/0/subject"
                  label="Subject of the first message"
                  placeholder="Hello {{ first_name }}"
                />
                <TextField
                  form={form}
                  name="body"
                  at="steps/0/variants/0/body"
                  label="First message"
                  rows={6}
                  hint="More steps come on the next page. {{ first_name }}, {{ company }} and the like are filled in."
                />
              </Form>
            )
          }
        </Part>
      </Section>
    </Page>
  );
}
