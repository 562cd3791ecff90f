import type { OutboxKind } from "#db/base/fragments/outbox.ts";
import type { NoticeChannel, Role } from "#db/schema/index.ts";
import { DEFAULT_PREFERENCES, isE164, type Preferences } from "./preferences.ts";

type Flag = "notifyOnReply" | "notifyOnBounce" | "notifyOnComplaint";

/**
 * The wish that decides whether a user hears of it; null where they always do. In the order in which a
 * digest tells of them.
 */
const FLAGS: Record<OutboxKind, Flag | null> = {
  campaign_paused: null,
  campaign_launch_held: null,
  campaign_launch_cancelled: null,
  account_disconnected: null,
  inbox_failing: null,
  domain_rule_failing: null,
  postmaster_lost: null,
  webhook_failing: null,
  webhook_disabled: null,
  lead_reply: "notifyOnReply",
  email_reply: "notifyOnReply",
  network_reply: "notifyOnReply",
  lead_complaint: "notifyOnComplaint",
  email_complaint: "notifyOnComplaint",
  lead_hard_bounce: "notifyOnBounce",
  email_hard_bounce: "notifyOnBounce",
};

/** The kinds of notices that this build can deliver; kinds of a newer build wait for that. */
export const NOTICE_KINDS = Object.keys(FLAGS) as OutboxKind[];

/**
 * Of which kinds a member hears on a channel. What concerns a whole campaign or account always goes by email, but to
 * viewers: they could do nothing about it.
 */
export function kindsFor(
  channel: NoticeChannel,
  preferences: Preferences,
  role: Role,
): OutboxKind[] {
  const { emailEnabled, whatsappEnabled } = preferences;
  return NOTICE_KINDS.filter((kind) => {
    const flag = FLAGS[kind];
    const isWanted = flag === null || preferences[flag];
    if (flag === null && role === "viewer") return false;
    if (channel === "whatsapp") return whatsappEnabled && isWanted;
    return flag === null || (emailEnabled && isWanted);
  });
}

export const preferencesOf = (stored: Preferences | null): Preferences =>
  stored ?? DEFAULT_PREFERENCES;

/** The user's address on a channel; null where they have none. */
export function recipientOn(
  channel: NoticeChannel,
  { personalEmail, whatsappNumber }: Preferences,
  userEmail: string | null,
): string | null {
  if (channel === "email") return personalEmail ?? userEmail;
  return whatsappNumber !== null && isE164(whatsappNumber) ? whatsappNumber : null;
}
