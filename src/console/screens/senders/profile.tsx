import type { SenderProfile, SenderProfileChange } from "../../api/schema.ts";
import { useAction, useQuery, useWrite, type Query } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { TextField } from "../../parts/fields.tsx";
import { Form, useForm, type FormState } from "../../parts/form.tsx";
import { DeleteProblem } from "../../parts/in-use.tsx";
import { Part } from "../../parts/load.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Status } from "../../parts/status.tsx";
import { toast } from "../../parts/toast.tsx";
import { go, href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";

const CRUMBS = [
  { label: "Senders", href: href("/senders") },
  { label: "Sender profiles", href: href("/senders/profiles") },
];

const NAMES = [
  "name",
  "full_name",
  "job_title",
  "company",
  "company_description",
  "value_proposition",
  "bio",
  "tone",
  "language",
  "calendar_url",
  "profile_url",
  "signature",
  "custom_prompt",
] as const;
type Values = Record<(typeof NAMES)[number], string>;

const NEW: Values = {
  ...(Object.fromEntries(NAMES.map((name) => [name, ""])) as Values),
  language: "en",
};

const valuesOf = (profile: SenderProfile): Values =>
  Object.fromEntries(NAMES.map((name) => [name, profile[name] ?? ""])) as Values;

/** Empty fields are null, but for those that have to be there. */
const bodyOf = (values: Partial<Values>): SenderProfileChange =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === "" && !/^(name|full_name|language)$/.test(name) ? null : value,
    ]),
  );

export function NewProfileScreen() {
  const create = useWrite("createSenderProfile");
  const form = useForm("new profile", NEW);
  return (
    <Page title="New sender profile" crumbs={CRUMBS}>
      <Section>
        <Form
          form={form}
          submit="Save the profile"
          onCancel={() => go("/senders/profiles")}
          onSend={async (values) => {
            const body = { ...bodyOf(values), name: values.name, full_name: values.full_name };
            const made = await create({ body });
            form.discard();
            toast(`${made.name} is saved.`);
            go(`/senders/profiles/${made.id}`);
          }}
        >
          <ProfileFields form={form} />
        </Form>
      </Section>
    </Page>
  );
}

export function ProfileScreen({ params }: ScreenProps) {
  const of = { params: { sender_profile_id: params["id"]! } };
  const profile = useQuery("getSenderProfile", of);
  const change = useAction("changeSenderProfile");
  const remove = useAction("deleteSenderProfile");
  const { data } = profile;
  async function askToDelete(known: SenderProfile): Promise<void> {
    const isSure = await confirm({
      title: `Delete ${known.name}?`,
      body: "Texts that read it as the sender are no longer filled in from it.",
      confirm: "Delete the profile",
      isDangerous: true,
    });
    if (isSure && (await remove.run(of, { ifMatch: profile.etag }))) {
      toast(`${known.name} is deleted.`);
      go("/senders/profiles");
    }
  }
  return (
    <Page
      title={data?.name ?? "Sender profile"}
      crumbs={CRUMBS}
      meta={data?.is_default === true && <Status tone="quiet">default</Status>}
      actions={
        data && (
          <Menu
            label="More"
            items={[
              ...(data.is_default
                ? []
                : [
                    {
                      label: "Make it the default",
                      run: () =>
                        void change.run(
                          { ...of, body: { is_default: true } },
                          { ifMatch: profile.etag },
                        ),
                    },
                  ]),
              { label: "Delete", isDangerous: true, run: () => void askToDelete(data) },
            ]}
          />
        )
      }
    >
      {change.problem !== undefined && <ProblemNote problem={change.problem} />}
      {remove.problem !== undefined && <DeleteProblem problem={remove.problem} />}
      <Part of={profile} lines={8}>
        {(now) => <Edit of={now} query={profile} />}
      </Part>
    </Page>
  );
}

function Edit({ of, query }: { of: SenderProfile; query: Query<"getSenderProfile"> }) {
  const write = useWrite("changeSenderProfile");
  const form = useForm(`profile ${of.id}`, valuesOf(of), { etag: query.etag ?? null });
  return (
    <Section>
      <Form
        form={form}
        submit="Save"
        onSend={async () => {
          const params = { sender_profile_id: of.id };
          await write({ params, body: bodyOf(form.changes()) }, { ifMatch: form.etag });
          toast("Saved.");
        }}
      >
        <ProfileFields form={form} />
      </Form>
    </Section>
  );
}

function ProfileFields({ form }: { form: FormState<Values> }) {
  return (
    <>
      <TextField form={form} name="name" label="Name of the profile" hint="For you alone." />
      <TextField form={form} name="full_name" label="Full name" autocomplete="off" />
      <TextField form={form} name="job_title" label="Job title" autocomplete="off" />
      <TextField form={form} name="company" label="Company" autocomplete="off" />
      <TextField form={form} name="company_description" label="What the company does" rows={3} />
      <TextField
        form={form}
        name="value_proposition"
        label="What you offer"
        hint="In your own words; a model writes from it."
        rows={3}
      />
      <TextField form={form} name="bio" label="About the person" rows={3} />
      <TextField form={form} name="tone" label="Tone" hint="Such as: plain, short, warm." />
      <TextField form={form} name="language" label="Language" hint="A code such as en or de." />
      <TextField form={form} name="calendar_url" label="Calendar link" />
      <TextField form={form} name="profile_url" label="Profile on the network" />
      <TextField form={form} name="signature" label="Signature" rows={3} />
      <TextField form={form} name="custom_prompt" label="More for the model" rows={3} />
    </>
  );
}
