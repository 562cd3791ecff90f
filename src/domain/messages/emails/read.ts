import { cancelEmail, type EmailFilter, getEmail, listEmails } from "#db/messages/emails.ts";
import type { EmailState } from "#db/schema/index.ts";
import { type EmailEvent, listEmailEvents } from "#db/messages/tracking.ts";
import type { Deps, Principal } from "#src/deps.ts";
import { requires } from "#src/domain/owned.ts";
import { conflict } from "#src/errors.ts";
import type { Email } from "./send.ts";

export type { EmailEvent } from "#db/messages/tracking.ts";

/** The statuses that callers see; a message that is being handed over is still queued, one whose fate is unknown counts as sent. */
export const EMAIL_STATUSES = [
  "queued",
  "scheduled",
  "sent",
  "suppressed",
  "failed",
  "cancelled",
] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

const STATUS_OF: Record<EmailState, EmailStatus> = {
  queued: "queued",
  scheduled: "scheduled",
  transmitting: "queued",
  sent: "sent",
  unknown: "sent",
  suppressed: "suppressed",
  failed: "failed",
  cancelled: "cancelled",
};

export const statusOf = ({ state }: Pick<Email, "state">): EmailStatus => STATUS_OF[state];

export async function findEmails(
  deps: Deps,
  { workspaceId }: Principal,
  { status, ...others }: Omit<EmailFilter, "states"> & { status?: EmailStatus | undefined },
  page: { before: string | undefined; limit: number },
): Promise<Email[]> {
  const states = (Object.keys(STATUS_OF) as EmailState[]).filter(
    (state) => STATUS_OF[state] === status,
  );
  const filter = { states: status === undefined ? undefined : states, ...others };
  return listEmails(deps.db, workspaceId, filter, page);
}

export const requireEmail = requires("Email", getEmail);

/** Opens and clicks of a message, oldest first. */
export function eventsOf(deps: Deps, email: Email): Promise<EmailEvent[]> {
  return listEmailEvents(deps.db, email.workspaceId, email.id);
}

/** Takes a message back that has not begun to leave; else 409. */
export async function cancel(deps: Deps, principal: Principal, id: string): Promise<Email> {
  const cancelled = await cancelEmail(deps.db, principal.workspaceId, id, deps.clock.now());
  if (cancelled !== undefined) return cancelled;
  const email = await requireEmail(deps, principal, id);
  throw conflict(
    "INVALID_STATE_TRANSITION",
    `The message is ${email.state === "transmitting" ? "being sent" : statusOf(email)}; only queued and scheduled ones can be cancelled.`,
  );
}
