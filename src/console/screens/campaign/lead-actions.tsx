import { useSignal } from "@preact/signals";
import type { LeadsActedOn, LeadsAction } from "../../api/schema.ts";
import { useAction } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Menu } from "../../parts/menu.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { toast } from "../../parts/toast.tsx";
import { inParts } from "../../pure/in-parts.ts";
import { count } from "../../pure/words.ts";
import { HoldForm } from "./hold-form.tsx";

/** The API takes so many at once. */
const MOST = 500;

type Deed = LeadsAction extends infer Each
  ? Each extends { campaign_lead_ids: unknown }
    ? Omit<Each, "campaign_lead_ids">
    : never
  : never;

/** What can be done with the chosen leads, many at once; what was not possible is said lead by lead. */
export function LeadActions(props: {
  campaignId: string;
  ids: string[];
  zone: string;
  /** Of a list: choosing all that is shown. Absent where there is one lead. */
  isAll?: boolean;
  onAll?: (isOn: boolean) => void;
  /** With those that were not reached: a part before them failed. */
  onDone: (left: string[]) => void;
}) {
  const { campaignId, ids, zone, isAll = false, onAll, onDone } = props;
  const act = useAction("actOnCampaignLeads");
  const isHolding = useSignal(false);
  const failed = useSignal<LeadsActedOn["results"]>([]);
  const leads = count(ids.length, "lead");
  const isNone = ids.length === 0 || act.isRunning;

  async function run(deed: Deed, done: string): Promise<void> {
    const { answers, left } = await inParts(ids, MOST, (some) => {
      const body = { ...deed, campaign_lead_ids: some } as LeadsAction;
      return act.run({ params: { campaign_id: campaignId }, body });
    });
    if (answers.length === 0) return;
    failed.value = answers.flatMap(({ results }) => results.filter(({ code }) => code !== null));
    const succeeded = answers.reduce((sum, each) => sum + each.succeeded, 0);
    const rest = left.length === 0 ? "" : `, ${count(left.length, "lead")} not yet`;
    toast(`${count(succeeded, "lead")} ${done}${rest}.`);
    onDone(left);
  }
  async function stop(): Promise<void> {
    const isSure = await confirm({
      title: `Stop ${leads}?`,
      body: "Nothing more is sent to them in this campaign. They can be resumed.",
      confirm: `Stop ${leads}`,
      isDangerous: true,
    });
    if (isSure) await run({ action: "stop" }, "stopped");
  }
  return (
    <>
      <div class="picked">
        {onAll !== undefined && (
          <label class="check">
            <input
              type="checkbox"
              checked={isAll}
              onChange={(event) => onAll(event.currentTarget.checked)}
            />
            <span>{ids.length === 0 ? "Choose all that is shown" : `${leads} chosen`}</span>
          </label>
        )}
        <button
          type="button"
          class="btn"
          disabled={isNone}
          onClick={() => (isHolding.value = true)}
        >
          Hold
        </button>
        <button
          type="button"
          class="btn"
          disabled={isNone}
          onClick={() => void run({ action: "release" }, "released")}
        >
          Release
        </button>
        <button type="button" class="btn" disabled={isNone} onClick={() => void stop()}>
          Stop
        </button>
        {ids.length > 0 && (
          <Menu
            label="Mark as"
            items={[
              {
                label: "Replied",
                run: () => void run({ action: "mark", as: "replied" }, "marked as replied"),
              },
              {
                label: "Not replied after all",
                run: () => void run({ action: "mark", as: "not_replied" }, "go on"),
              },
              {
                label: "Resumed",
                run: () => void run({ action: "mark", as: "resumed" }, "resumed"),
              },
            ]}
          />
        )}
      </div>
      {act.problem !== undefined && <ProblemNote problem={act.problem} />}
      {failed.value.length > 0 && <Failed of={failed.value} onClose={() => (failed.value = [])} />}
      {isHolding.value && (
        <Dialog title={`Hold ${leads}`} onClose={() => (isHolding.value = false)}>
          <HoldForm
            zone={zone}
            submit={`Hold ${leads}`}
            onCancel={() => (isHolding.value = false)}
            onHold={async (hold) => {
              isHolding.value = false;
              await run({ action: "hold", ...hold }, "held");
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function Failed({ of, onClose }: { of: LeadsActedOn["results"]; onClose: () => void }) {
  const reasons = [...new Set(of.map(({ message }) => message))];
  return (
    <div class="note warn" role="alert">
      <p>
        <b>{count(of.length, "lead")} stayed as before.</b>
      </p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>
            {reason} ({count(of.filter(({ message }) => message === reason).length, "lead")})
          </li>
        ))}
      </ul>
      <p class="note-foot">
        <button type="button" class="btn" onClick={onClose}>
          Good
        </button>
      </p>
    </div>
  );
}
