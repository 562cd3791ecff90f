import type { EmailDetail } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { CopyButton } from "../../parts/copy.tsx";
import { Part } from "../../parts/load.tsx";
import { Empty, Facts, Page, Section } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { State } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { emailEventWords, emailSentence } from "../../pure/email-words.ts";
import { href, isPage } from "../../router.ts";
import type { ScreenProps } from "../../routes.ts";

/** Often while it is on its way; then opens and clicks come in. */
const everyOf = (email: EmailDetail | undefined) => (email?.status === "queued" ? 3 : 20);
const CANCELLED = new Set(["queued", "scheduled"]);

export function EmailScreen({ params }: ScreenProps) {
  const id = params["id"]!;
  const email = useQuery("getEmail", { params: { email_id: id } }, { every: everyOf });
  const cancel = useAction("cancelEmail");
  async function ask({ to_email: to, subject }: EmailDetail): Promise<void> {
    const isSure = await confirm({
      title: "Cancel this email?",
      body: `"${subject}" is not sent to ${to}. This cannot be undone; you can write it anew.`,
      confirm: "Cancel the email",
      isDangerous: true,
    });
    if (isSure && (await cancel.run({ params: { email_id: id } })))
      toast("The email is cancelled.");
  }
  const now = email.data;
  return (
    <Page
      title={now?.subject ?? "Single email"}
      crumbs={[{ label: "Single emails", href: href("/emails") }]}
      meta={now && <State of={now.status} />}
      actions={
        now !== undefined &&
        CANCELLED.has(now.status) && (
          <button
            type="button"
            class="btn"
            disabled={cancel.isRunning}
            onClick={() => void ask(now)}
          >
            Cancel it
          </button>
        )
      }
    >
      {cancel.problem !== undefined && <ProblemNote problem={cancel.problem} />}
      <Part of={email} lines={6}>
        {(mail) => (
          <div class="stack">
            <Section title={emailSentence(mail)}>
              <Facts of={factsOf(mail)} />
            </Section>
            <Section title="What came of it" flush>
              {mail.events.length === 0 ? (
                <Empty title="Nothing yet.">
                  {mail.track_opens || mail.track_clicks
                    ? "When it is opened or a link in it is followed, it stands here, with whether that was a person."
                    : "Its opens and clicks are not followed, as it was asked for."}
                </Empty>
              ) : (
                <Table
                  caption="What came of the email"
                  rows={mail.events}
                  keyOf={(event) => event.id}
                  columns={[
                    { head: "When", cell: ({ at }) => <Time at={at} as="exact" /> },
                    {
                      head: "What",
                      isHead: true,
                      cell: (event) => (
                        <>
                          {emailEventWords(event)}
                          {event.reasons.length > 0 && (
                            <small>{event.reasons.join(", ").replaceAll("_", " ")}</small>
                          )}
                        </>
                      ),
                    },
                  ]}
                />
              )}
            </Section>
          </div>
        )}
      </Part>
    </Page>
  );
}

type Fact = Parameters<typeof Facts>[0]["of"][number];

function factsOf(mail: EmailDetail): Fact[] {
  const when: Fact[] = [];
  if (mail.scheduled_at !== null)
    when.push(["Set for", <Time key="set" at={mail.scheduled_at} as="exact" />]);
  if (mail.sent_at !== null) when.push(["Sent", <Time key="sent" at={mail.sent_at} as="exact" />]);
  const conversation = `/inbox/${encodeURIComponent(mail.conversation_id)}`;
  return [
    ["To", mail.to_email],
    ["From", mail.from_email],
    ["Written", <Time key="made" at={mail.created_at} as="exact" />],
    ...when,
    [
      "Followed",
      [mail.track_opens && "opens", mail.track_clicks && "clicks"].filter(Boolean).join(", ") ||
        "nothing",
    ],
    [
      "Message-ID",
      <>
        <code>{mail.message_id}</code> <CopyButton text={mail.message_id} isSmall />
      </>,
    ],
    ...(isPage(conversation)
      ? [
          [
            "Answers",
            <a key="inbox" href={href(conversation)}>
              in its conversation
            </a>,
          ] as Fact,
        ]
      : []),
  ];
}
