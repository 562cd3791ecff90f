/** One sentence of what a campaign does now and what comes next. Reasons are the API's own words. */
import type { CampaignStatus } from "./campaign-rules.ts";
import { waitWords, whenWords } from "./day-words.ts";

export interface NowInput {
  status: CampaignStatus;
  sending: boolean;
  reasons: readonly { code: string; message: string; until: string | null }[];
  next_send_at: string | null;
}

export interface NextMessage {
  at: string;
  to: string | null;
  step: number;
  from: string | null;
}

export interface NowSentence {
  tone: "good" | "warn" | "bad" | "plain";
  state: string;
  /** Why, or what else is to be said; null while it sends. */
  why: string | null;
  next: string | null;
}

const STATES: Record<CampaignStatus, [string, NowSentence["tone"]]> = {
  draft: ["Draft.", "plain"],
  scheduled: ["Scheduled.", "plain"],
  launching: ["Launching.", "plain"],
  active: ["Waiting.", "warn"],
  draining: ["Draining.", "warn"],
  paused: ["Paused.", "warn"],
  completed: ["Completed.", "plain"],
  failed: ["The launch failed.", "bad"],
};

/** Those that a message of before explains better than a sentence of today would. */
const IS_SILENT: readonly CampaignStatus[] = ["completed", "launching", "failed"];

export function nowSentence(
  found: NowInput,
  next: NextMessage | null,
  nowMs: number,
  zone: string,
): NowSentence {
  const [state, tone]: [string, NowSentence["tone"]] = found.sending
    ? ["Sending.", "good"]
    : STATES[found.status];
  const why = found.sending ? null : (found.reasons[0]?.message ?? null);
  return { tone, state, why, next: nextWords(found, next, nowMs, zone) };
}

function nextWords(
  found: NowInput,
  next: NextMessage | null,
  nowMs: number,
  zone: string,
): string | null {
  if (IS_SILENT.includes(found.status)) return null;
  if (next === null) {
    if (found.next_send_at === null) return null;
    return `The next message goes out ${timeWords(found.next_send_at, nowMs, zone)}.`;
  }
  const to = next.to === null ? "" : ` to ${next.to}`;
  const from = next.from === null ? "" : ` from ${next.from}`;
  const when = timeWords(next.at, nowMs, zone);
  const message = `${to} ${when}, step ${next.step}${from}.`;
  if (found.status === "draft" || found.status === "scheduled")
    return `If it were launched now, the first message would go${message}`;
  if (found.status === "paused")
    return `If it were resumed now, the next message would go${message}`;
  return `The next message goes${message}`;
}

/** In the coming ten minutes one waits for it; later it is a time. */
function timeWords(at: string, nowMs: number, zone: string): string {
  const ms = Date.parse(at);
  if (ms - nowMs < 600_000) return waitWords(ms - nowMs);
  const words = whenWords(ms, nowMs, zone, true);
  if (/^\d/.test(words)) return `at ${words}`;
  return words.startsWith("tomorrow")
    ? words.replace(" ", " at ")
    : `on ${words.replace(", ", " at ")}`;
}
