import type { StepTexts } from "#db/messages/draft-inputs.ts";
import type { DraftRow } from "#db/messages/drafts.ts";
import type { Step } from "#db/schema/index.ts";
import { chooseText } from "#src/domain/campaigns/choose-text.ts";
import {
  leadIdentityFingerprint,
  stepConfigFingerprint,
} from "#src/domain/research/personalization/fingerprints.ts";

/** Whether lead or step changed since a text was written: it would not be sent any more, approved or not. */
export async function isStale(
  draft: Pick<
    DraftRow,
    "campaignLeadId" | "lead" | "leadIdentityFingerprint" | "stepConfigFingerprint"
  >,
  step: Step | undefined,
  texts: StepTexts,
): Promise<boolean> {
  if (draft.lead === null || step === undefined) return true;
  const chosen = chooseText({ step, lead: draft, ...texts });
  if (!chosen.ok) return true;
  const { variant, template, profile } = chosen;
  const now = await Promise.all([
    leadIdentityFingerprint(draft.lead),
    stepConfigFingerprint(step, variant, template, profile),
  ]);
  return now[0] !== draft.leadIdentityFingerprint || now[1] !== draft.stepConfigFingerprint;
}

/** How a step is written now, by the labels of its variants; those whose text is gone are absent. */
export async function configsOf(step: Step, texts: StepTexts): Promise<Record<string, string>> {
  const configs = await Promise.all(
    step.variants.map(async (variant) => {
      const lead = { campaignLeadId: "" };
      const chosen = chooseText({ step: { ...step, variants: [variant] }, lead, ...texts });
      if (!chosen.ok) return [];
      const { template, profile } = chosen;
      return [[variant.label, await stepConfigFingerprint(step, variant, template, profile)]];
    }),
  );
  return Object.fromEntries(configs.flat());
}
