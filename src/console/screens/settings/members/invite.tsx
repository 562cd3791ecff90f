import type { InvitationCreated } from "../../../api/schema.ts";
import { useWrite } from "../../../api/use.ts";
import { CopyButton } from "../../../parts/copy.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { SelectField, TextField } from "../../../parts/fields.tsx";
import { Form, useForm } from "../../../parts/form.tsx";
import { Time } from "../../../parts/time.tsx";
import { ROLE_WORDS, type Role } from "../../../pure/role-words.ts";

export function Invite(props: {
  roles: Role[];
  onMade(made: InvitationCreated): void;
  onCancel(): void;
}) {
  const invite = useWrite("invite");
  const form = useForm("invitation", { email: "", role: "member" as string });
  return (
    <Form
      form={form}
      submit="Invite"
      onCancel={props.onCancel}
      onSend={async ({ email, role }) => {
        const made = await invite({ body: { email, role: role as Role } });
        form.discard();
        props.onMade(made);
      }}
    >
      <TextField
        form={form}
        name="email"
        label="Their email address"
        type="email"
        hint="Only a login with this address, verified by its issuer, can accept."
        maxLength={320}
      />
      <SelectField
        form={form}
        name="role"
        label="As"
        options={props.roles.map((role) => [role, `${role}: ${ROLE_WORDS[role]}`])}
      />
    </Form>
  );
}

export function InvitationLink({ of, onClose }: { of: InvitationCreated; onClose(): void }) {
  const { email, url, mailed, expires_at: until } = of;
  return (
    <Dialog title={`${email} is invited`} onClose={onClose}>
      {url === null ? (
        <p>
          It was made at the first try, whose answer was lost with the link in it. Invite them again
          to get another: it takes the place of this one.
        </p>
      ) : (
        <>
          <p>
            {mailed
              ? "The link is mailed to them. You can send it yourself as well; it is shown this once."
              : "This deployment has no relay for mail of its own: send them the link yourself. It is shown this once."}
          </p>
          <p class="secret">
            <code>{url}</code>
          </p>
          <p class="hint">
            It is good once, until <Time at={until} />.
          </p>
        </>
      )}
      <div class="dialog-foot">
        {url !== null && <CopyButton text={url} label="Copy the link" />}
        <button type="button" class="btn main" onClick={onClose}>
          I have it
        </button>
      </div>
    </Dialog>
  );
}
