import { useSignal } from "@preact/signals";
import { serverNow } from "../../api/clock.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Time } from "../../parts/time.tsx";
import { snoozes } from "../../pure/inbox-words.ts";
import { fromLocalInput } from "../../pure/local-input.ts";

export function Snooze(props: { onChosen(until: string): void; onClose(): void }) {
  const { onChosen, onClose } = props;
  const own = useSignal("");
  const until = fromLocalInput(own.value);
  return (
    <Dialog title="Snooze until" onClose={onClose}>
      <div class="stack">
        {snoozes(new Date(serverNow())).map(([label, at]) => (
          <button
            key={label}
            type="button"
            class="btn wide"
            onClick={() => onChosen(at.toISOString())}
          >
            {label}
            <span class="dim">
              <Time at={at.getTime()} />
            </span>
          </button>
        ))}
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            if (until !== null) onChosen(until);
          }}
        >
          <input
            type="datetime-local"
            aria-label="Another time"
            value={own.value}
            onInput={(event) => (own.value = event.currentTarget.value)}
          />
          <button type="submit" class="btn main" disabled={until === null}>
            Snooze
          </button>
        </form>
        <p class="hint">It comes back by itself, and at once if they write.</p>
      </div>
    </Dialog>
  );
}
