import { signal } from "@preact/signals";

interface Toast {
  id: number;
  text: string;
  action?: { label: string; run(): void };
}

const shown = signal<Toast[]>([]);
let last = 0;
const SHOWN_MS = 8_000;

/** What was done, in the past tense. What went wrong stays where it was asked for, and is no toast. */
export function toast(text: string, action?: Toast["action"]): void {
  const id = ++last;
  shown.value = [...shown.value.slice(-2), { id, text, ...(action ? { action } : {}) }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

function dismiss(id: number): void {
  shown.value = shown.value.filter((each) => each.id !== id);
}

/** Once, in the shell. */
export function ToastHost() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text, action }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {action !== undefined && (
            <button
              type="button"
              class="link"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="link" aria-label="Dismiss" onClick={() => dismiss(id)}>
            &#215;
          </button>
        </div>
      ))}
    </div>
  );
}
