import { useSignal } from "@preact/signals";
import { usePages } from "../../api/pages.ts";
import { useAction } from "../../api/use.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Part } from "../../parts/load.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { More } from "../../parts/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { useTypedSearch } from "../../parts/typed-search.ts";
import { count, words } from "../../pure/words.ts";
import type { Campaign } from "./use-campaign.ts";

/** Leads of any dataset, found by a part of their address, name or company. */
export function AddPeople({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const part = useSignal("");
  const picked = useSignal<ReadonlyMap<string, string>>(new Map());
  const add = useAction("addCampaignLeads");
  const search = useTypedSearch((text) => (part.value = text.trim()));

  async function run(): Promise<void> {
    const answer = await add.run({
      params: { campaign_id: campaign.campaign_id },
      body: { lead_ids: [...picked.peek().keys()] },
    });
    if (answer === undefined) return;
    const why = [...new Set(answer.skipped.map(({ code }) => words(code)))].join(", ");
    const left = answer.skipped.length === 0 ? "" : `; ${answer.skipped.length} stayed out: ${why}`;
    toast(`${count(answer.added, "person", "people")} added${left}.`);
    onClose();
  }
  const people = count(picked.value.size, "person", "people");
  return (
    <Dialog title={`Add people to ${campaign.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (picked.value.size > 0) void run();
        }}
      >
        <label class="field">
          <span>Address, name or company</span>
          <input
            type="search"
            maxLength={320}
            onInput={(event) => search(event.currentTarget.value)}
          />
        </label>
        {part.value !== "" && <Found part={part.value} picked={picked} />}
        {add.problem !== undefined && <ProblemNote problem={add.problem} />}
        <div class="dialog-foot">
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class="btn main"
            disabled={picked.value.size === 0 || add.isRunning}
          >
            Add {people}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Found(props: { part: string; picked: { value: ReadonlyMap<string, string> } }) {
  const { part, picked } = props;
  const found = usePages("findLeads", { query: { q: part, limit: 20 } });
  return (
    <Part of={found} lines={4}>
      {(rows) => (
        <fieldset class="choices">
          <legend>Found</legend>
          {rows.length === 0 && <p class="dim">Nobody is like that.</p>}
          {rows.map(({ id, email, first_name: first, last_name: last, company }) => {
            const name = [first, last].filter(Boolean).join(" ");
            return (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={picked.value.has(id)}
                  onChange={(event) => {
                    const next = new Map(picked.value);
                    if (event.currentTarget.checked) next.set(id, name);
                    else next.delete(id);
                    picked.value = next;
                  }}
                />
                <span>
                  {name || email}
                  <small>{[email, company].filter(Boolean).join(", ")}</small>
                </span>
              </label>
            );
          })}
          <More of={found} />
        </fieldset>
      )}
    </Part>
  );
}
