import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Problem } from "../api/problem.ts";
import { ProblemNote, useCountdown } from "./problem.tsx";
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
  /** Not the main thing on its page. */
  isQuiet?: boolean;
}) {
  const {
    form,
    onSend,
    submit,
    children,
    onCancel,
    isRecord = false,
    isDangerous = false,
    isQuiet = false,
  } = props;
  const ref = useRef<HTMLFormElement>(null);
  const problem = form.problem.value;
  const left = useCountdown(problem);
  // Drawn again with what is typed.
  void form.values.value;
  const canDiscard = isRecord && form.isChanged();
  useEffect(() => {
    if (problem === undefined) return;
    const wrong = ref.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    // A group of choices takes no focus itself: its first does.
    const field = wrong?.matches("fieldset") ? wrong.querySelector<HTMLElement>("input") : wrong;
    field?.focus();
  }, [problem]);
  return (
    <form
      ref={ref}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (left > 0) return;
        const half = [...event.currentTarget.elements].find(isIncomplete);
        if (half === undefined) return void form.send(onSend);
        form.problem.value = new Problem(422, "INCOMPLETE", "Nothing was sent.", {
          faults: [
            {
              at: half.name,
              message: "This is not complete. Give all of it, or leave it empty.",
            },
          ],
        });
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
          class={isDangerous ? "btn danger" : isQuiet ? "btn" : "btn main"}
          disabled={form.isSending.value || left > 0}
        >
          {form.isSending.value ? "Sending" : left > 0 ? `Possible in ${left} s` : submit}
        </button>
      </div>
    </form>
  );
}

/** A date without its time, say: its value is "", as of a field that was left empty. */
const isIncomplete = (control: Element): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.validity.badInput;

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
  const Changed = useChangedMeanwhile(problem.status === 412);
  if (Changed !== null) return <Changed {...props} />;
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

type Changed = typeof import("./changed-meanwhile.tsx").ChangedMeanwhile;

/** Loaded when it is first needed, which is seldom; until then, and without it, the API's words stand there. */
function useChangedMeanwhile(isNeeded: boolean): Changed | null {
  const part = useSignal<{ part: Changed } | null>(null);
  useEffect(() => {
    if (!isNeeded) return;
    import("./changed-meanwhile.tsx").then(
      ({ ChangedMeanwhile }) => (part.value = { part: ChangedMeanwhile }),
      () => {},
    );
  }, [isNeeded]);
  return isNeeded ? (part.value?.part ?? null) : null;
}
