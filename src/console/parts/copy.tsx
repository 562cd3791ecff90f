import { useSignal } from "@preact/signals";

export function CopyButton(props: { text: string; label?: string; isSmall?: boolean }) {
  const { text, label = "Copy", isSmall = false } = props;
  const said = useSignal("");
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "Copied";
    } catch {
      said.value = "Not allowed: select it and copy";
    }
    setTimeout(() => (said.value = ""), 2_000);
  }
  return (
    <button
      type="button"
      class={isSmall ? "link" : "btn"}
      aria-label={label}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{said.value === "" ? (isSmall ? "Copy" : label) : said.value}</span>
    </button>
  );
}
