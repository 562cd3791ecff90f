import { and, eq, isNotNull, or } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { campaignLeads } from "../schema/index.ts";

/**
 * Saves the network's id of a lead, and since when it is connected if it is: before any action, so that the
 * network's later events about this person find the lead. Not of a lead that names nobody any more: it was erased.
 */
export async function rememberPerson(
  db: Db,
  campaignLeadId: string,
  { personId, connectedAt }: { personId: string; connectedAt: Date | null },
): Promise<void> {
  const connected = connectedAt === null ? {} : { connectedAt };
  await db
    .update(campaignLeads)
    .set({ personId, ...connected })
    .where(
      and(
        eq(campaignLeads.id, campaignLeadId),
        or(isNotNull(campaignLeads.email), isNotNull(campaignLeads.profileUrl)),
      ),
    );
}
