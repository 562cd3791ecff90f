import type { MailAlias } from "../../api/schema.ts";
import { useAction, useQuery, useWrite, type Query } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { Form, useForm } from "../../parts/form.tsx";
import { DeleteProblem } from "../../parts/in-use.tsx";
import { Part } from "../../parts/load.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Meter } from "../../parts/meter.tsx";
import { Facts, Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { State, Status } from "../../parts/status.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { aliasChange, SECRETS, valuesOf } from "../../pure/alias-form.ts";
import { consentWords, rampWords, whatToDo } from "../../pure/sender-words.ts";
import { href } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";
import { AliasFields } from "./alias-fields.tsx";
import { AliasTest, OauthConnect } from "./alias-test.tsx";
import { askToDeleteAlias } from "./delete-alias.tsx";

export function AliasScreen({ params, query }: ScreenProps) {
  const of = { params: { alias_id: params["id"]! } };
  const alias = useQuery("getMailAlias", of);
  const change = useAction("changeMailAlias");
  const remove = useAction("deleteMailAlias");
  const test = useAction("testMailAlias");
  useKeys([{ key: "t", label: "Test this alias", run: () => void runTest() }]);
  const { data } = alias;
  const came = query.get("status");

  async function runTest(): Promise<void> {
    await test.run(of);
  }
  async function set(body: { status?: "active" | "paused"; is_default?: true }, said: string) {
    if (await change.run({ ...of, body }, { ifMatch: alias.etag })) toast(said);
  }
  const isOpen = data?.status === "active" || data?.status === "pending";
  const items =
    data === undefined
      ? []
      : [
          ...(data.is_default
            ? []
            : [
                {
                  label: "Make it the default",
                  run: () => void set({ is_default: true }, `${data.email} is the default now.`),
                },
              ]),
          isOpen
            ? {
                label: "Pause",
                run: () => void set({ status: "paused" }, `${data.email} is paused.`),
              }
            : {
                label: "Resume",
                run: () => void set({ status: "active" }, `${data.email} sends again.`),
              },
          {
            label: "Delete",
            isDangerous: true,
            run: () => void askToDeleteAlias(data, alias.etag, remove),
          },
        ];
  return (
    <Page
      title={data?.email ?? "Mail alias"}
      crumbs={[{ label: "Senders", href: href("/senders") }]}
      meta={
        data && (
          <>
            <State of={data.status} />
            {data.is_default && <Status tone="quiet">default</Status>}
          </>
        )
      }
      actions={
        data && (
          <>
            <button
              type="button"
              class="btn"
              disabled={test.isRunning}
              onClick={() => void runTest()}
            >
              {test.isRunning ? "Testing" : "Test"} <kbd>T</kbd>
            </button>
            <Menu label="More" items={items} />
          </>
        )
      }
    >
      {came !== null && <Came status={came} />}
      {[change, test].map(
        ({ problem }, index) => problem && <ProblemNote key={index} problem={problem} />,
      )}
      {remove.problem !== undefined && <DeleteProblem problem={remove.problem} />}
      <Part of={alias} lines={8}>
        {(now) => (
          <div class="two">
            <div class="stack">
              <Now of={now} />
              <OauthConnect of={now} />
              {test.answer !== undefined && <AliasTest of={test.answer} />}
            </div>
            <Edit of={now} query={alias} />
          </div>
        )}
      </Part>
    </Page>
  );
}

function Came({ status }: { status: string }) {
  const { isGood, text } = consentWords(status);
  return (
    <div class={isGood ? "note" : "note bad"} role="status">
      <p>{text}</p>
    </div>
  );
}

function Now({ of }: { of: MailAlias }) {
  const advice = whatToDo(of);
  const ramp = rampWords(of);
  return (
    <Section title="Now">
      {advice !== null && (
        <div class={of.status === "error" ? "note bad" : "note warn"}>
          <p>{advice}</p>
          {of.last_error !== null && (
            <p>
              <code>{of.last_error}</code>
            </p>
          )}
        </div>
      )}
      <Facts
        of={[
          ["Sent today", <Meter value={of.sent_today} of={of.cap_today} />],
          ["At most a day", String(of.daily_limit)],
          ...(ramp === null ? [] : [["Ramp", ramp] as [string, string]]),
          ["Inbox", <Inbox of={of} />],
          [
            "Replies",
            {
              yes: "come back to this service",
              no: "do not come back: read the inbox, or let its mail be forwarded",
              unknown: "not tested yet",
            }[of.replies_return],
          ],
          ["Added", <Time at={of.created_at} as="date" />],
        ]}
      />
    </Section>
  );
}

function Inbox({ of: { inbox } }: { of: MailAlias }) {
  if (inbox === null) return <>is not read</>;
  return (
    <>
      <State of={inbox.status} /> {inbox.host}
      {inbox.last_read_at !== null && (
        <small>
          read <Time at={inbox.last_read_at} as="ago" />
        </small>
      )}
      {inbox.last_error !== null && (
        <small>
          <code>{inbox.last_error}</code>
        </small>
      )}
    </>
  );
}

function Edit({ of, query }: { of: MailAlias; query: Query<"getMailAlias"> }) {
  const write = useWrite("changeMailAlias");
  const form = useForm(`alias ${of.id}`, valuesOf(of), {
    secrets: SECRETS,
    etag: query.etag ?? null,
  });
  return (
    <Section title="Settings">
      <Form
        form={form}
        submit="Save"
        onSend={async (values) => {
          const body = aliasChange(values, form.changes());
          await write({ params: { alias_id: of.id }, body }, { ifMatch: form.etag });
          toast("Saved.");
        }}
      >
        <AliasFields form={form} isNew={false} />
      </Form>
    </Section>
  );
}
