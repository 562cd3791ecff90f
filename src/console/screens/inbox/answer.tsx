import { Problem } from "../../api/problem.ts";
import type { ConversationDetail } from "../../api/schema.ts";
import { useWrite } from "../../api/use.ts";
import { CheckField, TextField } from "../../parts/fields.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { Time } from "../../parts/time.tsx";
import { toast } from "../../parts/toast.tsx";
import { fromLocalInput } from "../../pure/local-input.ts";

interface Newer {
  id: string;
  direction: "in" | "out";
  sent_at: string;
  text: string;
}

/** Holds against what was read when one began to write: what came in meanwhile stands beside one's own words, which stay. */
export function Answer({ of }: { of: ConversationDetail }) {
  const answer = useWrite("answerConversation");
  const change = useWrite("changeConversation");
  const newest = of.messages.at(-1)?.id ?? "";
  const form = useForm(`answer ${of.id}`, {
    body: "",
    quote: false,
    send_at: "",
    done: false,
    seen: newest,
  });
  const { seen } = form.values.value;
  const problem = form.problem.value;
  const refused =
    problem?.code === "CONVERSATION_MOVED_ON"
      ? (problem.more["newer_message"] as Newer)
      : undefined;
  const known = of.messages.at(-1);
  const newer: Newer | undefined =
    refused ?? (form.isChanged() && seen !== newest ? known : undefined);
  const isMail = of.channel === "email";
  const params = { conversation_id: of.id };

  async function send({ body, quote, send_at, done, seen: read }: typeof form.values.value) {
    const at = fromLocalInput(send_at);
    const replied = await answer({
      params,
      body: {
        body,
        ...(isMail && { quote }),
        ...(isMail && at !== null && { send_at: at }),
        ...(read !== "" && { if_last_message_id: read }),
      },
    });
    if (!replied.success)
      throw new Problem(
        200,
        replied.status,
        replied.error ?? "It was not sent, and nobody said why.",
      );
    form.discard();
    toast(
      replied.status === "scheduled"
        ? "Your answer waits for its time."
        : "Your answer is on its way.",
    );
    if (done) await change({ params, body: { state: "done" } });
  }

  return (
    <section class="answer" aria-label="Answer">
      {newer !== undefined && (
        <div class="note warn" role="status">
          <p>
            <b>{newer.direction === "in" ? "They wrote" : "Somebody answered"} meanwhile,</b>{" "}
            <Time at={newer.sent_at} />. Your words below are kept.
          </p>
          <p class="words">{newer.text}</p>
          <p class="note-foot">
            <button
              type="button"
              class="btn"
              onClick={() => {
                form.problem.value = undefined;
                form.set("seen", newer.id);
              }}
            >
              I have read it
            </button>
          </p>
        </div>
      )}
      <Form form={form} submit={isMail ? "Answer by mail" : "Answer on the network"} onSend={send}>
        <TextField
          form={form}
          name="body"
          label={`Answer to ${of.counterpart.name ?? of.counterpart.email ?? "them"}`}
          rows={5}
          maxLength={500_000}
        />
        <div class="row">
          {isMail && <CheckField form={form} name="quote" label="Quote their message" />}
          <CheckField form={form} name="done" label="Done once it is sent" />
        </div>
        {isMail && (
          <details open={form.values.value.send_at !== ""}>
            <summary>Send later</summary>
            <TextField
              form={form}
              name="send_at"
              label="When"
              type="datetime-local"
              hint="By this computer's clock. Empty: at once."
            />
          </details>
        )}
      </Form>
    </section>
  );
}
