import { failLeadStatement } from "#db/campaigns/draft-guard.ts";
import type { Db, Statement } from "#db/base/client.ts";
import type { Generation } from "#db/messages/generations.ts";
import type { Deps } from "#src/deps.ts";
import { finishCampaigns } from "#src/domain/campaigns/finish.ts";
import { guardDrafts } from "./guard-drafts.ts";

/** Why there is no text: the model failed, and may work later (`model`), or its text for this lead passed no check (`text`). */
export type Blame = "model" | "text";

/**
 * Fails a lead whose text passes no check, with the reason, until `resumed` has it tried again; a lead whose model failed
 * goes on waiting. Belongs into the transaction that ends its generation.
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

/** Pauses a campaign whose texts fail too often, and completes one whose last lead has failed. */
export async function noteFailure(deps: Deps, { kind, campaignId }: Generation): Promise<void> {
  if (kind !== "send_time" || campaignId === null) return;
  await guardDrafts(deps, [campaignId]);
  await finishCampaigns(deps, [campaignId]);
}
