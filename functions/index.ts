import { JOBS } from "#src/domain/jobs/queue.ts";
import type { Callback } from "#src/http/callback.ts";
import { campaignTick } from "./campaign-tick.ts";
import { endNetworkSession } from "./end-network-session.ts";
import { prefetch } from "./prefetch-drafts.ts";
import { recordHandedOver } from "./record-hits.ts";
import { verifyAgain } from "./verify-again.ts";

/** Everything the queue may call. */
export const callbacks: Callback[] = [
  ...Object.values(JOBS),
  campaignTick,
  endNetworkSession,
  prefetch,
  recordHandedOver,
  verifyAgain,
];
