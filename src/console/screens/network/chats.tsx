import type { ConnectedAccount } from "../../api/schema.ts";
import { useQuery } from "../../api/use.ts";
import { FilterSelect } from "../../parts/filter-select.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { href } from "../../router.ts";

/** As the network has them now; what concerns a campaign stands in the inbox as well. */
export function Chats({
  accounts,
  chosen,
}: {
  accounts: ConnectedAccount[];
  chosen: string | null;
}) {
  const account =
    accounts.find(({ id }) => id === chosen) ??
    accounts.find((each) => each.is_default) ??
    accounts[0]!;
  const chats = useQuery("listNetworkChats", { query: { account_id: account.id, limit: 50 } });
  return (
    <Section
      title="Chats"
      flush
      actions={
        accounts.length > 1 && (
          <FilterSelect
            name="account"
            label="Chats of"
            value={account.id}
            options={accounts.map(({ id, display_name: name }) => [id, name || "An account"])}
            isQuiet
          />
        )
      }
    >
      <Part of={chats} lines={4}>
        {({ data, error }) =>
          data === null ? (
            <p class="note warn">
              <b>The network did not answer.</b> {error}
            </p>
          ) : data.items.length === 0 ? (
            <Empty title="No chats yet.">Who answers a message of yours is listed here.</Empty>
          ) : (
            <Table
              caption="Chats, the latest first"
              rows={data.items}
              keyOf={({ chat_id: id }) => id}
              columns={[
                {
                  head: "With",
                  cell: ({ attendee, unread_count: unread }) => (
                    <>
                      {attendee.name || "Somebody"}
                      {unread > 0 && <small>{unread} unread</small>}
                    </>
                  ),
                },
                {
                  head: "Last message",
                  cell: ({ last_message: last }) =>
                    last === null ? (
                      ""
                    ) : (
                      <>
                        {last.direction === "out" && <span class="dim">You: </span>}
                        {last.text}
                      </>
                    ),
                },
                {
                  head: "When",
                  cell: ({ updated_at: at }) => (at === null ? "" : <Time at={at} as="ago" />),
                },
                {
                  head: "Actions",
                  isQuiet: true,
                  cell: ({ attendee }) =>
                    attendee.name !== "" && (
                      <a href={href("/inbox", { tab: "all", q: attendee.name })}>
                        In the inbox<span class="sr">: {attendee.name}</span>
                      </a>
                    ),
                },
              ]}
            />
          )
        }
      </Part>
    </Section>
  );
}
