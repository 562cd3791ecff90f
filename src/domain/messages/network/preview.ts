import { loadNetworkPreview, type NetworkPreview } from "#db/network/step-preview.ts";
import type { Campaign } from "#db/campaigns/campaigns.ts";
import type { PreviewOrder } from "#db/campaigns/step-preview.ts";
import type { Deps } from "#src/deps.ts";
import { notFound, unprocessable } from "#src/errors.ts";
import { type NetworkText, writeNetworkStep } from "#src/domain/campaigns/network-text.ts";

/** A step on the network as one lead would get it. */
export interface PreviewedAction {
  context: NetworkPreview;
  written: NetworkText;
}

export async function previewAction(
  { db }: Deps,
  { id: campaignId, workspaceId }: Campaign,
  step: number,
  { target, steps }: Pick<PreviewOrder, "target" | "steps">,
): Promise<PreviewedAction> {
  const context = await loadNetworkPreview(db, { workspaceId, campaignId, step, target, steps });
  if (context === undefined)
    throw target === null
      ? unprocessable(
          "VALIDATION_ERROR",
          "The campaign has no lead with a profile URL, or no network account.",
        )
      : notFound("campaignLeadId" in target ? "Campaign lead" : "Lead");
  const written = writeNetworkStep(context);
  if (written.ok) return { context, written };
  const [code] = /^[A-Z_]+(?=:)/.exec(written.reason) ?? ["VALIDATION_ERROR"];
  throw unprocessable(code, written.reason);
}
