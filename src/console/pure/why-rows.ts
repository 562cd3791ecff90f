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
/** Reasons of people's own making, or of a course of things that nobody has to mend. */
const CALM = new Set([
  "nothing_due",
  "nothing_left",
  "in_flight",
  "status_completed",
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

const RANK = { person: 0, time: 1, advice: 2 };
