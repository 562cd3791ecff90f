/** What came of a message, in a word or two: what ends its lead first, then what a person did, then what a program saw. */

export interface Outcome {
  kind: string;
  assumed: boolean;
  opened: boolean;
  clicked: boolean;
  replied_at: string | null;
  auto_replied_at: string | null;
  bounced_at: string | null;
  soft_bounced_at: string | null;
  unsubscribed_at: string | null;
  complained_at: string | null;
}

type Tone = "good" | "warn" | "bad" | "quiet";

export function outcomeWords(of: Outcome): { words: string; tone: Tone } {
  if (of.complained_at !== null) return { words: "called spam", tone: "bad" };
  if (of.bounced_at !== null) return { words: "bounced", tone: "bad" };
  if (of.kind === "failed") return { words: "refused", tone: "bad" };
  if (of.unsubscribed_at !== null) return { words: "unsubscribed", tone: "warn" };
  if (of.replied_at !== null) return { words: "replied", tone: "good" };
  if (of.auto_replied_at !== null) return { words: "answered by a machine", tone: "warn" };
  if (of.soft_bounced_at !== null) return { words: "bounced for now", tone: "warn" };
  if (of.clicked) return { words: "clicked", tone: "quiet" };
  if (of.opened) return { words: "opened", tone: "quiet" };
  if (of.assumed) return { words: "sent, as far as is known", tone: "quiet" };
  return { words: of.kind, tone: "quiet" };
}
