import type { Campaign } from "#db/campaigns/campaigns.ts";
import { campaignSums } from "#db/campaigns/stats.ts";
import { loadSendingInputsOf, type SendingInputs } from "#db/engine/sending-inputs.ts";
import type { Deps, Principal } from "#src/deps.ts";
import type { PlannedSend } from "#src/domain/engine/run-ahead.ts";
import type { Reason } from "./reason.ts";
import { dueOf, RUNNING } from "./reasons.ts";
import { explain } from "./sending-status.ts";
import { lookAheadTogether } from "./together.ts";

/** How a campaign does, in a line of a list. */
export interface Summary {
  sent: number;
  replied: number;
  bounced: number;
  /** By the forecast of all campaigns; null where it is not near. */
  nextSendAt: Date | null;
  /** The first reason why it does not send now; null while it does. */
  reason: Reason | null;
}

/** How far ahead the next messages are looked for: a list has many campaigns, and is asked often. */
const LOOK_AHEAD = {
  days: 31,
  maxSends: 5_000,
  depths: [
    { newLeads: 50, followUps: 5 },
    { newLeads: 400, followUps: 40 },
  ],
};

/** Of each of these campaigns, in as many round trips as of one. */
export async function summarize(
  deps: Deps,
  { workspaceId }: Principal,
  campaigns: readonly Campaign[],
): Promise<Map<string, Summary>> {
  if (campaigns.length === 0) return new Map();
  const now = deps.clock.now();
  const ids = campaigns.map(({ id }) => id);
  const [inputs, sums] = await Promise.all([
    loadSendingInputsOf(deps.db, workspaceId, ids, now),
    campaignSums(deps.db, ids),
  ]);
  const sumsOf = new Map(sums.map((row) => [row.campaignId, row]));
  const maySend = campaigns.filter((campaign) => hasNext(campaign, inputs.get(campaign.id)!));
  const next = await nextOf(deps, workspaceId, maySend);
  return new Map(
    campaigns.map((campaign) => {
      const { sent = 0, replied = 0, bounced = 0 } = sumsOf.get(campaign.id) ?? {};
      const { sending, reasons } = explain(campaign, inputs.get(campaign.id)!, now);
      const reason = sending ? null : (reasons[0] ?? null);
      return [
        campaign.id,
        { sent, replied, bounced, nextSendAt: next.get(campaign.id) ?? null, reason },
      ];
    }),
  );
}

/** Whether a lead of a running campaign may get a message by itself: else it would be looked for in vain. */
function hasNext(campaign: Campaign, { queue, senders }: SendingInputs): boolean {
  if (!RUNNING.includes(campaign.status) || !senders.some(({ open }) => open)) return false;
  const { waiting, inFlight, held, awaitingReview, awaitingAcceptance } = queue;
  return dueOf(campaign, queue) + waiting + inFlight + held > awaitingReview + awaitingAcceptance;
}

async function nextOf(
  deps: Deps,
  workspaceId: string,
  campaigns: readonly Campaign[],
): Promise<Map<string, Date>> {
  const next = new Map<string, Date>();
  if (campaigns.length === 0) return next;
  const { sends } = await lookAheadTogether(deps, workspaceId, {
    ...LOOK_AHEAD,
    enough: () => hasAll(campaigns),
  });
  for (const { campaignId, at } of sends) {
    const known = next.get(campaignId);
    if (known === undefined || at < known) next.set(campaignId, at);
  }
  return next;
}

function hasAll(campaigns: readonly Campaign[]) {
  const left = new Set(campaigns.map(({ id }) => id));
  let seen = 0;
  return (sends: readonly PlannedSend[]): boolean => {
    for (; seen < sends.length; seen++) left.delete(sends[seen]!.campaignId);
    return left.size === 0;
  };
}
