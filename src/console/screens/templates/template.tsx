import type { Template } from "../../api/schema.ts";
import { useAction, useQuery, useWrite, type Query } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { DeleteProblem } from "../../parts/in-use.tsx";
import { Part } from "../../parts/load.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Status } from "../../parts/status.tsx";
import { toast } from "../../parts/toast.tsx";
import {
  NEW_TEMPLATE,
  templateBody,
  templateChange,
  templateValues,
} from "../../pure/template-form.ts";
import { go, href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { Preview } from "./preview.tsx";
import { TemplateFields } from "./template-fields.tsx";

const CRUMBS = [{ label: "Templates", href: href("/templates") }];

export function TemplateScreen(props: ScreenProps) {
  return props.params["id"] === "new" ? <NewTemplate /> : <OneTemplate {...props} />;
}

function NewTemplate() {
  const create = useWrite("createTemplate");
  const form = useForm("new template", NEW_TEMPLATE);
  return (
    <Page title="New template" crumbs={CRUMBS}>
      <div class="two">
        <Section>
          <Form
            form={form}
            submit="Save the template"
            onCancel={() => go("/templates")}
            onSend={async (values) => {
              const made = await create({ body: templateBody(values) });
              form.discard();
              toast(`${made.name} is saved.`);
              go(`/templates/${made.id}`, { replace: true });
            }}
          >
            <TemplateFields form={form} />
          </Form>
        </Section>
        <Preview values={form.values.value} />
      </div>
    </Page>
  );
}

function OneTemplate({ params }: ScreenProps) {
  const of = { params: { template_id: params["id"]! } };
  const template = useQuery("getTemplate", of);
  const change = useAction("changeTemplate");
  const remove = useAction("deleteTemplate");
  const { data } = template;
  async function archive(archived: boolean): Promise<void> {
    if (await change.run({ ...of, body: { archived } }, { ifMatch: template.etag }))
      toast(archived ? "It is archived." : "It is back among the templates.");
  }
  async function askToDelete(known: Template): Promise<void> {
    const isSure = await confirm({
      title: `Delete ${known.name}?`,
      body: "It cannot be brought back. What was sent stays as it was sent. To have it out of the way only, archive it.",
      confirm: "Delete the template",
      isDangerous: true,
    });
    if (isSure && (await remove.run(of, { ifMatch: template.etag }))) {
      toast(`${known.name} is deleted.`);
      go("/templates");
    }
  }
  const isArchived = data !== undefined && data.archived_at !== null;
  return (
    <Page
      title={data?.name ?? "Template"}
      crumbs={CRUMBS}
      meta={
        data && (
          <>
            {isArchived && <Status tone="quiet">archived</Status>}
            <span class="dim">version {data.version}</span>
          </>
        )
      }
      actions={
        data && (
          <Menu
            label="More"
            items={[
              isArchived
                ? { label: "Take out of the archive", run: () => void archive(false) }
                : { label: "Archive", run: () => void archive(true) },
              { label: "Delete", isDangerous: true, run: () => void askToDelete(data) },
            ]}
          />
        )
      }
    >
      {change.problem !== undefined && <ProblemNote problem={change.problem} />}
      {remove.problem !== undefined && <DeleteProblem problem={remove.problem} />}
      <Part of={template} lines={10}>
        {(now) => <Edit of={now} query={template} />}
      </Part>
    </Page>
  );
}

function Edit({ of, query }: { of: Template; query: Query<"getTemplate"> }) {
  const write = useWrite("changeTemplate");
  const form = useForm(`template ${of.id}`, templateValues(of), { etag: query.etag ?? null });
  return (
    <div class="two">
      <Section>
        <Form
          form={form}
          submit="Save"
          onSend={async (values) => {
            const body = templateChange(values, form.changes());
            await write({ params: { template_id: of.id }, body }, { ifMatch: form.etag });
            toast("Saved. Messages that are not sent yet are written with it.");
          }}
        >
          <TemplateFields form={form} />
        </Form>
      </Section>
      <Preview values={form.values.value} />
    </div>
  );
}
