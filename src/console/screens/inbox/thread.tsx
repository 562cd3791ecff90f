import { useSignal } from "@preact/signals";
import type { Ref } from "preact";
import { useEffect, useImperativeHandle, useRef } from "preact/hooks";
import type { ConversationChange, ConversationDetail } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { href } from "../../router.ts";
import { classWords } from "../../pure/inbox-words.ts";
import { words } from "../../pure/words.ts";
import { Answer } from "./answer.tsx";
import { EffectNote } from "./effect.tsx";
import { ThreadMessage } from "./message.tsx";
import { Snooze } from "./snooze.tsx";

/** What the keys of the screen do with the thread that is shown. */
export interface ThreadHandle {
  done(): void;
  answer(): void;
  snooze(): void;
}

const READ_EVERY_SECONDS = 10;
const CLASSES = [
  ...["reply", "possible_opt_out", "out_of_office", "auto_reply", "challenge"],
  ...["left_company", "automated"],
] as const;
const INTENTS = [
  ...["interested", "question", "referral", "not_now", "not_interested", "unclear"],
] as const;

export function Thread(props: {
  id: string;
  back: string;
  handle: Ref<ThreadHandle>;
  /** What was done, for the undo of the screen. */
  onChanged(said: string, undo: ConversationChange): void;
}) {
  const { id, back, handle, onChanged } = props;
  const thread = useQuery(
    "getConversation",
    { params: { conversation_id: id } },
    { every: READ_EVERY_SECONDS },
  );
  const change = useAction("changeConversation");
  const read = useAction("readConversation");
  const isSnoozing = useSignal(false);
  const place = useRef<HTMLElement>(null);
  const { data } = thread;
  const isUnread = data?.unread === true;
  useEffect(() => {
    if (isUnread) void read.run({ params: { conversation_id: id } });
  }, [id, isUnread]);

  async function make(body: ConversationChange, said: string): Promise<void> {
    if (data === undefined) return;
    const before = undoing(data, body);
    if (await change.run({ params: { conversation_id: id }, body })) onChanged(said, before);
  }
  const done = () =>
    data?.state === "done"
      ? make({ state: "open" }, "Open again.")
      : make({ state: "done" }, "Done.");
  useImperativeHandle(handle, () => ({
    done: () => void done(),
    answer: () => place.current?.querySelector<HTMLElement>("textarea")?.focus(),
    snooze: () => (isSnoozing.value = true),
  }));

  return (
    <section class="sheet thread" aria-label="Thread" ref={place}>
      <p class="split-back">
        <a href={back}>All conversations</a>
      </p>
      <Part of={thread} lines={8}>
        {(of) => (
          <>
            <header class="head">
              <h2>{of.subject ?? "No subject"}</h2>
              <div class="actions">
                <button type="button" class="btn" onClick={() => void done()}>
                  {of.state === "done" ? "Open again" : "Done"} <kbd>E</kbd>
                </button>
                <button type="button" class="btn" onClick={() => (isSnoozing.value = true)}>
                  {of.state === "snoozed" ? "Snoozed" : "Snooze"} <kbd>S</kbd>
                </button>
              </div>
            </header>
            <Counterpart of={of} />
            <EffectNote of={of} />
            <div class="row">
              <label class="row">
                <span class="dim">What it is</span>
                <select
                  value={of.class ?? ""}
                  disabled={change.isRunning}
                  onChange={({ currentTarget: { value } }) => {
                    const heard = CLASSES.find((each) => each === value);
                    if (heard) void make({ class: heard }, `It is: ${classWords(heard)}.`);
                  }}
                >
                  {of.class === null && <option value="">nothing came in yet</option>}
                  {CLASSES.map((each) => (
                    <option key={each} value={each}>
                      {classWords(each)}
                    </option>
                  ))}
                </select>
              </label>
              <label class="row">
                <span class="dim">Intent</span>
                <select
                  value={of.intent ?? ""}
                  disabled={change.isRunning}
                  onChange={({ currentTarget: { value } }) => {
                    const intent = INTENTS.find((each) => each === value) ?? null;
                    void make({ intent }, intent ? `Intent: ${words(intent)}.` : "No intent.");
                  }}
                >
                  <option value="">none</option>
                  {INTENTS.map((each) => (
                    <option key={each} value={each}>
                      {words(each)}
                    </option>
                  ))}
                </select>
              </label>
            </div>
            {[change, read].map(
              ({ problem }, index) => problem && <ProblemNote key={index} problem={problem} />,
            )}
            {of.messages.map((message) => (
              <ThreadMessage key={message.id} of={message} conversationId={id} />
            ))}
            <Answer of={of} />
            {isSnoozing.value && (
              <Snooze
                onClose={() => (isSnoozing.value = false)}
                onChosen={(until) => {
                  isSnoozing.value = false;
                  void make({ state: "snoozed", snooze_until: until }, "Snoozed.");
                }}
              />
            )}
          </>
        )}
      </Part>
    </section>
  );
}

/** What takes a change back. A snooze that ran out meanwhile is open. */
function undoing(of: ConversationDetail, body: ConversationChange): ConversationChange {
  return {
    ...(body.class === undefined || of.class === null
      ? {}
      : { class: of.class as NonNullable<ConversationChange["class"]> }),
    ...(body.intent === undefined ? {} : { intent: of.intent }),
    ...(body.state === undefined
      ? {}
      : of.state === "snoozed" && of.snooze_until !== null
        ? { state: of.state, snooze_until: of.snooze_until }
        : { state: of.state === "snoozed" ? ("open" as const) : of.state }),
  };
}

function Counterpart({ of }: { of: ConversationDetail }) {
  const { counterpart, lead_id: leadId, campaign_id: campaignId } = of;
  // As the filters have asked already.
  const campaigns = useQuery("listCampaigns", { query: { limit: 100 } });
  const campaign = campaigns.data?.items.find((each) => each.campaign_id === campaignId);
  const { name, email, company } = counterpart;
  const who = [name, email === name ? null : email, company].filter(Boolean).join(", ");
  return (
    <p class="counterpart">
      {leadId === null ? who : <a href={href(`/person/${leadId}`)}>{who || "The person"}</a>}
      {campaignId !== null && (
        <>
          {" "}
          <span class="dim">in</span>{" "}
          <a href={href(`/campaigns/${campaignId}`)}>{campaign?.name ?? "the campaign"}</a>
        </>
      )}
    </p>
  );
}
