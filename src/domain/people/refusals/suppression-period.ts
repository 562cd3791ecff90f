import { DAY_MS } from "#src/platform/durations.ts";

/** That an address takes no mail: there is none such, or its mailbox is disabled, which may be undone. */
export type Gone = "for_good" | "disabled";

const DISABLED_DAYS = 90;

/** Until when a workspace writes no more to such an address; null for good. */
export const goneUntil = (gone: Gone, now: Date): Date | null =>
  gone === "disabled" ? new Date(now.getTime() + DISABLED_DAYS * DAY_MS) : null;
