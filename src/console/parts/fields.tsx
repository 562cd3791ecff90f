import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useId } from "preact/hooks";
import type { FormState } from "./form-state.ts";

/** The names of a form's values that are of a type. */
type NameOf<Values, Type> = {
  [Name in keyof Values & string]: Values[Name] extends Type ? Name : never;
}[keyof Values & string];

interface FieldProps<Values extends object, Type> {
  form: FormState<Values>;
  name: NameOf<Values, Type>;
  label: string;
  hint?: ComponentChildren;
  /** Where the API names the field otherwise than the form: "transport/host". */
  at?: string;
}

/** What is wrong with a field, in one line however much it is. */
function Fault({ id, faults }: { id: string; faults: { message: string }[] }) {
  if (faults.length === 0) return null;
  return (
    <p class="fault" id={`${id}-fault`}>
      {[...new Set(faults.map(({ message }) => message))].join("; ")}
    </p>
  );
}

/** Label, hint and what is wrong, tied to the control. */
function Field(props: {
  id: string;
  label: string;
  hint: ComponentChildren;
  faults: { message: string }[];
  children: ComponentChildren;
}) {
  const { id, label, hint, faults, children } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Fault id={id} faults={faults} />
    </div>
  );
}

const described = (id: string, hasHint: boolean, hasFault: boolean): string | undefined =>
  [hasFault ? `${id}-fault` : "", hasHint ? `${id}-hint` : ""].filter(Boolean).join(" ") ||
  undefined;

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "form" | "name" | "value" | "label">;

export function TextField<Values extends object>(
  props: FieldProps<Values, string> & InputProps & { rows?: number },
) {
  const { form, name, label, hint, at = name, rows, ...rest } = props;
  const id = useId();
  const faults = form.faultsOf(at);
  const shared = {
    id,
    name: at,
    value: form.values.value[name] as string,
    "aria-invalid": faults.length > 0,
    "aria-describedby": described(id, hint !== undefined, faults.length > 0),
    onInput: (event: { currentTarget: { value: string } }) =>
      form.set(name, event.currentTarget.value as Values[typeof name]),
  };
  return (
    <Field id={id} label={label} hint={hint} faults={faults}>
      {rows === undefined ? (
        <input type="text" {...(rest as object)} {...shared} />
      ) : (
        <textarea rows={rows} {...(rest as object)} {...shared} />
      )}
    </Field>
  );
}

export function SelectField<Values extends object>(
  props: FieldProps<Values, string> & { options: [value: string, label: string][] },
) {
  const { form, name, label, hint, at = name, options } = props;
  const id = useId();
  const faults = form.faultsOf(at);
  return (
    <Field id={id} label={label} hint={hint} faults={faults}>
      <select
        id={id}
        name={at}
        value={form.values.value[name] as string}
        aria-invalid={faults.length > 0}
        aria-describedby={described(id, hint !== undefined, faults.length > 0)}
        onChange={(event) => form.set(name, event.currentTarget.value as Values[typeof name])}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function CheckField<Values extends object>(props: FieldProps<Values, boolean>) {
  const { form, name, label, hint, at = name } = props;
  const id = useId();
  const faults = form.faultsOf(at);
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        name={at}
        checked={form.values.value[name] as boolean}
        aria-invalid={faults.length > 0}
        aria-describedby={described(id, hint !== undefined, faults.length > 0)}
        onChange={(event) => form.set(name, event.currentTarget.checked as Values[typeof name])}
      />
      <div>
        <label for={id}>{label}</label>
        {hint !== undefined && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        <Fault id={id} faults={faults} />
      </div>
    </div>
  );
}

/** Some of a list. */
export function ChoicesField<Values extends object>(
  props: FieldProps<Values, string[]> & { options: [value: string, label: ComponentChildren][] },
) {
  const { form, name, label, hint, at = name, options } = props;
  const id = useId();
  const chosen = form.values.value[name] as string[];
  const faults = form.faultsOf(at);
  const toggle = (value: string, isOn: boolean) =>
    form.set(
      name,
      options
        .map(([each]) => each)
        .filter((each) => (each === value ? isOn : chosen.includes(each))) as Values[typeof name],
    );
  return (
    <fieldset class="choices" aria-invalid={faults.length > 0}>
      <legend>{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {options.map(([value, text]) => (
        <label key={value}>
          <input
            type="checkbox"
            name={at}
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
          <span>{text}</span>
        </label>
      ))}
      <Fault id={id} faults={faults} />
    </fieldset>
  );
}
