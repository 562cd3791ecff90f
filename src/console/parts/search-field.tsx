import { useEffect, useRef } from "preact/hooks";
import { setQuery } from "../router.ts";

const AFTER_MS = 250;

/** A search that stands in the address as `q`: it is there again when one comes back; `/` leads to it. */
export function SearchField(props: { label: string; value: string; placeholder?: string }) {
  const { label, value, placeholder } = props;
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    // The way back changes the address; what is just being typed is newer than it.
    if (input.current !== null && document.activeElement !== input.current)
      input.current.value = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (text: string) => setQuery({ q: text.trim() });
  return (
    <form
      role="search"
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        clearTimeout(timer.current);
        search(input.current!.value);
      }}
    >
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        defaultValue={value}
        maxLength={320}
        onInput={(event) => {
          const text = event.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => search(text), AFTER_MS);
        }}
      />
    </form>
  );
}
