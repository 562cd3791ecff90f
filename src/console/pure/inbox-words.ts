/** What a lead's way through its campaign says of it. */
export interface LeadState {
  status: string;
  stop_reason: string | null;
  next_step: number | null;
  next_action_at: string | null;
}

/** A sentence with an instant in its middle, which the reader's own clock words. */
export interface Effect {
  before: string;
  at: string | null;
  after: string;
  tone: "good" | "warn" | "quiet";
}

const says = (tone: Effect["tone"], before: string, at: string | null = null, after = "") => ({
  before,
  at,
  after,
  tone,
});

const AWAY: Record<string, string> = {
  out_of_office: "Out of office",
  auto_reply: "An automatic answer",
  challenge: "A challenge by their mail system",
};

/** What a message of that class did to the person's campaign. `due` is the next message as the forecast has it. */
export function effectOf(
  heard: string | null,
  lead: LeadState | undefined,
  due: { step: number | null; at: string } | undefined,
): Effect | null {
  if (lead === undefined) return null;
  const { status, stop_reason: reason } = lead;
  switch (status) {
    case "replied":
      if (reason === "auto_replied")
        return says(
          "warn",
          "An automatic answer ended it, as the campaign has it. No step follows.",
        );
      return heard === "possible_opt_out"
        ? says(
            "warn",
            "Perhaps asks for no more mail. No step follows; the address is not suppressed: judge and decide.",
          )
        : says("good", "Replied: no further step of the campaign goes to them.");
    case "unsubscribed":
      return says("warn", "Asked for no more mail: the address is suppressed, everywhere.");
    case "bounced":
      return says("warn", "Their address takes no mail: it is suppressed.");
    case "complained":
      return says("warn", "Called it spam: the address is suppressed.");
    case "completed":
      return says("quiet", "The campaign has sent them all its steps.");
    case "pending":
    case "active":
      return onItsWay(heard, lead, due);
    default:
      return heard === "left_company"
        ? says("warn", "Left the company: no further step goes to this address.")
        : says(
            "quiet",
            `In the campaign: ${status}${reason === null ? "" : `, ${reason.replaceAll("_", " ")}`}.`,
          );
  }
}

function onItsWay(
  heard: string | null,
  { next_step: next, next_action_at: earliest }: LeadState,
  due: { step: number | null; at: string } | undefined,
): Effect | null {
  const step = due?.step ?? next;
  const at = due?.at ?? earliest;
  if (step === null || at === null) return null;
  const why = AWAY[heard ?? ""];
  if (why === undefined) return says("quiet", `The campaign goes on: step ${step} on `, at, ".");
  return says("warn", `${why}: step ${step} moved to `, at, ".");
}

const CLASSES: Record<string, string> = {
  reply: "reply",
  possible_opt_out: "perhaps an opt-out",
  out_of_office: "out of office",
  auto_reply: "automatic answer",
  challenge: "challenge",
  left_company: "left the company",
  automated: "automated",
  sent: "sent",
  connection_request: "connection request",
};

export const classWords = (name: string): string => CLASSES[name] ?? name.replaceAll("_", " ");

/** Times at which one wants to be reminded, by the reader's own clock. */
export function snoozes(now: Date): [label: string, at: Date][] {
  const inDays = (days: number) => {
    const at = new Date(now);
    at.setDate(at.getDate() + days);
    at.setHours(9, 0, 0, 0);
    return at;
  };
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return [
    ["In 3 hours", new Date(now.getTime() + 3 * 3_600_000)],
    ["Tomorrow", inDays(1)],
    ["In 3 days", inDays(3)],
    ["Next Monday", inDays(toMonday)],
  ];
}
