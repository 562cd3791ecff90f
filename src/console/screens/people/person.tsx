import { useSignal } from "@preact/signals";
import { usePages } from "../../api/pages.ts";
import type { Lead } from "../../api/schema.ts";
import { useAction, useQuery, useWrite } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { Part } from "../../parts/load.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Facts, Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Status } from "../../parts/status.tsx";
import { More } from "../../parts/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { leadBody, leadValues } from "../../pure/lead-form.ts";
import { leadName, verificationWords } from "../../pure/lead-words.ts";
import { go, href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { LABELS, LeadFields } from "./lead-fields.tsx";
import { Timeline } from "./timeline.tsx";

export function PersonScreen({ params }: ScreenProps) {
  const of = { params: { lead_id: params["lead"]! } };
  const lead = useQuery("findLead", of);
  const timeline = usePages("getLeadTimeline", { ...of, query: { limit: 50, days: 31 } });
  const actions = {
    suppress: useAction("createSuppression"),
    remove: useAction("deleteLead"),
    erase: useAction("eraseLead"),
  };
  const isEditing = useSignal(false);
  const { data } = lead;
  useKeys([{ key: "e", label: "Edit the person", run: () => (isEditing.value = true) }]);
  const dataset = useQuery(
    "getDataset",
    data === undefined
      ? null
      : { params: { dataset_id: data.dataset_id }, query: { fields: "name" } },
  );
  return (
    <Page
      title={data === undefined ? "Person" : leadName(data)}
      crumbs={[
        { label: "People", href: href("/people") },
        ...(data === undefined
          ? []
          : [
              {
                label: dataset.data?.name ?? "Dataset",
                href: href(`/people/${data.dataset_id}`),
              },
            ]),
      ]}
      meta={data && <Verified of={data} />}
      actions={
        data && (
          <>
            <button type="button" class="btn" onClick={() => (isEditing.value = true)}>
              Edit <kbd>E</kbd>
            </button>
            <Menu label="More" items={menuOf(data, lead.etag, actions)} />
          </>
        )
      }
    >
      {Object.values(actions).map(
        ({ problem }, index) => problem && <ProblemNote key={index} problem={problem} />,
      )}
      <Part of={lead} lines={6}>
        {(now) => (
          <div class="two">
            <Section title="Who it is">
              <Facts of={factsOf(now)} />
            </Section>
            <Section title="What happened, and what will">
              <Part of={timeline} lines={6}>
                {(items) => <Timeline items={items} />}
              </Part>
              <More of={timeline} />
            </Section>
          </div>
        )}
      </Part>
      {isEditing.value && data !== undefined && (
        <Dialog title={`Edit ${leadName(data)}`} onClose={() => (isEditing.value = false)} isDrawer>
          <Edit of={data} etag={lead.etag ?? null} onClose={() => (isEditing.value = false)} />
        </Dialog>
      )}
    </Page>
  );
}

function Verified({ of }: { of: Lead }) {
  const words = verificationWords(of.verification);
  if (words === null) return null;
  return <Status tone={words.tone}>{`address: ${words.word}`}</Status>;
}

function factsOf(lead: Lead): [string, string][] {
  const { tags, custom, ...texts } = leadValues(lead);
  const known = (Object.keys(LABELS) as (keyof typeof LABELS)[])
    .filter((name) => texts[name] !== "")
    .map((name): [string, string] => [LABELS[name], texts[name]]);
  return [
    ...known,
    ...(tags === "" ? [] : [["Tags", tags] as [string, string]]),
    ...Object.entries(lead.custom).map(([key, value]): [string, string] => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
    ...(custom === "" && known.length === 0 ? [["Fields", "none"] as [string, string]] : []),
  ];
}

function Edit(props: { of: Lead; etag: string | null; onClose(): void }) {
  const { of, etag, onClose } = props;
  const write = useWrite("changeLead");
  const form = useForm(`lead ${of.id}`, leadValues(of), { etag });
  return (
    <Form
      form={form}
      submit="Save"
      onCancel={onClose}
      onSend={async () => {
        const params = { dataset_id: of.dataset_id, lead_id: of.id };
        await write({ params, body: leadBody(form.changes()) }, { ifMatch: form.etag });
        onClose();
        toast("Saved. A changed address counts for campaigns that the person joins later.");
      }}
    >
      <LeadFields form={form} />
    </Form>
  );
}

interface Actions {
  suppress: ReturnType<typeof useAction<"createSuppression">>;
  remove: ReturnType<typeof useAction<"deleteLead">>;
  erase: ReturnType<typeof useAction<"eraseLead">>;
}

function menuOf(lead: Lead, etag: string | null | undefined, actions: Actions) {
  const { email, dataset_id: datasetId, id } = lead;
  const name = leadName(lead);
  const suppress = async () => {
    const isSure = await confirm({
      title: `Write to ${email} no more?`,
      body: "The address goes on the list of suppressions: no campaign and no single message goes there, until you take it off the list.",
      confirm: "Suppress the address",
    });
    if (isSure && (await actions.suppress.run({ body: { value: email! } })))
      toast(`${email} gets no mail any more.`);
  };
  const remove = async () => {
    const isSure = await confirm({
      title: `Delete ${name} from this dataset?`,
      body: "They are stopped in every campaign that has them from here. What was sent stays, and a later import may bring them back. To forget the person everywhere, erase them instead.",
      confirm: "Delete the person",
      isDangerous: true,
    });
    const params = { dataset_id: datasetId, lead_id: id };
    if (isSure && (await actions.remove.run({ params }, { ifMatch: etag }))) {
      toast(`${name} is deleted.`);
      go(`/people/${datasetId}`);
    }
  };
  const erase = async () => {
    const isSure = await confirm({
      title: `Erase ${name} everywhere?`,
      body: "All that is known of the address goes: from every dataset, campaign, conversation, message and verification. A hash of the address stays, so that it is never written to nor imported again. This cannot be undone.",
      typed: email!,
      confirm: "Erase the person",
      isDangerous: true,
    });
    if (isSure && (await actions.erase.run({ body: { email: email! } }))) {
      toast("The person is erased.");
      go(`/people/${datasetId}`);
    }
  };
  return [
    ...(email === null ? [] : [{ label: "Suppress the address", run: () => void suppress() }]),
    { label: "Delete from the dataset", isDangerous: true, run: () => void remove() },
    ...(email === null
      ? []
      : [{ label: "Erase everywhere", isDangerous: true, run: () => void erase() }]),
  ];
}
