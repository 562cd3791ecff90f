import type { MailAlias } from "../../api/schema.ts";
import type { Query } from "../../api/use.ts";
import { Meter } from "../../parts/bars.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { State } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { num } from "../../pure/words.ts";
import { href, isPage } from "../../router.ts";

/** How much of its day each alias has used. */
export function SendersToday({ of }: { of: Query<"listMailAliases"> }) {
  const hasSenders = isPage("/senders");
  return (
    <Section
      title="Senders today"
      actions={hasSenders && <a href={href("/senders")}>All senders</a>}
      flush
    >
      <Part of={of} lines={3}>
        {({ items, has_more: hasMore }) =>
          items.length === 0 ? (
            <Empty title="There is no sender yet.">
              An alias is an address of yours that campaigns send from.
            </Empty>
          ) : (
            <>
              <Table
                caption="Senders and what they sent today"
                rows={items.toSorted(byUse)}
                keyOf={({ id }) => id}
                columns={[
                  {
                    head: "Alias",
                    cell: ({ email, last_error: why }) => (
                      <>
                        {email}
                        {why !== null && <small>{why}</small>}
                      </>
                    ),
                  },
                  { head: "State", cell: ({ status }) => <State of={status} /> },
                  {
                    head: "Sent of cap",
                    cell: ({ sent_today: sent, cap_today: cap }) => (
                      <div>
                        {num(sent)} of {num(cap)}
                        <Meter used={sent} most={cap} />
                      </div>
                    ),
                  },
                ]}
              />
              {hasMore && <p class="more">Only the first {num(items.length)} are shown.</p>}
            </>
          )
        }
      </Part>
    </Section>
  );
}

/** What cannot send stands first, then what has used most of its day. */
function byUse(a: MailAlias, b: MailAlias): number {
  const share = ({ sent_today: sent, cap_today: cap }: MailAlias) => (cap === 0 ? 1 : sent / cap);
  return (
    Number(b.status === "error") - Number(a.status === "error") ||
    share(b) - share(a) ||
    a.email.localeCompare(b.email)
  );
}
