import { useSignal } from "@preact/signals";
import { serverNow } from "../../api/clock.ts";
import { usePages } from "../../api/pages.ts";
import type { ApiKey, ApiKeyCreated } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { confirm } from "../../parts/confirm.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { Status } from "../../parts/status.tsx";
import { More, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { count } from "../../pure/words.ts";
import { SettingsPage } from "./frame.tsx";
import { NewApiKey } from "./new-api-key.tsx";

const PATH = "/settings/api-keys";

/** A key cannot make keys, nor see them: nothing is asked that would be refused. */
export function ApiKeysScreen() {
  const session = useQuery("getSession");
  return (
    <Part of={session} lines={5}>
      {({ via }) => (via === "key" ? <NotByKey /> : <Keys />)}
    </Part>
  );
}

function NotByKey() {
  return (
    <SettingsPage path={PATH}>
      <Section>
        <Empty title="An API key cannot make or revoke keys.">
          You signed in with one. Sign out, and sign in with a login.
        </Empty>
      </Section>
    </SettingsPage>
  );
}

function Keys() {
  const keys = usePages("listApiKeys");
  const revoke = useAction("revokeApiKey");
  const isMaking = useSignal(false);
  const made = useSignal<ApiKeyCreated | null>(null);
  const begin = () => (isMaking.value = true);
  useKeys([{ key: "n", label: "New API key", run: begin }]);

  async function ask({ id, name, key_prefix: prefix }: ApiKey): Promise<void> {
    const isSure = await confirm({
      title: `Revoke ${name}?`,
      body: `Whatever uses ${prefix}… is refused from the next request on. This cannot be undone.`,
      confirm: "Revoke the key",
      isDangerous: true,
    });
    if (isSure && (await revoke.run({ params: { api_key_id: id } }))) toast(`${name} is revoked.`);
  }

  return (
    <SettingsPage
      path={PATH}
      actions={
        <button type="button" class="btn main" onClick={begin}>
          New key <kbd>N</kbd>
        </button>
      }
    >
      {revoke.problem !== undefined && <ProblemNote problem={revoke.problem} />}
      <Part of={keys} lines={5}>
        {(rows) =>
          rows.length === 0 ? (
            <Section>
              <Empty
                title="There is no key yet."
                action={
                  <button type="button" class="btn main" onClick={begin}>
                    Make the first
                  </button>
                }
              >
                A key lets a program use the API in the name of this workspace.
              </Empty>
            </Section>
          ) : (
            <Section flush>
              <Table
                caption="API keys, newest first"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    head: "Name",
                    cell: ({ name, key_prefix: prefix }) => (
                      <>
                        {name}
                        <small>
                          <code>{prefix}…</code>
                        </small>
                      </>
                    ),
                  },
                  { head: "State", cell: (key) => <KeyState of={key} /> },
                  { head: "May do", cell: ({ scopes }) => <Scopes of={scopes} /> },
                  {
                    head: "Last used",
                    cell: ({ last_used_at: at }) =>
                      at === null ? <span class="dim">never</span> : <Time at={at} as="ago" />,
                  },
                  { head: "Made", cell: ({ created_at: at }) => <Time at={at} as="date" /> },
                  {
                    head: "Actions",
                    isQuiet: true,
                    cell: (key) =>
                      key.revoked_at === null && (
                        <button type="button" class="btn" onClick={() => void ask(key)}>
                          Revoke<span class="sr"> {key.name}</span>
                        </button>
                      ),
                  },
                ]}
              />
              <More of={keys} />
            </Section>
          )
        }
      </Part>
      {isMaking.value && (
        <Dialog title="New API key" onClose={() => (isMaking.value = false)}>
          <NewApiKey
            onCancel={() => (isMaking.value = false)}
            onMade={(key) => {
              isMaking.value = false;
              made.value = key;
            }}
          />
        </Dialog>
      )}
      {made.value !== null && <ShownOnce of={made.value} onClose={() => (made.value = null)} />}
    </SettingsPage>
  );
}

function KeyState({ of: { revoked_at: revoked, expires_at: expires } }: { of: ApiKey }) {
  if (revoked !== null)
    return (
      <>
        <Status tone="bad">revoked</Status>
        <small>
          <Time at={revoked} as="date" />
        </small>
      </>
    );
  if (expires === null) return <Status tone="good">valid</Status>;
  const isOver = Date.parse(expires) <= serverNow();
  return (
    <>
      <Status tone={isOver ? "bad" : "good"}>{isOver ? "expired" : "valid"}</Status>
      <small>
        {isOver ? "since" : "until"} <Time at={expires} as="full" />
      </small>
    </>
  );
}

function Scopes({ of: scopes }: { of: string[] | null }) {
  if (scopes === null) return <>everything</>;
  return (
    <details>
      <summary>{count(scopes.length, "scope")}</summary>
      <ul class="plain">
        {scopes.map((scope) => (
          <li key={scope}>
            <code>{scope}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ShownOnce({ of: { key, name }, onClose }: { of: ApiKeyCreated; onClose(): void }) {
  return (
    <Dialog title={`${name} is made`} onClose={onClose}>
      {key === null ? (
        <p>
          It was made at the first try, whose answer was lost with the key in it. Revoke it and make
          another.
        </p>
      ) : (
        <>
          <p>Copy the key now: it is shown this once, and nobody can read it again.</p>
          <p class="secret">
            <code>{key}</code>
          </p>
        </>
      )}
      <div class="dialog-foot">
        {key !== null && <CopyButton text={key} label="Copy the key" />}
        <button type="button" class="btn main" onClick={onClose}>
          I have it
        </button>
      </div>
    </Dialog>
  );
}
