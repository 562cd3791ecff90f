import { usePages } from "../../api/pages.ts";
import type { MailAlias } from "../../api/schema.ts";
import { useKeys } from "../../keys.ts";
import { Part } from "../../parts/load.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { State, Status } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { rampWords, whatToDo } from "../../pure/sender-words.ts";
import { count, num } from "../../pure/words.ts";
import { go, href } from "../../router.ts";
import { SendersPage } from "./frame.tsx";

const NEW = "/senders/aliases/new";

export function AliasesScreen() {
  const aliases = usePages("listMailAliases", { query: { limit: 100 } });
  useKeys([{ key: "n", label: "Connect an alias", run: () => go(NEW) }]);
  const connect = (label: string) => (
    <a class="btn main" href={href(NEW)}>
      {label}
    </a>
  );
  return (
    <SendersPage path="/senders" actions={connect("Connect an alias")}>
      <Part of={aliases} lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Section>
              <Empty title="Nothing can be sent yet." action={connect("Connect the first")}>
                An alias is a mail account that messages go out from: your address at a provider, by
                SMTP or by signing in to Google or Microsoft. Add its{" "}
                <a href={href("/senders/domains")}>domain</a> as well, so that receivers trust it.
              </Empty>
            </Section>
          ) : (
            <Section {...summaryOf(rows)} flush>
              <Table
                caption="Mail aliases"
                rows={rows}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => href(`/senders/aliases/${id}`)}
                columns={[
                  { head: "Alias", cell: ({ email }) => email, sortBy: ({ email }) => email },
                  { head: "State", cell: (alias) => <AliasState of={alias} /> },
                  {
                    head: "Sent today",
                    cell: (alias) => (
                      <>
                        <Meter value={alias.sent_today} of={alias.cap_today} />
                        <small>{rampWords(alias)}</small>
                      </>
                    ),
                    sortBy: ({ sent_today: sent }) => sent,
                  },
                  { head: "Replies", cell: (alias) => <Replies of={alias} /> },
                ]}
              />
              <More of={aliases} />
            </Section>
          )
        }
      </Part>
    </SendersPage>
  );
}

function summaryOf(rows: MailAlias[]) {
  const open = rows.filter(({ status }) => status === "active");
  const sum = (of: (alias: MailAlias) => number) => open.reduce((all, alias) => all + of(alias), 0);
  return {
    title: `${num(sum(({ sent_today: sent }) => sent))} of ${num(sum(({ cap_today: cap }) => cap))} messages sent today`,
    note: `from ${count(open.length, "active alias", "active aliases")} of ${num(rows.length)}`,
  };
}

export function AliasState({ of }: { of: MailAlias }) {
  const advice = whatToDo(of);
  return (
    <>
      <span class="row close">
        <State of={of.status} />
        {of.is_default && <Status tone="quiet">default</Status>}
      </span>
      {of.last_error !== null && (
        <small>
          <code>{of.last_error}</code>
        </small>
      )}
      {advice !== null && <small>{advice}</small>}
    </>
  );
}

const RETURN = { yes: "come back here", no: "do not come back", unknown: "not tested" };

function Replies({ of: { inbox, replies_return: back } }: { of: MailAlias }) {
  if (inbox === null) return <span class="dim">{RETURN[back]}</span>;
  return (
    <>
      {inbox.status === "ok" ? "inbox is read" : <State of={inbox.status} />}
      {inbox.last_error !== null && (
        <small>
          <code>{inbox.last_error}</code>
        </small>
      )}
    </>
  );
}
