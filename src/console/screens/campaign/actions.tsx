import { useSignal } from "@preact/signals";
import { addressOf, call } from "../../api/call.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useAction } from "../../api/use.ts";
import { useKeys } from "../../keys.ts";
import { confirm } from "../../parts/confirm.tsx";
import { Menu } from "../../parts/menu.tsx";
import { ProblemNote } from "../../parts/problem.tsx";
import { toast } from "../../parts/toast.tsx";
import { canDo } from "../../pure/campaign-rules.ts";
import { type Ahead, drainWords, pauseWords, resumeWords } from "../../pure/launch-words.ts";
import { go } from "../../router.ts";
import { askToDelete } from "../campaigns/delete.ts";
import { LaunchDialog } from "./launch-dialog.tsx";
import { AHEAD_DAYS, type Campaign } from "./use-campaign.ts";

const MORE = {
  pause: {
    label: "Pause",
    body: "Nothing begins to be sent any more. It can be resumed at any time.",
    words: pauseWords,
    done: "is paused.",
  },
  resume: {
    label: "Resume",
    body: "It goes on where it stopped.",
    words: resumeWords,
    done: "goes on.",
  },
  drain: {
    label: "Drain",
    body: "Nobody new is written to; who has got a first message gets the rest. A resume takes it back.",
    words: drainWords,
    done: "is being drained.",
  },
} as const;

/** The buttons of a campaign: what its state allows, each with its numbers before it is done. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { campaign_id: id, name, status } = campaign;
  const params = { campaign_id: id };
  const isLaunching = useSignal(false);
  const fault = useSignal<Problem | undefined>(undefined);
  const actions = {
    pause: useAction("pauseCampaign"),
    resume: useAction("resumeCampaign"),
    drain: useAction("drainCampaign"),
    unschedule: useAction("unscheduleCampaign"),
    reset: useAction("resetCampaign"),
    duplicate: useAction("duplicateCampaign"),
    remove: useAction("deleteCampaign"),
  };
  const problem = fault.value ?? Object.values(actions).find((each) => each.problem)?.problem;
  const may = (verb: Parameters<typeof canDo>[0]) => canDo(verb, status);

  /** The numbers are of this moment, not of when the page was opened. */
  async function ask(verb: keyof typeof MORE): Promise<void> {
    fault.value = undefined;
    const { label, body, words, done } = MORE[verb];
    let ahead: Ahead;
    try {
      ahead = await call("forecastCampaign", { params, query: { days: AHEAD_DAYS, limit: 1 } });
    } catch (error) {
      fault.value = asProblem(error);
      return;
    }
    const isSure = await confirm({ title: `${label} ${name}?`, body, confirm: words(ahead) });
    if (isSure && (await actions[verb].run({ params }))) toast(`${name} ${done}`);
  }
  async function run(verb: "unschedule" | "reset", done: string): Promise<void> {
    if (await actions[verb].run({ params })) toast(`${name} ${done}`);
  }
  async function duplicate(): Promise<void> {
    const made = await actions.duplicate.run({ params });
    if (made === undefined) return;
    toast(`${made.name} is a draft.`);
    go(`/campaigns/${made.campaign_id}`);
  }
  async function remove(): Promise<void> {
    if ((await askToDelete(campaign)) && (await actions.remove.run({ params }))) {
      toast(`${name} is deleted.`);
      go("/campaigns");
    }
  }
  const launch = () => (isLaunching.value = true);
  useKeys([
    ...(may("launch") ? [{ key: "l", label: "Launch", run: launch }] : []),
    ...(may("pause") ? [{ key: "p", label: "Pause", run: () => void ask("pause") }] : []),
    ...(may("resume") ? [{ key: "r", label: "Resume", run: () => void ask("resume") }] : []),
  ]);
  return (
    <>
      {may("unschedule") && (
        <button
          type="button"
          class="btn"
          onClick={() => void run("unschedule", "is a draft again.")}
        >
          Take the launch back
        </button>
      )}
      {may("reset") && (
        <button type="button" class="btn" onClick={() => void run("reset", "is a draft again.")}>
          Make it a draft
        </button>
      )}
      {may("drain") && (
        <button type="button" class="btn" onClick={() => void ask("drain")}>
          Drain
        </button>
      )}
      {may("resume") && (
        <button
          type="button"
          class={status === "paused" ? "btn main" : "btn"}
          onClick={() => void ask("resume")}
        >
          Resume <kbd>R</kbd>
        </button>
      )}
      {may("pause") && (
        <button type="button" class="btn" onClick={() => void ask("pause")}>
          Pause <kbd>P</kbd>
        </button>
      )}
      {may("launch") && (
        <button type="button" class="btn main" onClick={launch}>
          Launch <kbd>L</kbd>
        </button>
      )}
      <Menu
        label="More"
        items={[
          { label: "Duplicate", run: () => void duplicate() },
          {
            label: "Download its leads (CSV)",
            href: addressOf("exportCampaignLeads", { params }).url,
          },
          ...(may("delete")
            ? [{ label: "Delete", isDangerous: true, run: () => void remove() }]
            : []),
        ]}
      />
      {problem !== undefined && (
        <div class="below">
          <ProblemNote problem={problem} />
        </div>
      )}
      {isLaunching.value && (
        <LaunchDialog campaign={campaign} onClose={() => (isLaunching.value = false)} />
      )}
    </>
  );
}
