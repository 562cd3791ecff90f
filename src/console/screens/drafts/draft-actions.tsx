import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { asProblem, Problem } from "../../api/problem.ts";
import type { PlaygroundDraft } from "../../api/schema.ts";
import { type Query, useWrite } from "../../api/use.ts";
import { confirm } from "../../parts/confirm.tsx";
import { toast } from "../../parts/toast.tsx";
import { go } from "../../router.ts";
import { doubts, overOf, placeOf } from "../../pure/draft-queue.ts";
import { learnMe } from "../../session.ts";
import { approvedOf, WAITS_FOR_REVIEW } from "./approved.ts";
import { nameOf } from "./list.tsx";

/** What takes the last decision back, whichever draft is shown meanwhile. */
const lastDone = signal<(() => Promise<void>) | null>(null);

export interface DraftOf {
  of: PlaygroundDraft;
  campaignId: string;
  batchId: string;
  step: number;
  lead: Query<"getCampaignLead">;
  patch(change: Partial<PlaygroundDraft>): void;
  onDecided(): void;
}

type Changes = { subject?: string; body?: string };

/** What a person can do with a draft: each says what went wrong where it stands, and can be taken back. */
export function useDraftActions(draft: DraftOf) {
  const { of, campaignId, batchId, step, lead, patch, onDecided } = draft;
  const params = { campaign_id: campaignId, campaign_lead_id: of.campaign_lead_id };
  const [approveIt, unapprove] = [useWrite("approveDraft"), useWrite("unapproveDraft")];
  const [hold, release] = [useWrite("holdCampaignLead"), useWrite("releaseCampaignLead")];
  const generate = useWrite("generatePlaygroundDrafts");
  const isBusy = useSignal(false);
  const isEditing = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const place = placeOf(of);
  const entry = approvedOf(lead.data, step);
  const reason = lead.data?.hold_reason ?? null;
  const isHeld = reason !== null && reason !== WAITS_FOR_REVIEW;
  // A read of the lead may bring the approval before the list does: the draft must not look unapproved.
  useEffect(() => {
    if (entry !== undefined && !of.approved)
      patch({ approved: true, approved_at: entry.approved_at });
  }, [lead.data]);
  const over = overOf(lead.data, step);
  const canDecide = over === null && (place === "review" || place === "held");

  async function attempt(work: () => Promise<void>): Promise<boolean> {
    if (isBusy.peek()) return false;
    isBusy.value = true;
    problem.value = undefined;
    try {
      await work();
      return true;
    } catch (error) {
      problem.value = asProblem(error);
      return false;
    } finally {
      isBusy.value = false;
    }
  }
  function decided(said: string, undo: () => Promise<void>): void {
    lastDone.value = undo;
    toast(said, { label: "Undo", run: () => void undoLast() });
  }
  async function undoLast(): Promise<void> {
    const undo = lastDone.peek();
    lastDone.value = null;
    if (undo !== null && (await attempt(undo))) toast("Taken back.");
  }
  async function takeBack(): Promise<void> {
    await unapprove({ params, body: { step_index: step } });
    patch({ approved: false, approved_at: null });
  }

  /** Refused where another member has decided since: their decision is shown, and not overwritten unseen. */
  async function send(changes: Changes): Promise<void> {
    const looked = { expected_draft_hash: of.draft_hash, batch_id: batchId };
    const body = { ...looked, step_index: step, replaces_approved_at: entry?.approved_at ?? null };
    let done;
    try {
      done = await approveIt({ params, body: { ...body, ...changes } });
    } catch (error) {
      // What is there now is read, and stands beside what the service says of it.
      lead.reload();
      throw error;
    }
    patch({ approved: true, approved_at: done.approved_entry?.approved_at ?? null });
  }

  async function approve(): Promise<void> {
    if (!canDecide || isEditing.peek()) return;
    const why = doubts(of);
    const isSure =
      why.length === 0 ||
      (await confirm({
        title: "Approve it all the same?",
        body: why.slice(0, 6).map((each) => (
          <span key={each} class="doubt">
            {each}
          </span>
        )),
        confirm: "Approve it as it is",
      }));
    if (!isSure || !(await attempt(() => send({})))) return;
    decided(`Approved: ${nameOf(of)}.`, takeBack);
    onDecided();
  }

  async function approveEdited(changes: Changes): Promise<void> {
    await send(changes);
    isEditing.value = false;
    decided(`Approved as edited: ${nameOf(of)}.`, takeBack);
    onDecided();
  }

  async function toggleHold(): Promise<void> {
    const turn = async (toHold: boolean) => {
      await (toHold
        ? hold({ params, body: { hold_reason: "held at the review" } })
        : release({ params }));
    };
    if (!(await attempt(() => turn(!isHeld)))) return;
    const said = isHeld ? "goes on." : "is held: nothing goes out to them.";
    decided(`${nameOf(of)} ${said}`, () => turn(isHeld));
  }

  async function rewrite(): Promise<void> {
    if (place === "writing" || place === "approved") return;
    const isSure = await confirm({
      title: `Write the draft to ${nameOf(of)} again?`,
      body: "Of what is known of them now, in a batch of its own. This one stays as it is.",
      facts: [["Cost", "1 credit, if it is written"]],
      confirm: "Write it again: 1 credit",
    });
    if (!isSure) return;
    await attempt(async () => {
      const made = await generate({
        params: { campaign_id: campaignId },
        body: { step_index: step, campaign_lead_ids: [of.campaign_lead_id] },
      });
      if (made.total === 0)
        throw new Problem(
          409,
          "NOBODY",
          "They cannot get this step any more, or have an approved text. Nothing was charged.",
        );
      void learnMe();
      toast("It is being written again, in a batch of its own.");
      go(`/drafts/${made.batch_id}?campaign=${campaignId}`);
    });
  }

  return {
    place,
    entry,
    isHeld,
    over,
    canDecide,
    isBusy: isBusy.value,
    isEditing: isEditing.value,
    problem: problem.value,
    approve,
    approveEdited,
    edit: (is: boolean) => (isEditing.value = is && canDecide),
    rewrite,
    toggleHold,
    takeBack: async () => {
      if (await attempt(takeBack)) toast(`The approval of ${nameOf(of)} is taken back.`);
    },
    undoLast,
  };
}
