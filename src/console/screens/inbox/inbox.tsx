import { useRef } from "preact/hooks";
import { usePages } from "../../api/pages.ts";
import type {
  ConversationChange,
  ConversationClass,
  ConversationIntent,
  ConversationState,
} from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { toast } from "../../parts/toast.tsx";
import { go, href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { Bounces } from "./bounces.tsx";
import { Filters } from "./filters.tsx";
import { ConversationList } from "./list.tsx";
import { Thread, type ThreadHandle } from "./thread.tsx";

const TABS = [
  ["people", "People", "person"],
  ["automatic", "Automatic", "machine"],
  ["bounces", "Bounces", null],
  ["all", "All", undefined],
] as const;
const STATES: readonly ConversationState[] = ["open", "snoozed", "done"];
const LIST_EVERY_SECONDS = 20;

export function InboxScreen({ params, query }: ScreenProps) {
  const id = params["id"];
  const [tab, , writer] = TABS.find(([name]) => name === query.get("tab")) ?? TABS[0];
  const state = STATES.find((each) => each === query.get("state")) ?? "open";
  const counts = useQuery("countConversations", undefined, { every: LIST_EVERY_SECONDS });
  const of = counts.data?.writers;
  const countOf = (each: (typeof TABS)[number]): number | undefined =>
    each[2] === null
      ? undefined
      : each[2] === undefined
        ? counts.data?.[state]
        : of?.[each[2]][state];
  const stateCounts = writer == null ? counts.data : of?.[writer];
  const kept = (change: Record<string, string | undefined>) => {
    const now = Object.fromEntries(query);
    return href("/inbox", { ...now, ...change });
  };
  return (
    <Page
      title="Inbox"
      tabs={
        <Tabs
          label="Who wrote"
          tabs={TABS.map((each) => ({
            label: each[1],
            href: kept({ tab: each[0] === "people" ? undefined : each[0] }),
            isCurrent: each[0] === tab,
            count: countOf(each),
          }))}
        />
      }
    >
      {writer === null ? (
        <Bounces query={query} />
      ) : (
        <Split
          id={id}
          query={query}
          writer={writer}
          state={state}
          states={STATES.map((each) => ({
            state: each,
            count: stateCounts?.[each],
            href: kept({ state: each === "open" ? undefined : each }),
          }))}
        />
      )}
    </Page>
  );
}

function Split(props: {
  id: string | undefined;
  query: URLSearchParams;
  writer: "person" | "machine" | undefined;
  state: ConversationState;
  states: { state: ConversationState; count: number | undefined; href: string }[];
}) {
  const { id, query, writer, state, states } = props;
  const wish = {
    state,
    limit: 50,
    ...(writer === undefined ? {} : { writer }),
    ...given("intent", query.get("intent") as ConversationIntent | null),
    ...given("class", query.get("class") as ConversationClass | null),
    ...given("q", query.get("q")),
    ...given("campaign_id", query.get("campaign")),
  };
  const pages = usePages("listConversations", { query: wish }, { every: LIST_EVERY_SECONDS });
  const thread = useRef<ThreadHandle>(null);
  const change = useAction("changeConversation");
  const last = useRef<{ id: string; body: ConversationChange } | null>(null);
  async function undo(): Promise<void> {
    if (last.current === null) return;
    const { id: of, body } = last.current;
    last.current = null;
    if (await change.run({ params: { conversation_id: of }, body })) toast("Taken back.");
  }
  const search = query.size === 0 ? "" : `?${query}`;
  const rows = pages.data ?? [];
  const at = rows.findIndex((each) => each.id === id);
  /** The place of one that has left the list is where the next has come to. */
  const place = useRef(0);
  if (at >= 0) place.current = at;
  function move(by: number): void {
    const from = at >= 0 ? at : by > 0 ? place.current - 1 : place.current;
    const to = rows[id === undefined ? 0 : Math.min(Math.max(from + by, 0), rows.length - 1)];
    if (to !== undefined) go(`/inbox/${to.id}${search}`);
  }
  useKeys([
    { key: "j", label: "Next conversation", run: () => move(1) },
    { key: "k", label: "Previous conversation", run: () => move(-1) },
    { key: "e", label: "Done, or open again", run: () => thread.current?.done() },
    { key: "r", label: "Answer", run: () => thread.current?.answer() },
    { key: "s", label: "Snooze", run: () => thread.current?.snooze() },
    { key: "z", label: "Undo what was done last", run: () => void undo() },
  ]);
  return (
    <div class={id === undefined ? "split" : "split chosen"}>
      <section class="sheet flush split-list" aria-label="Conversations">
        <nav class="chips" aria-label="State">
          {states.map(({ state: each, count, href: to }) => (
            <a key={each} href={to} aria-current={each === state ? "true" : undefined}>
              {each} {count !== undefined && <small>{count}</small>}
            </a>
          ))}
        </nav>
        <Filters query={query} />
        {change.problem !== undefined && <ProblemNote problem={change.problem} />}
        <ConversationList
          pages={pages}
          id={id}
          search={search}
          isFiltered={["q", "intent", "campaign", "class"].some((name) => query.has(name))}
          state={state}
          isPeople={writer === "person"}
        />
      </section>
      {id === undefined ? (
        <section class="split-none dim" aria-label="Thread">
          <p>
            Choose a conversation, or press <kbd>J</kbd> for the first.
          </p>
        </section>
      ) : (
        <Thread
          key={id}
          id={id}
          back={href("/inbox", Object.fromEntries(query))}
          handle={thread}
          onChanged={(said, body) => {
            last.current = { id, body };
            toast(said, { label: "Undo", run: () => void undo() });
            // Who works through the list goes on with the next.
            if (body.state !== undefined && at >= 0) move(at === rows.length - 1 ? -1 : 1);
          }}
        />
      )}
    </div>
  );
}

const given = <Name extends string, Value>(name: Name, value: Value | null) =>
  (value === null || value === "" ? {} : { [name]: value }) as { [Key in Name]?: Value };
