import { DAY_MS } from "#src/platform/durations.ts";

/** How long a note to a connection request may be, in UTF-16 units as the network counts: premium accounts may write more. */
export const noteLengthOf = ({ isPremium }: { isPremium: boolean }): number =>
  isPremium ? 300 : 200;

/** How long after a refused note none is tried: the network gives some a month, and does not say on which day of it. */
export const NOTES_CLOSED_MS = 7 * DAY_MS;

/** How long a message in a chat may be. */
export const MAX_MESSAGE_LENGTH = 8000;

/** An invitation unanswered for so long is withdrawn. */
export const STALE_INVITATION_MS = 14 * DAY_MS;
