import { useQuery } from "../../api/use.ts";
import { ChoicesField, SelectField } from "../../parts/fields.tsx";
import type { FormState } from "../../parts/form.tsx";
import { Part } from "../../parts/load.tsx";

interface Senders {
  alias_ids: string[];
  connected_account_id: string;
}

/** So many of each can be chosen from. */
const MOST = { query: { limit: 100 } };

/**
 * What a campaign can be sent from. A form with these fields waits until it is read (or cannot be): else its button
 * moves away under who presses it, and the press is lost.
 */
export function useSenders() {
  const aliases = useQuery("listMailAliases", MOST);
  const accounts = useQuery("listConnectedAccounts", MOST);
  const isRead = [aliases, accounts].every(
    ({ data, problem }) => data !== undefined || problem !== undefined,
  );
  return { aliases, accounts, isRead };
}

/** The senders of a campaign: mail aliases, and an account of the professional network. */
export function SenderFields<Values extends Senders>(props: { form: FormState<Values> }) {
  // Narrowed to the two fields that it shows, since names of a type parameter cannot be resolved.
  const form = props.form as unknown as FormState<Senders>;
  const { aliases, accounts } = useSenders();
  return (
    <>
      <Part of={aliases} lines={3}>
        {({ items }) => (
          <ChoicesField
            form={form}
            name="alias_ids"
            label="Mail from"
            {...(items.length === 0
              ? { hint: "There is no alias yet: add one under Senders." }
              : {})}
            options={items.map(({ id, email, status }) => [
              id,
              status === "active" ? email : `${email} (${status})`,
            ])}
          />
        )}
      </Part>
      <Part of={accounts} lines={1}>
        {({ items }) => (
          <SelectField
            form={form}
            name="connected_account_id"
            label="Network account"
            hint="With one, steps may also be on the professional network."
            options={[
              ["", "none: by email alone"],
              ...items.map(({ id, display_name: name }): [string, string] => [id, name]),
            ]}
          />
        )}
      </Part>
    </>
  );
}
