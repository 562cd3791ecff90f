import type { AccountRow } from "#db/network/accounts.ts";
import { knownMessages, type NetworkMessage } from "#db/network/messages.ts";
import type { PersonLead } from "#db/base/fragments/person-leads.ts";
import { saveReply, type ReplyEffects } from "#db/network/reply.ts";
import type { Deps } from "#src/deps.ts";
import { finishCampaigns } from "#src/domain/campaigns/finish.ts";
import { companyOf } from "#src/domain/people/leads/mailbox-providers.ts";
import { sha256Hex } from "#src/platform/encoding.ts";

export interface NetworkReply {
  account: AccountRow;
  /** The campaign leads under which the workspace writes to the author; the first is the one that is answered. */
  leads: readonly PersonLead[];
  /** The author in compared form, for a thread of their own where they are no lead. */
  peerKey: string;
  message: Omit<NetworkMessage, "id" | "direction" | "now">;
  /** Asks to hear no more. */
  isOptOut: boolean;
}

/**
 * Saves a person's message on a network and applies it as a reply by mail: it stops the person everywhere.
 * Safe to repeat, in any order. False when it had come before.
 */
export async function applyNetworkReply(deps: Deps, reply: NetworkReply): Promise<boolean> {
  const { account, leads, peerKey, message } = reply;
  const { db, ids } = deps;
  const known = await knownMessages(db, account, [message.messageId]);
  if (known.size > 0) {
    // The worker that saved it may have died before this.
    await finishCampaigns(
      deps,
      leads.map(({ campaignId }) => campaignId),
    );
    return false;
  }
  const thread = { account, conversationId: ids.uuid(), peerKey, lead: leads[0] ?? null };
  const endedIn = await saveReply(
    db,
    thread,
    { ...message, id: ids.uuid(), direction: "in", now: deps.clock.now() },
    await planEffects(deps, reply),
  );
  deps.wakeOutbox();
  await finishCampaigns(deps, endedIn);
  return true;
}

async function planEffects(
  { ids }: Deps,
  { leads, isOptOut }: NetworkReply,
): Promise<ReplyEffects> {
  const addresses = [...new Set(leads.flatMap(({ emailKey }) => emailKey ?? []))];
  return {
    leads,
    companyDomain: companyStoppedBy(leads[0]),
    optOut: isOptOut
      ? await Promise.all(
          addresses.map(async (value) => ({
            id: ids.uuid(),
            value,
            valueHash: await sha256Hex(value),
          })),
        )
      : null,
  };
}

/** The company domain whose other leads the reply stops too; null for none. */
function companyStoppedBy(lead: PersonLead | undefined): string | null {
  if (lead?.emailKey == null || !lead.stopOnReply || !lead.stopOnCompanyReply) return null;
  return companyOf(lead.emailKey);
}
