import type { MailAlias } from "../../api/schema.ts";
import { useQuery, useWrite } from "../../api/use.ts";
import { CheckField, SelectField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";
import { go, href, isPage } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";

export function ComposeScreen({ query }: ScreenProps) {
  const aliases = useQuery("listMailAliases", { query: { limit: 200 } });
  const workspace = useQuery("getWorkspace");
  return (
    <Page
      title="Write an email"
      crumbs={[{ label: "Single emails", href: href("/emails") }]}
      meta={<span class="dim">to one person, from one of your senders</span>}
    >
      <Part of={aliases} lines={6}>
        {({ items }) => {
          const usable = items.filter(({ status }) => status === "active");
          if (usable.length === 0)
            return (
              <Section>
                <Empty
                  title="No sender can send."
                  action={
                    isPage("/senders") && (
                      <a class="btn main" href={href("/senders")}>
                        Open the senders
                      </a>
                    )
                  }
                >
                  {items.length === 0
                    ? "Connect an alias first: an address of yours with its server."
                    : "Each of them is paused or broken; mend one first."}
                </Empty>
              </Section>
            );
          return (
            <Section>
              <Compose
                aliases={usable}
                to={query.get("to") ?? ""}
                zone={workspace.data?.timezone ?? "UTC"}
              />
            </Section>
          );
        }}
      </Part>
    </Page>
  );
}

function Compose({ aliases, to, zone }: { aliases: MailAlias[]; to: string; zone: string }) {
  const send = useWrite("sendEmail");
  const usual = aliases.find(({ is_default: isDefault }) => isDefault) ?? aliases[0]!;
  const form = useForm("email", {
    alias_id: usual.id,
    to_email: to,
    subject: "",
    body: "",
    when: "now",
    send_at: "",
    track_opens: false,
    track_clicks: false,
  });
  const isLater = form.values.value.when === "later";
  return (
    <Form
      form={form}
      submit={isLater ? "Set it for this time" : "Send it"}
      onCancel={() => go("/emails")}
      onSend={async ({ when: _, send_at: at, ...body }) => {
        const email = await send({
          body: { ...body, ...(isLater ? { send_at: at, send_at_timezone: zone } : {}) },
        });
        form.discard();
        toast(
          email.status === "suppressed"
            ? "It was not sent: the address is suppressed."
            : email.status === "scheduled"
              ? "The email is set for its time."
              : "The email is on its way.",
        );
        go(`/emails/${email.id}`);
      }}
    >
      <SelectField
        form={form}
        name="alias_id"
        label="From"
        options={aliases.map(({ id, email, display_name: name }) => [id, `${name} <${email}>`])}
      />
      <TextField form={form} name="to_email" label="To" type="email" maxLength={320} />
      <TextField form={form} name="subject" label="Subject" maxLength={998} />
      <TextField
        form={form}
        name="body"
        label="Text"
        rows={12}
        hint="Plain text as you type it; with a tag in it, it is HTML."
      />
      <SelectField
        form={form}
        name="when"
        label="When"
        options={[
          ["now", "as soon as the sender has a turn"],
          ["later", "at a time that I choose"],
        ]}
      />
      {isLater && (
        <TextField
          form={form}
          name="send_at"
          label="Date and time"
          type="datetime-local"
          hint={`In ${zone}, the zone of the workspace. A past time means at once.`}
        />
      )}
      <CheckField
        form={form}
        name="track_opens"
        label="Follow whether it is opened"
        hint="By a picture in it, which some people and filters do not like."
      />
      <CheckField form={form} name="track_clicks" label="Follow which links are clicked" />
    </Form>
  );
}
