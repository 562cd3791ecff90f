import type { DraftInputs, LeadRecord } from "#db/messages/draft-inputs.ts";
import type { Generation } from "#db/messages/generations.ts";
import { chooseText } from "#src/domain/campaigns/choose-text.ts";
import type { Facts, Prompt } from "#src/domain/research/personalization/draft.ts";
import { leadFacts, senderFacts, shownFields } from "#src/domain/research/personalization/facts.ts";
import { stepConfigFingerprint } from "#src/domain/research/personalization/fingerprints.ts";
import { TemplateError } from "#src/domain/senders/templates/template-error.ts";
import { filledText } from "./filled-text.ts";
import { resolvePrompt } from "#src/domain/research/personalization/prompts.ts";

/** The inputs of a text, or why it need not be written any more. */
export type DraftPlan =
  | { kind: "cancelled"; reason: string }
  | { kind: "skip"; reason: string }
  | {
      kind: "write";
      prompt: Prompt;
      record: LeadRecord;
      lead: Facts;
      sender: Facts;
      template: { subject: string; body: string } | null;
      /** The same without what the model is not shown of the lead. */
      templateOf?: (shown: Facts) => { subject: string; body: string };
      templateSource?: string;
      continuesThread: boolean;
      /** What it hangs on beside the lead, as the generation keeps it. */
      basis: Pick<
        Generation,
        "variantLabel" | "templateId" | "senderProfileId" | "stepConfigFingerprint"
      >;
    };

const skip = (reason: string): DraftPlan => ({ kind: "skip", reason });

/** Decides by everything as it is now: facts, texts and instructions that changed since the batch was asked for count. */
export async function planDraft(generation: Generation, inputs: DraftInputs): Promise<DraftPlan> {
  if (inputs.isCancelled) return { kind: "cancelled", reason: "The batch was cancelled." };
  if (inputs.lead === null) return skip("The lead was deleted.");
  const record = inputs.lead;
  return generation.kind === "run"
    ? planForRun(inputs, record)
    : planForStep(generation, inputs, record);
}

function planForRun(inputs: DraftInputs, record: LeadRecord): DraftPlan {
  const { senderProfileId, senderData, customPrompt } = inputs;
  const profile = inputs.senderProfiles.find(({ id }) => id === senderProfileId);
  const sender = profile?.fields ?? senderData;
  if (sender === null) return skip("The sender profile was deleted.");
  return {
    kind: "write",
    prompt: resolvePrompt({ override: customPrompt, sender: textOf(sender["custom_prompt"]) }),
    record,
    lead: leadFacts(record),
    sender: senderFacts(sender),
    template: null,
    continuesThread: false,
    basis: { variantLabel: null, templateId: null, senderProfileId, stepConfigFingerprint: null },
  };
}

async function planForStep(
  generation: Generation,
  inputs: DraftInputs,
  record: LeadRecord,
): Promise<DraftPlan> {
  const { campaign, campaignLead } = inputs;
  const step = campaign?.step ?? null;
  if (campaign === null || campaignLead === null || step === null)
    return skip("The campaign, its step or its lead is gone.");
  const why = whyNot(generation, campaign.status, step.ai_personalization_enabled, campaignLead);
  if (why !== null) return skip(why);
  const chosen = chooseText({ ...inputs, step, lead: { campaignLeadId: campaignLead.id } });
  if (!chosen.ok) return skip(chosen.reason);
  const { variant, source, profile } = chosen;
  const sender = profile?.fields ?? {};
  const seed = `${campaignLead.id}/${step.step}`;
  const template = tryFill(chosen, record, seed);
  if (template === null) return skip(`The text of step ${step.step} cannot be read.`);
  return {
    kind: "write",
    prompt: resolvePrompt({
      override: inputs.customPrompt,
      campaign: campaign.systemPrompt,
      sender: textOf(sender["custom_prompt"]),
    }),
    record,
    lead: leadFacts(record),
    sender: senderFacts(sender),
    template,
    templateOf: (shown) => filledText(chosen, shownFields(record, shown), seed),
    templateSource: `${source.subject}\n${source.body}`,
    continuesThread: source.subject === "",
    basis: {
      variantLabel: variant.label,
      templateId: chosen.template?.id ?? null,
      senderProfileId: profile?.id ?? null,
      stepConfigFingerprint: await stepConfigFingerprint(step, variant, chosen.template, profile),
    },
  };
}

function tryFill(...given: Parameters<typeof filledText>) {
  try {
    return filledText(...given);
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

type CampaignLead = NonNullable<DraftInputs["campaignLead"]>;

function whyNot(
  { kind, step }: Generation,
  campaign: string,
  isAi: boolean,
  lead: CampaignLead,
): string | null {
  if (!isAi) return "The step is not personalized any more.";
  if (lead.status !== "pending" && lead.status !== "active") return `The lead is ${lead.status}.`;
  if (lead.isSent) return "The step was sent.";
  if (kind !== "send_time") return null;
  // A send-time text is written only if it could go out next.
  if (campaign !== "active" && campaign !== "draining") return `The campaign is ${campaign}.`;
  return lead.nextStep === step ? null : "Another step of the lead is next.";
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
