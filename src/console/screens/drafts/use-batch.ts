import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { call } from "../../api/call.ts";
import { poll } from "../../api/poll.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import type { PlaygroundDraft, PlaygroundDrafts } from "../../api/schema.ts";

interface Read {
  data?: PlaygroundDrafts;
  problem?: Problem;
  isLoading: boolean;
  at?: number;
}

export interface Batch extends Read {
  reload(): void;
  /** What is known of a draft since it was read. */
  patch(campaignLeadId: string, change: Partial<PlaygroundDraft>): void;
  /** The other member who decided on a draft since the page was opened. */
  noteOf(campaignLeadId: string): string | undefined;
}

const LOOK_SECONDS = 5;

/**
 * A batch is megabytes where it is large, so it is read once, again while it is being written, and then only what others
 * decide is read, from the feed of events.
 */
export function useBatch(campaignId: string, batchId: string): Batch {
  const state = useSignal<Read>({ isLoading: true });
  const notes = useSignal<Record<string, string>>({});
  /** Where the feed is read on from; null until it is known. */
  const cursor = useRef<string | null>(null);
  const params = { campaign_id: campaignId };

  async function load(): Promise<void> {
    state.value = { ...state.peek(), isLoading: true };
    try {
      const data = await call("getPlaygroundDrafts", { params, query: { batch_id: batchId } });
      state.value = { data, isLoading: false, at: Date.now() };
    } catch (error) {
      const { data, at } = state.peek();
      state.value = {
        ...(data === undefined ? {} : { data, at: at! }),
        problem: asProblem(error),
        isLoading: false,
      };
    }
  }
  function patch(id: string, change: Partial<PlaygroundDraft>): void {
    const now = state.peek();
    if (now.data === undefined) return;
    const drafts = now.data.drafts.map((draft) =>
      draft.campaign_lead_id === id ? { ...draft, ...change } : draft,
    );
    state.value = { ...now, data: { ...now.data, drafts } };
  }
  /** What happens while the batch is read is heard afterwards. */
  async function begin(): Promise<void> {
    cursor.current = null;
    try {
      const { next_cursor: now } = await call("listEvents", { query: { after: "now", limit: 1 } });
      cursor.current = now;
    } catch {
      // Read again at the next look, with the batch.
    }
    await load();
  }
  async function hearOthers(): Promise<void> {
    if (cursor.current === null) return begin();
    const { items, next_cursor: next } = await call("listEvents", {
      query: {
        after: cursor.current,
        types: "draft.approved,draft.unapproved",
        campaign_id: campaignId,
      },
    });
    cursor.current = next;
    for (const { data, actor, timestamp } of items) {
      const id = String(data["campaign_lead_id"]);
      const step = state.peek().data?.step_index;
      const draft = state.peek().data?.drafts.find((each) => each.campaign_lead_id === id);
      const steps = Array.isArray(data["steps"]) ? (data["steps"] as number[]) : [];
      const isApproved = step !== undefined && steps.includes(step);
      if (draft === undefined || draft.approved === isApproved) continue;
      patch(id, { approved: isApproved, approved_at: isApproved ? timestamp : null });
      const who = actor.name ?? (actor.type === "key" ? "A key" : "Somebody");
      const did = isApproved ? "approved it" : "took the approval back";
      notes.value = { ...notes.peek(), [id]: `${who} ${did} while you looked.` };
    }
  }
  useEffect(() => {
    void begin();
    return poll(
      () => LOOK_SECONDS,
      async () => {
        const { data, problem } = state.peek();
        // A failure is shown with its own way to try again.
        if (problem !== undefined && data === undefined) return;
        if (data !== undefined && !data.done) await load();
        await hearOthers().catch(() => {});
      },
    );
  }, [campaignId, batchId]);
  return { ...state.value, reload: () => void load(), patch, noteOf: (id) => notes.value[id] };
}
