import { useWrite } from "../../api/use.ts";
import { Form, useForm } from "../../parts/form.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";
import { aliasBody, NEW_ALIAS, SECRETS } from "../../pure/alias-form.ts";
import { go, href } from "../../router.ts";
import { AliasFields } from "./alias-fields.tsx";

export function NewAliasScreen() {
  const create = useWrite("createMailAlias");
  const form = useForm("new alias", NEW_ALIAS, { secrets: SECRETS });
  return (
    <Page title="Connect an alias" crumbs={[{ label: "Senders", href: href("/senders") }]}>
      <Section>
        <Form
          form={form}
          submit="Connect"
          onCancel={() => go("/senders")}
          onSend={async (values) => {
            const { id, email } = await create({ body: aliasBody(values) });
            form.discard();
            toast(`${email} is here. Test it before it sends.`);
            go(`/senders/aliases/${id}`);
          }}
        >
          <AliasFields form={form} isNew />
        </Form>
      </Section>
    </Page>
  );
}
