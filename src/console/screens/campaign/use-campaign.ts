import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { serverNow } from "../../api/clock.ts";
import type { CampaignInFull } from "../../api/schema.ts";
import { useQuery, type Query } from "../../api/use.ts";
import { pollSeconds } from "../../pure/campaign-rules.ts";

export type Campaign = CampaignInFull;
export type Status = NonNullable<Campaign["sending_status"]>;

/** The forecast's reach: most campaigns end within it. */
export const AHEAD_DAYS = 90;

/** Where one edits, what the engine does is not in sight. */
const UNWATCHED_SECONDS = 60;

/** All four pages of a campaign read this, so that it is there when one goes from one to another. */
export const useCampaign = (id: string, isWatched = false): Query<"getCampaign"> =>
  useQuery(
    "getCampaign",
    { params: { campaign_id: id }, query: { include: "sending_status,stats,lead_counts" } },
    { every: (campaign) => (isWatched ? pollSeconds(campaign?.status) : UNWATCHED_SECONDS) },
  );

/** The service's now in ms, going on by itself. */
export function useNow(everyMs: number): number {
  const tick = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => tick.value++, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  void tick.value;
  return serverNow();
}

/** The name of a sender by its id: an alias's address, an account's owner. */
export function senderName(
  status: Status | undefined,
  { alias_id: alias, connected_account_id: account }: SenderIds,
): string | null {
  const found = status?.senders.find(
    (sender) =>
      (alias !== null && sender.alias_id === alias) ||
      (account !== null && sender.connected_account_id === account),
  );
  return found?.name ?? null;
}

interface SenderIds {
  alias_id: string | null;
  connected_account_id: string | null;
}
