import { usePages } from "../../api/pages.ts";
import type { EmailStatus } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { FilterSelect } from "../../parts/filter-select.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { State } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { go, href, setQuery } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";

const STATUSES: Record<EmailStatus, string> = {
  queued: "waiting for their turn",
  scheduled: "scheduled",
  sent: "sent",
  suppressed: "suppressed",
  failed: "failed",
  cancelled: "cancelled",
};
const isStatus = (text: string | null): text is EmailStatus => text !== null && text in STATUSES;

/** Mail that belongs to no campaign: sent by a program, or from here. */
export function EmailsScreen({ query }: ScreenProps) {
  const given = query.get("status");
  const status = isStatus(given) ? given : undefined;
  const alias = query.get("alias_id") ?? undefined;
  const to = query.get("to_email") ?? undefined;
  const filter = {
    ...(status && { status }),
    ...(alias && { alias_id: alias }),
    ...(to && { to_email: to }),
  };
  const isFiltered = Object.keys(filter).length > 0;
  const emails = usePages("listEmails", { query: filter });
  useKeys([{ key: "n", label: "Write an email", run: () => go("/emails/new") }]);
  const write = (
    <a class="btn main" href={href("/emails/new")}>
      Write an email <kbd>N</kbd>
    </a>
  );
  return (
    <Page
      title="Single emails"
      meta={<span class="dim">sent by the API or from here, apart from campaigns</span>}
      actions={write}
    >
      <Filters status={status} alias={alias} to={to} />
      <Part of={emails} lines={6}>
        {(rows) => (
          <Section flush>
            {rows.length === 0 ? (
              <Empty title={isFiltered ? "None of that kind." : "No single email was sent yet."}>
                {isFiltered
                  ? "Choose another state, sender or address."
                  : "A program sends one by POST /mailer/emails, with an API key; you can write one here."}
              </Empty>
            ) : (
              <Table
                caption="Single emails, the newest first"
                rows={rows}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => href(`/emails/${id}`)}
                columns={[
                  { head: "Subject", cell: ({ subject }) => subject },
                  { head: "State", cell: (email) => <State of={email.status} /> },
                  { head: "To", cell: ({ to_email: address }) => address },
                  { head: "From", cell: ({ from_email: address }) => address },
                  {
                    head: "When",
                    cell: (email) => (
                      <Time at={email.sent_at ?? email.scheduled_at ?? email.created_at} />
                    ),
                  },
                ]}
              />
            )}
            <More of={emails} />
          </Section>
        )}
      </Part>
    </Page>
  );
}

function Filters(props: {
  status: string | undefined;
  alias: string | undefined;
  to: string | undefined;
}) {
  const { status, alias, to } = props;
  const aliases = useQuery("listMailAliases", { query: { limit: 200 } });
  return (
    <form
      class="finders"
      role="search"
      aria-label="Which emails"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem("to") as HTMLInputElement;
        setQuery({ to_email: field.value.trim() });
      }}
    >
      <FilterSelect
        name="status"
        label="State"
        value={status}
        any="any"
        options={Object.entries(STATUSES)}
      />
      <FilterSelect
        name="alias_id"
        label="From"
        value={alias}
        any="any sender"
        options={(aliases.data?.items ?? []).map(({ id, email }) => [id, email])}
      />
      <label>
        To{" "}
        <input
          name="to"
          type="search"
          placeholder="an address in full"
          defaultValue={to ?? ""}
          key={to ?? ""}
        />
      </label>
      <button type="submit" class="btn">
        Find
      </button>
    </form>
  );
}
