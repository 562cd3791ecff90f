/** What happened with a person, or will, in a few words. */

interface Item {
  kind: string;
  step: number | null;
  forecast: boolean;
}

const PAST: Record<string, string> = {
  joined: "Joined the campaign",
  sent: "Got a message",
  invited: "Got a connection request",
  visited: "Was visited on the network",
  failed: "A message failed",
  unknown: "Whether a message went out is not known",
  opened: "Opened it",
  clicked: "Clicked",
  replied: "Replied",
  auto_replied: "An automatic answer came",
  bounced: "It bounced",
  soft_bounced: "It was put off by the receiver",
  unsubscribed: "Unsubscribed",
  complained: "Complained",
  suppressed: "Was suppressed",
};

const TO_COME: Record<string, string> = {
  sent: "Will get a message",
  invited: "Will get a connection request",
  visited: "Will be visited on the network",
};

export function timelineWords({ kind, step, forecast }: Item): string {
  const what = (forecast ? TO_COME[kind] : PAST[kind]) ?? kind.replaceAll("_", " ");
  return step === null ? what : `${what}: step ${step}`;
}
