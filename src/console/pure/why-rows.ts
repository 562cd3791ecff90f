/** All that keeps a campaign or one of its senders from sending, once each, what needs a person first. */

interface Reason {
  code: string;
  message: string;
  until: string | null;
}

export interface WhyRow {
  key: string;
  message: string;
  until: string | null;
  /** Time ends it, or a person has to; advice keeps nothing back. */
  needs: "person" | "time" | "advice";
}

/** Between two messages of a sender is no news. */
const ORDINARY = new Set(["sender_gap"]);
/** It points to what is listed here already. */
const POINTERS = new Set(["all_senders_wait"]);
/** Reasons that the workspace's people made themselves, or that end without a person. */
const CALM = new Set([
  "nothing_due",
  "nothing_left",
  "in_flight",
  "awaiting_acceptance",
  "awaiting_draft",
]);

export function waitingReasons(status: {
  status: string;
  reasons: readonly Reason[];
  senders: readonly { name: string | null; reasons: readonly Reason[] }[];
  warnings: readonly { name: string; message: string }[];
}): WhyRow[] {
  const isRunning = status.status === "active" || status.status === "draining";
  // What is not running says why in its sentence.
  const ofCampaign = isRunning ? status.reasons.filter(({ code }) => !POINTERS.has(code)) : [];
  const ofSenders = status.senders.flatMap(({ reasons }) => reasons);
  // Where gaps are all that it waits for, they are the reason.
  const shown =
    ofCampaign.length === 0 ? ofSenders : ofSenders.filter(({ code }) => !ORDINARY.has(code));
  const rows = [...ofCampaign, ...(status.status === "completed" ? [] : shown)].map(
    (reason): WhyRow => ({
      key: reason.code,
      message: reason.message,
      until: reason.until,
      needs: reason.until !== null || CALM.has(reason.code) ? "time" : "person",
    }),
  );
  const advice = status.warnings.map(({ name, message }): WhyRow => ({
    key: name,
    message,
    until: null,
    needs: "advice",
  }));
  const seen = new Set<string>();
  return [...rows, ...advice]
    .filter(({ message }) => !seen.has(message) && seen.add(message))
    .toSorted((a, b) => RANK[a.needs] - RANK[b.needs]);
}

/** Of a lead that has its own: what the others wait for says nothing of it. */
const OF_OTHERS = new Set([
  ...CALM,
  ...POINTERS,
  "leads_held",
  "personalization_review_pending",
  "notes_used_up",
]);

export interface LeadStatus {
  sending: boolean;
  reasons: readonly Reason[];
  senders: readonly {
    alias_id: string | null;
    connected_account_id: string | null;
    reasons: readonly Reason[];
  }[];
  lead?: { status: string; alias_id: string | null; reasons: readonly Reason[] } | undefined;
}

/** Why a lead's next message does not go now: its own reasons, then its campaign's, then its sender's, once each. */
export function leadReasons({ lead, sending, reasons, senders }: LeadStatus): Reason[] {
  if (lead === undefined) return [];
  if (lead.status !== "pending" && lead.status !== "active") return [...lead.reasons];
  const ofCampaign = sending ? [] : reasons.filter(({ code }) => !OF_OTHERS.has(code));
  const id = lead.alias_id;
  // One that has no sender yet may get any, and waits where all of them do.
  const mayBeAny = id === null && !sending && reasons.some(({ code }) => POINTERS.has(code));
  const ofSender = senders.filter(
    (each) => mayBeAny || (id !== null && [each.alias_id, each.connected_account_id].includes(id)),
  );
  const all = [...lead.reasons, ...ofCampaign, ...ofSender.flatMap((each) => each.reasons)];
  const shown = all.some(({ code }) => !ORDINARY.has(code))
    ? all.filter(({ code }) => !ORDINARY.has(code))
    : all;
  return [...new Map(shown.map((reason) => [reason.message, reason])).values()];
}

const RANK = { person: 0, time: 1, advice: 2 };
