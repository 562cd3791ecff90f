import { clientNetwork } from "#src/platform/client-network.ts";
import type { AppContext } from "../context.ts";
import { type Policy, UNCHARGED_QUOTA, UNPAID_QUOTA } from "../quotas.ts";
import { count, requireLeft } from "../rate-limit.ts";

const unpaid = (c: AppContext): Policy => ({
  name: "unpaid",
  subject: clientNetwork(c.get("clientAddress")),
  ...UNPAID_QUOTA,
});
const uncharged = (payer: string): Policy => ({
  name: "uncharged",
  subject: payer,
  ...UNCHARGED_QUOTA,
});

/** Before the facilitator is called: 429 for an address without payments, and for a payer that is never charged. */
export const refuseWhenOver = (c: AppContext, payer: string | null): Promise<void> =>
  requireLeft(c, payer === null ? [unpaid(c)] : [unpaid(c), uncharged(payer)]);

export const countUnpaid = (c: AppContext): Promise<void> => count(c, [unpaid(c)], false);

/** Undecided answers are free: without a limit one payment would buy any number of them. */
export const countUncharged = (c: AppContext, payer: string): Promise<void> =>
  count(c, [uncharged(payer)], false).catch(() => {
    // The answer stands; the next request is refused.
  });
