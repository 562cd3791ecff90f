import { pauseWithoutAccount, waitingForAccount } from "#db/campaigns/account-pauses.ts";
import type { Deps } from "#src/deps.ts";
import { enqueuePrefetchFor } from "./enqueue-prefetch.ts";
import { finishCampaigns } from "./finish.ts";
import { runAgain } from "./pause.ts";

/** So long an account may be away before its campaigns pause: most come back by themselves. */
const GRACE_MS = 15 * 60_000;
/** So long a campaign waits for what was said meanwhile, where the provider does not say it. */
const UNHEARD_MS = 3_600_000;
/** So many campaigns that wait for an account resume at once; the rest with the next full check. */
const RESUMED_AT_ONCE = 200;

/** Part of the regular full check: pauses campaigns whose account is away, with a notice to their owners. */
export async function pauseCampaignsWithoutAccount(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const paused = await pauseWithoutAccount(deps.db, new Date(now.getTime() - GRACE_MS), now);
  if (paused.length === 0) return;
  deps.log.info("campaigns_without_account", { campaign_ids: paused });
  deps.wakeOutbox();
}

/**
 * Resumes campaigns that were paused for want of this account, or of any, once it is connected again and its messages
 * from meanwhile are taken in: leads that have answered are not written to.
 */
export async function resumeWithAccount(
  deps: Deps,
  accountId: string | null = null,
): Promise<void> {
  const unheard = new Date(deps.clock.now().getTime() - UNHEARD_MS);
  const waiting = await waitingForAccount(deps.db, accountId, { unheard, limit: RESUMED_AT_ONCE });
  for (const campaign of waiting) {
    const resumed = await runAgain(deps, campaign, deps.clock.now());
    // Another worker or request has resumed or changed it: then the full check looks at it again.
    if (resumed === undefined) continue;
    deps.log.info("campaign_has_its_account", { campaign_id: campaign.id });
    await enqueuePrefetchFor(deps, resumed);
    await finishCampaigns(deps, [resumed.id]);
  }
}
