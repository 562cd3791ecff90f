import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";
import { Facts } from "./page.tsx";

export interface Question {
  title: string;
  /** What will happen, in a sentence. */
  body?: ComponentChildren;
  /** The numbers of it: people, messages, when it ends. */
  facts?: [name: string, value: ComponentChildren][];
  /** The word on the button says what it does: "Launch: 671 people". */
  confirm: string;
  isDangerous?: boolean;
  /** Has to be typed before it goes on: the name of what is deleted for good. */
  typed?: string;
}

/** What is typed may differ in what is not seen: how an accent is written, how many blanks there are. */
const seenOf = (text: string): string => text.normalize().replace(/\s+/g, " ").trim();

const asked = signal<{ question: Question; answer(isYes: boolean): void } | null>(null);

/** `if (await confirm({...})) ...` */
export function confirm(question: Question): Promise<boolean> {
  asked.peek()?.answer(false);
  return new Promise((resolve) => {
    asked.value = {
      question,
      answer(isYes) {
        asked.value = null;
        resolve(isYes);
      },
    };
  });
}

/** Once, in the shell. */
export function ConfirmHost() {
  const now = asked.value;
  if (now === null) return null;
  return <Asking key={now.question.title} {...now} />;
}

function Asking({ question, answer }: NonNullable<typeof asked.value>) {
  const typed = useSignal("");
  const { title, body, facts, isDangerous = false } = question;
  const isReady = question.typed === undefined || seenOf(typed.value) === seenOf(question.typed);
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) answer(true);
        }}
      >
        {body !== undefined && <p>{body}</p>}
        {facts !== undefined && <Facts of={facts} />}
        {question.typed !== undefined && (
          <label class="field">
            <span>
              Type <b>{question.typed}</b> to go on
            </span>
            <input
              value={typed.value}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
          </label>
        )}
        <div class="dialog-foot">
          <button type="button" class="btn" onClick={() => answer(false)}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? "btn danger" : "btn main"} disabled={!isReady}>
            {question.confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
