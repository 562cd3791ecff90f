/** What a person who owns a sender wants to know, in sentences. */
import { count, num } from "./words.ts";

interface Ramped {
  ramp: { enabled: boolean; start?: number; step?: number; ceiling?: number } | null;
  daily_limit: number;
  cap_today: number;
}

/** "ramping up: 25 today, 5 more each day, 50 in 5 days"; null where there is no ramp, or it is done. */
export function rampWords({ ramp, daily_limit: limit, cap_today: cap }: Ramped): string | null {
  if (ramp === null || !ramp.enabled) return null;
  const { step = 5, ceiling = 50 } = ramp;
  const goal = Math.min(limit, ceiling);
  if (cap >= goal) return `ramped up to ${num(goal)} a day`;
  if (step === 0) return `stays at ${num(cap)} a day: the ramp does not grow`;
  const days = Math.ceil((goal - cap) / step);
  return `ramping up: ${num(step)} more each day, ${num(goal)} in ${count(days, "day")}`;
}

interface Faulty {
  status: string;
  last_error: string | null;
  last_error_kind: "account" | "line" | "vault" | null;
  oauth: { connected: boolean } | null;
}

/** What to do about an alias that does not send as it should; null where nothing is to be done. */
export function whatToDo({ status, last_error: error, last_error_kind: kind, oauth }: Faulty) {
  if (oauth !== null && !oauth.connected)
    return "Nobody has given access to this mailbox yet: connect it.";
  if (kind === "account")
    return oauth === null
      ? "The mail server refuses this account, and nothing is sent from it. Change its user name or password, then test it."
      : "The mailbox's provider refuses us, and nothing is sent from it. Connect it again, then test it.";
  if (kind === "line")
    return "The mail server could not be reached or did not keep up. It is tried again by itself; test it if this lasts.";
  if (kind === "vault")
    return "The key that its password is sealed with is not there. Whoever runs this service has to look.";
  if (error !== null) return "It is rested for a while and goes on by itself.";
  if (status === "pending") return "It was never tried: test it.";
  if (status === "paused") return "You paused it: nothing is sent from it until you resume it.";
  if (status === "disabled") return "It is switched off: nothing is sent from it.";
  return null;
}

/** How the consent at a mailbox's provider ended, from the address one comes back to. */
export function consentWords(status: string): { isGood: boolean; text: string } {
  const text = CONSENTS[status];
  return {
    isGood: status === "connected",
    text: text ?? "The mailbox is not connected. Begin again.",
  };
}

const CONSENTS: Record<string, string> = {
  connected: "The mailbox is connected. Test it to see whether mail goes out.",
  expired: "That took more than ten minutes; nothing was stored. Begin again.",
  denied: "The access was not granted; nothing changed.",
  failed:
    "The provider refused; nothing was stored. If it happens again, the OAuth app is set up wrongly.",
  unavailable: "The provider did not answer; nothing was stored. Begin again in some minutes.",
  no_refresh_token:
    "The provider gave access for a short time only; nothing was stored. The app has to be allowed offline access.",
  other_mailbox:
    "Access was given to another mailbox; nothing was stored. Begin again and choose the alias's own account.",
  changed: "It was changed meanwhile; nothing was stored. Begin again.",
  unknown: "That link was used already or is not ours; nothing was stored. Begin again.",
};
