import { setQuery } from "../router.ts";

/** One of a list's filters, which stands in the address as `name`; a value of the address that is no option is shown too. */
export function FilterSelect(props: {
  name: string;
  label: string;
  value: string | null | undefined;
  options: readonly (readonly [value: string, label: string])[];
  /** What no choice is called; without it there is always one. */
  any?: string;
  /** The label is for who does not see what is chosen. */
  isQuiet?: boolean;
}) {
  const { name, label, value, options, any, isQuiet = false } = props;
  const isOther = value && !options.some(([each]) => each === value);
  const select = (
    <select
      aria-label={isQuiet ? label : undefined}
      value={value ?? ""}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      {any !== undefined && <option value="">{any}</option>}
      {options.map(([each, said]) => (
        <option key={each} value={each}>
          {said}
        </option>
      ))}
      {isOther && <option>{value}</option>}
    </select>
  );
  return isQuiet ? (
    select
  ) : (
    <label>
      {label} {select}
    </label>
  );
}
