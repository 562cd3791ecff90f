import { eq } from "drizzle-orm";
import type { Db } from "../base/client.ts";
import { campaignLeads } from "../schema/index.ts";

/**
 * Whom the network means by a lead, and since when it is connected if it is: noted before anything is done, so that
 * what the network tells of this person is understood whenever it comes.
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
    .where(eq(campaignLeads.id, campaignLeadId));
}
