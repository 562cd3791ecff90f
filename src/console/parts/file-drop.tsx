import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";

/** A file by its button, or dropped on it. */
export function FileDrop(props: {
  label: string;
  /** As in `<input accept>`: ".csv". */
  accept?: string;
  hint?: string;
  onFile(file: File): void;
}) {
  const { label, accept, hint, onFile } = props;
  const isOver = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div
      class={isOver.value ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        const file = event.dataTransfer?.files[0];
        if (file !== undefined) onFile(file);
      }}
    >
      <button type="button" class="btn" onClick={() => input.current?.click()}>
        {label}
      </button>
      <span class="dim">or drop it here{hint === undefined ? "" : `. ${hint}`}</span>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        {...(accept === undefined ? {} : { accept })}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // The same file may be chosen again.
          event.currentTarget.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
    </div>
  );
}
