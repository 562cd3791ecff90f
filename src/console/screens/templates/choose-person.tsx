import { useSignal } from "@preact/signals";
import { usePages } from "../../api/pages.ts";
import type { Lead } from "../../api/schema.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Part } from "../../parts/load.tsx";
import { More } from "../../parts/table.tsx";
import { leadName, reachedBy } from "../../pure/lead-words.ts";

/** A real person to try a text on, found by a part of the name, company or address. */
export function ChoosePerson(props: { lead: Lead | null; onLead(lead: Lead | null): void }) {
  const { lead, onLead } = props;
  const isOpen = useSignal(false);
  const q = useSignal("");
  const close = () => (isOpen.value = false);
  return (
    <p class="row">
      <button type="button" class="btn" onClick={() => (isOpen.value = true)}>
        {lead === null ? "Try it on a person" : "Another person"}
      </button>
      {lead !== null && (
        <button type="button" class="link" onClick={() => onLead(null)}>
          Sample values again
        </button>
      )}
      {isOpen.value && (
        <Dialog title="Try it on a person" onClose={close}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const field = new FormData(event.currentTarget).get("q");
              q.value = typeof field === "string" ? field.trim() : "";
            }}
          >
            <label class="field">
              <span>Name, company or address</span>
              <input type="search" name="q" defaultValue={q.value} maxLength={320} />
            </label>
            <div class="dialog-foot">
              <button type="submit" class="btn main">
                Search
              </button>
            </div>
          </form>
          {q.value !== "" && (
            <Found
              q={q.value}
              onLead={(chosen) => {
                onLead(chosen);
                close();
              }}
            />
          )}
        </Dialog>
      )}
    </p>
  );
}

function Found({ q, onLead }: { q: string; onLead(lead: Lead): void }) {
  const leads = usePages("findLeads", { query: { q, limit: 8 } });
  return (
    <Part of={leads}>
      {(rows) => (
        <>
          <ul class="plain choices-list">
            {rows.map((lead) => (
              <li key={lead.id}>
                <button type="button" class="btn wide" onClick={() => onLead(lead)}>
                  {leadName(lead)} <span class="dim">{reachedBy(lead)}</span>
                </button>
              </li>
            ))}
          </ul>
          {rows.length === 0 && !leads.hasMore && <p class="dim">Nobody is found.</p>}
          <More of={leads} />
        </>
      )}
    </Part>
  );
}
