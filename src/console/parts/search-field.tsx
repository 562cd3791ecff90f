import { useEffect, useRef } from "preact/hooks";
import { setQuery } from "../router.ts";
import { useTypedSearch } from "./typed-search.ts";

/** A search that stands in the address as `q`: it is there again when one comes back; `/` leads to it. */
export function SearchField(props: { label: string; value: string; placeholder?: string }) {
  const { label, value, placeholder = label } = props;
  return (
    <form
      role="search"
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({ q: new FormData(event.currentTarget).get("q")?.toString().trim() });
      }}
    >
      <SearchInput label={label} value={value} placeholder={placeholder} />
    </form>
  );
}

/** The field of it alone, among other filters; without a label it stands in one. */
export function SearchInput(props: {
  value: string;
  label?: string;
  placeholder?: string;
  maxLength?: number;
}) {
  const { value, label, placeholder, maxLength = 320 } = props;
  const input = useRef<HTMLInputElement>(null);
  const typed = useTypedSearch((text) => setQuery({ q: text.trim() }));
  useEffect(() => {
    // The way back changes the address; what is just being typed is newer than it.
    if (input.current !== null && document.activeElement !== input.current)
      input.current.value = value;
  }, [value]);
  return (
    <input
      ref={input}
      type="search"
      name="q"
      aria-label={label}
      placeholder={placeholder}
      defaultValue={value}
      maxLength={maxLength}
      onInput={(event) => typed(event.currentTarget.value)}
    />
  );
}
