import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ProblemNote, useCountdown } from "./problem.tsx";
import { words } from "../pure/words.ts";
import type { FormState } from "./form-state.ts";

export { useForm, type FormState } from "./form-state.ts";

/**
 * A form that loses nothing: what the API says of a field stands at the field, the rest above the buttons, and the
 * first that is wrong takes the focus. `onSend` throws a `Problem` where it failed.
 */
export function Form<Values extends object>(props: {
  form: FormState<Values>;
  onSend(values: Values): Promise<void>;
  submit: string;
  children: ComponentChildren;
  onCancel?: (() => void) | undefined;
  /** Of something that is there: what is not saved yet is said, and can be thrown away. */
  isRecord?: boolean;
  isDangerous?: boolean;
}) {
  const { form, onSend, submit, children, onCancel, isRecord = false, isDangerous = false } = props;
  const ref = useRef<HTMLFormElement>(null);
  const problem = form.problem.value;
  const left = useCountdown(problem);
  // Drawn again with what is typed.
  void form.values.value;
  const canDiscard = isRecord && form.isChanged();
  useEffect(() => {
    if (problem === undefined) return;
    ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [problem]);
  return (
    <form
      ref={ref}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (left === 0) void form.send(onSend);
      }}
    >
      {children}
      {problem !== undefined && <FormProblem form={form} formRef={ref} />}
      <div class="form-foot">
        {canDiscard && (
          <>
            <span class="dim">Not saved yet</span>
            <button type="button" class="btn" onClick={() => form.discard()}>
              Discard
            </button>
          </>
        )}
        {onCancel !== undefined && (
          <button type="button" class="btn" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button
          type="submit"
          class={isDangerous ? "btn danger" : "btn main"}
          disabled={form.isSending.value || left > 0}
        >
          {form.isSending.value ? "Sending" : left > 0 ? `Possible in ${left} s` : submit}
        </button>
      </div>
    </form>
  );
}

/** What no field of the form shows. */
function FormProblem<Values extends object>(props: {
  form: FormState<Values>;
  formRef: { current: HTMLFormElement | null };
}) {
  const problem = props.form.problem.value!;
  const shown = new Set(
    [...(props.formRef.current?.elements ?? [])].map((field) => (field as HTMLInputElement).name),
  );
  const isShown = (at: string) =>
    [...shown].some((name) => name !== "" && (at === name || at.startsWith(`${name}/`)));
  const others = problem.faults.filter(({ at }) => !isShown(at));
  if (problem.status === 412) return <ChangedMeanwhile {...props} />;
  return (
    <ProblemNote problem={problem}>
      {others.map(({ at, message }) => (
        <span key={at}>
          {" "}
          <b>{at}</b> {message}
        </span>
      ))}
    </ProblemNote>
  );
}

/** What another changed beside what is typed here: nothing is overwritten until the person says which counts. */
function ChangedMeanwhile<Values extends object>(props: {
  form: FormState<Values>;
  formRef: { current: HTMLFormElement | null };
}) {
  const { form, formRef } = props;
  const labelOf = (name: string) => {
    const field = formRef.current?.elements.namedItem(name);
    return (field instanceof HTMLElement && labelled(field)) || words(name);
  };
  const differences = form.differences();
  return (
    <div class="note warn" role="alert">
      <p>
        <b>Somebody changed it meanwhile.</b> Nothing is saved yet.{" "}
        {differences.length === 0
          ? "Of the fields here none is otherwise than when you began."
          : "Say which counts."}
      </p>
      {differences.length > 0 && (
        <dl class="changed">
          {differences.map(({ name, before, now, ...rest }) => (
            <div key={name}>
              <dt>{labelOf(name)}</dt>
              <dd>
                was {shown(before)}, is now <b>{shown(now)}</b>
                {"typed" in rest && (
                  <>
                    , here {shown(rest.typed)}{" "}
                    <button type="button" class="link" onClick={() => form.rebase(name)}>
                      Take theirs
                    </button>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p class="note-foot">
        <button type="button" class="btn" onClick={() => form.rebase()}>
          Keep what I typed
        </button>
        <button type="button" class="btn" onClick={() => form.discard()}>
          Take what is there now
        </button>
      </p>
    </div>
  );
}

const labelled = (field: HTMLElement): string | undefined =>
  (field as HTMLInputElement).labels?.[0]?.textContent ?? undefined;

const LONGEST = 120;

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "empty";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `\u201c${text.slice(0, LONGEST)}…\u201d` : `\u201c${text}\u201d`;
}
