import { words } from "../pure/words.ts";
import type { FormState } from "./form-state.ts";

/** What another changed beside what is typed here: nothing is overwritten until the person says which counts. */
export function ChangedMeanwhile<Values extends object>(props: {
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
