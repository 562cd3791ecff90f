interface Hook {
  status: "active" | "paused" | "disabled";
  disabled_reason: "gone" | "failing" | null;
  failing_since: string | null;
  last_success_at: string | null;
}

export interface HookState {
  tone: "good" | "warn" | "bad" | "quiet";
  word: string;
  /** What it means, and what to do. */
  sentence: string;
}

/** How a webhook is, in words. */
export function webhookState(hook: Hook): HookState {
  if (hook.status === "paused")
    return {
      tone: "warn",
      word: "paused",
      sentence: "You paused it. It keeps its place, and is sent what it missed when it goes on.",
    };
  if (hook.status === "disabled")
    return {
      tone: "bad",
      word: "disabled",
      sentence:
        hook.disabled_reason === "gone"
          ? "Its receiver answered that it is gone (410), and nothing is sent any more. Enable it once the receiver is there: what it missed is sent, as far as events are kept."
          : "Nothing reached it for five days, and nothing is sent any more. Mend the receiver, then enable it: what it missed is sent, as far as events are kept.",
    };
  if (hook.failing_since !== null)
    return {
      tone: "warn",
      word: "failing",
      sentence:
        "Its receiver does not take events at the moment. They are tried again, at the latest within an hour; after five days it is disabled.",
    };
  if (hook.last_success_at === null)
    return {
      tone: "quiet",
      word: "active",
      sentence: "Nothing was sent to it yet. Send a test to see that it answers.",
    };
  return { tone: "good", word: "active", sentence: "Its receiver takes what happens." };
}

interface Delivery {
  state: "waiting" | "delivered" | "dead";
  attempts: number;
  status: number | null;
  error: string | null;
}

/** What came of an event that did not get through at once. */
export function deliveryWords({ state, attempts, status, error }: Delivery): string {
  const answer =
    status !== null
      ? `answered ${status}`
      : error !== null
        ? "got no answer"
        : attempts === 0
          ? "not tried yet"
          : "no answer";
  const tries = attempts === 1 ? "1 try" : `${attempts} tries`;
  if (state === "delivered") return `taken after ${tries}`;
  if (state === "dead") return `given up after ${tries}; the last ${answer}`;
  return attempts === 0 ? "waits for its first try" : `waits after ${tries}; the last ${answer}`;
}

/** Names of types as a form has them: all of a kind, and single ones. */
export function splitTypes(types: readonly string[] | null): { kinds: string[]; types: string[] } {
  const all = types ?? [];
  return {
    kinds: all.filter((name) => name.endsWith(".*")),
    types: all.filter((name) => !name.endsWith(".*")),
  };
}
