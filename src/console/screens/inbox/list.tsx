import { useEffect, useRef } from "preact/hooks";
import type { Pages } from "../../api/pages.ts";
import type { Conversation, ConversationState } from "../../api/schema.ts";
import { Part } from "../../parts/load.tsx";
import { Empty } from "../../parts/page.tsx";
import { More } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { href } from "../../router.ts";
import { classWords } from "../../pure/inbox-words.ts";
import { words } from "../../pure/words.ts";

export function ConversationList(props: {
  pages: Pages<Conversation>;
  id: string | undefined;
  /** The address's query, kept by every link. */
  search: string;
  isFiltered: boolean;
  state: ConversationState;
  isPeople: boolean;
}) {
  const { pages, id, search, isFiltered, state, isPeople } = props;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [id]);
  return (
    <Part of={pages} lines={8}>
      {(rows) =>
        rows.length === 0 ? (
          isFiltered || state !== "open" ? (
            <Empty title={isFiltered ? "Nothing fits these filters." : `Nothing is ${state}.`} />
          ) : (
            <Empty
              title={isPeople ? "Nobody waits for you." : "Nothing is open here."}
              action={<a href={href("/senders")}>Look whether replies come home</a>}
            >
              What people answer to your messages comes here by itself. Before the first, test a
              sender: it says whether an answer to it would arrive.
            </Empty>
          )
        ) : (
          <>
            <ol class="rows" ref={list}>
              {rows.map((row) => (
                <li key={row.id}>
                  <Row
                    of={row}
                    isCurrent={row.id === id}
                    to={`/console/inbox/${row.id}${search}`}
                  />
                </li>
              ))}
            </ol>
            <More of={pages} />
          </>
        )
      }
    </Part>
  );
}

function Row({ of, isCurrent, to }: { of: Conversation; isCurrent: boolean; to: string }) {
  const { counterpart, subject, snippet, unread, intent, class: heard, channel } = of;
  const who = counterpart.name ?? counterpart.email ?? "Somebody";
  const marks = [
    heard === null || heard === "reply" ? null : classWords(heard),
    intent === null ? null : words(intent),
    channel === "socialnet" ? "network" : null,
  ].filter((mark) => mark !== null);
  return (
    <a
      href={to}
      aria-current={isCurrent ? "true" : undefined}
      class={unread ? "unread" : undefined}
    >
      <b>
        {unread && <span class="sr">Unread: </span>}
        {who}
        {counterpart.company !== null && <span class="dim">, {counterpart.company}</span>}
      </b>
      <small class="when">
        <Time at={of.last_message_at} as="ago" />
      </small>
      <span class="line">
        {subject ?? (channel === "socialnet" ? "On the network" : "No subject")}
      </span>
      {snippet !== null && <small class="line">{snippet}</small>}
      {marks.length > 0 && <small class="marks">{marks.join(" · ")}</small>}
    </a>
  );
}
