import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  /** As the API names the place: "steps/0/delay_days". */
  at: string;
  label: string;
  fault: string | null;
  hint?: string | undefined;
  isNarrow?: boolean;
  isLocked?: boolean;
}

/** A field of a list in a form, tied to what the API says of it. */
function Field(
  props: FieldProps & {
    children: (control: object) => ComponentChildren;
  },
) {
  const { at, label, fault, hint, isNarrow = false, isLocked = false, children } = props;
  const id = useId();
  const described = [fault === null ? "" : `${id}-fault`, hint === undefined ? "" : `${id}-hint`]
    .filter(Boolean)
    .join(" ");
  return (
    <div class={isNarrow ? "field narrow" : "field"}>
      <label for={id}>{label}</label>
      {children({
        id,
        name: at,
        disabled: isLocked,
        "aria-invalid": fault !== null,
        ...(described === "" ? {} : { "aria-describedby": described }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== null && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

export function Text(
  props: FieldProps & {
    value: string;
    onInput(value: string): void;
    rows?: number;
    inputmode?: "numeric";
    placeholder?: string;
  },
) {
  const { value, onInput, rows, inputmode, placeholder, ...field } = props;
  const input = (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value);
  return (
    <Field {...field}>
      {(control) =>
        rows === undefined ? (
          <input
            type="text"
            autocomplete="off"
            {...control}
            {...(inputmode === undefined ? {} : { inputmode })}
            placeholder={placeholder}
            value={value}
            onInput={input}
          />
        ) : (
          <textarea {...control} rows={rows} value={value} onInput={input} />
        )
      }
    </Field>
  );
}

export function Select(
  props: FieldProps & {
    value: string;
    onInput(value: string): void;
    options: readonly (readonly [value: string, label: string])[];
  },
) {
  const { value, onInput, options, ...field } = props;
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onInput(event.currentTarget.value)}>
          {options.map(([each, label]) => (
            <option key={each} value={each}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Check(props: {
  at: string;
  label: string;
  isOn: boolean;
  isLocked: boolean;
  onChange(isOn: boolean): void;
}) {
  const { at, label, isOn, isLocked, onChange } = props;
  return (
    <label class="check">
      <input
        type="checkbox"
        name={at}
        checked={isOn}
        disabled={isLocked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
