import { useSignal } from "@preact/signals";
import { usePages } from "../../api/pages.ts";
import type { ConnectedAccount } from "../../api/schema.ts";
import { useAction } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Status, type Tone } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { count } from "../../pure/words.ts";
import { Chats } from "./chats.tsx";
import { Connect } from "./connect.tsx";
import { Limits } from "./limits.tsx";

type Open = { what: "connect" | "limits"; account?: ConnectedAccount } | null;

export function NetworkScreen({ query }: ScreenProps) {
  const accounts = usePages("listConnectedAccounts", { query: { limit: 100 } });
  const remove = useAction("deleteConnectedAccount");
  const change = useAction("changeConnectedAccount");
  const open = useSignal<Open>(null);
  const close = () => (open.value = null);
  useKeys([
    { key: "n", label: "Connect an account", run: () => (open.value = { what: "connect" }) },
  ]);

  async function ask(account: ConnectedAccount): Promise<void> {
    const name = nameOf(account);
    const isSure = await confirm({
      title: `Delete ${name}?`,
      body: "Its session at the network ends, and chats and posts of it are managed there alone. Campaigns under way that need it hold it back: they are named then.",
      confirm: "Delete the account",
      isDangerous: true,
    });
    if (isSure && (await remove.run({ params: { account_id: account.id } })))
      toast(`${name} is deleted.`);
  }

  return (
    <Page
      title="Network"
      meta={<a href={href("/posts")}>Posts</a>}
      actions={
        <button type="button" class="btn main" onClick={() => (open.value = { what: "connect" })}>
          Connect an account <kbd>N</kbd>
        </button>
      }
    >
      {[remove, change].map(
        ({ problem }, index) => problem && <ProblemNote key={index} problem={problem} />,
      )}
      <Part of={accounts} lines={4}>
        {(rows) =>
          rows.length === 0 ? (
            <Section>
              <Empty
                title="No account is connected."
                action={
                  <button
                    type="button"
                    class="btn main"
                    onClick={() => (open.value = { what: "connect" })}
                  >
                    Connect the first
                  </button>
                }
              >
                With one, campaigns can invite people of a professional network and write to them,
                and posts can be published from here. What it may do a day grows slowly at first.
              </Empty>
            </Section>
          ) : (
            <Section title="Accounts" flush>
              <Table
                caption="Connected accounts"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    head: "Name",
                    cell: (account) => (
                      <>
                        {nameOf(account)} {account.is_default && <small>the default</small>}
                      </>
                    ),
                  },
                  { head: "State", cell: (account) => <AccountState of={account} /> },
                  {
                    head: "A day at most",
                    cell: (account) => (
                      <>
                        {count(account.daily_connection_limit, "request")},{" "}
                        {count(account.daily_message_limit, "message")}
                        <small>{warmUp(account)}</small>
                      </>
                    ),
                  },
                  {
                    head: "Actions",
                    isQuiet: true,
                    cell: (account) => (
                      <div class="row">
                        {NEEDS_LOGIN.includes(account.status) && (
                          <button
                            type="button"
                            class="btn main"
                            onClick={() => (open.value = { what: "connect", account })}
                          >
                            Reconnect<span class="sr"> {nameOf(account)}</span>
                          </button>
                        )}
                        <button
                          type="button"
                          class="btn"
                          onClick={() => (open.value = { what: "limits", account })}
                        >
                          Limits<span class="sr"> of {nameOf(account)}</span>
                        </button>
                        {!account.is_default && (
                          <button
                            type="button"
                            class="btn"
                            onClick={() =>
                              void change.run({
                                params: { account_id: account.id },
                                body: { is_default: true },
                              })
                            }
                          >
                            Make it the default<span class="sr">: {nameOf(account)}</span>
                          </button>
                        )}
                        <button type="button" class="btn" onClick={() => void ask(account)}>
                          Delete<span class="sr"> {nameOf(account)}</span>
                        </button>
                      </div>
                    ),
                  },
                ]}
              />
              <More of={accounts} />
            </Section>
          )
        }
      </Part>
      {(accounts.data ?? []).some(
        ({ status }) => status === "connected" || status === "rate_limited",
      ) && <Chats accounts={accounts.data ?? []} chosen={query.get("account")} />}
      {open.value?.what === "connect" && (
        <Dialog
          title={
            open.value.account
              ? `Connect ${nameOf(open.value.account)} again`
              : "Connect an account"
          }
          onClose={close}
        >
          <Connect account={open.value.account} onClose={close} />
        </Dialog>
      )}
      {open.value?.what === "limits" && (
        <Dialog title={`Limits of ${nameOf(open.value.account!)}`} onClose={close}>
          <Limits account={open.value.account!} onClose={close} />
        </Dialog>
      )}
    </Page>
  );
}

const NEEDS_LOGIN: readonly string[] = ["disconnected", "error"];

const nameOf = ({ display_name: name, provider_account_id: id }: ConnectedAccount): string =>
  name || (id === "" ? "An account that is not connected yet" : "An account");

const warmUp = ({ warmup_days: days }: ConnectedAccount): string =>
  days === 0 ? "at once" : `reached over ${count(days, "day")}`;

const STATES: Record<ConnectedAccount["status"], [tone: Tone, words: string, more: string]> = {
  connected: ["good", "connected", ""],
  disconnected: ["warn", "disconnected", "Nothing goes out from it until it is connected again."],
  error: ["bad", "error", "The network refuses it. Connect it again."],
  reconnecting: ["busy", "reconnecting", ""],
  rate_limited: [
    "warn",
    "rate limited",
    "The network lets it do no more for now. It goes on by itself.",
  ],
};

function AccountState({ of: { status, checkpoint_pending: waits } }: { of: ConnectedAccount }) {
  const [tone, words, more] = STATES[status];
  return (
    <>
      <Status tone={tone}>{waits ? "waits for its code" : words}</Status>
      <small>{waits ? "The code was not given in time? Connect it again." : more}</small>
    </>
  );
}
