import { failLeadStatement } from "#db/campaigns/draft-guard.ts";
import type { Db, Statement } from "#db/base/client.ts";
import type { Generation } from "#db/messages/generations.ts";
import type { Deps } from "#src/deps.ts";
import { finishCampaigns } from "#src/domain/campaigns/finish.ts";
import { guardDrafts } from "./guard-drafts.ts";

/** Whose fault it is that there is no text: the model's, and the same may work later, or that of what it wrote for this lead. */
export type Blame = "model" | "text";

/**
 * A lead whose text passes no check has failed, with the reason, and `resumed` has it tried again; where the model is to
 * blame it goes on waiting. Belongs into the transaction that ends its generation.
 */
export function leadOfFailureStatements(
  db: Db,
  { kind, campaignLeadId, step }: Generation,
  { blame, error, now }: { blame: Blame; error: string; now: Date },
): Statement[] {
  if (kind !== "send_time" || blame !== "text" || campaignLeadId === null || step === null)
    return [];
  const reason = `Its text could not be written: ${error}`.slice(0, 1000);
  return [failLeadStatement(db, { campaignLeadId, step, reason, now })];
}

/** A campaign whose texts fail too often pauses; one whose last lead has failed is done. */
export async function noteFailure(deps: Deps, { kind, campaignId }: Generation): Promise<void> {
  if (kind !== "send_time" || campaignId === null) return;
  await guardDrafts(deps, [campaignId]);
  await finishCampaigns(deps, [campaignId]);
}
