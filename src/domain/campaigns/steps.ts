import { noteLengthOf } from "#src/domain/senders/network-limits.ts";
import { limitFault } from "#src/domain/senders/templates/template.ts";
import {
  type ActionType,
  actionsOf,
  type CampaignType,
  type Channel,
  type ExperimentConfig,
  type Step,
  type Variant,
} from "#db/schema/index.ts";

/** A variant as asked for; absent and null mean the default. */
export interface VariantInput {
  label?: string | null | undefined;
  weight?: number | null | undefined;
  type: "TEMPLATE" | "INLINE";
  template_id?: string | null | undefined;
  sender_profile_id?: string | null | undefined;
  subject?: string | null | undefined;
  body?: string | null | undefined;
}

export interface StepInput {
  step: number;
  delay_days: number;
  channel?: Channel | null | undefined;
  action_type?: ActionType | null | undefined;
  ai_personalization_enabled: boolean;
  track_opens: boolean;
  track_clicks: boolean;
  variants?: VariantInput[] | null | undefined;
  message_template?: string | null | undefined;
  note_optional?: boolean | null | undefined;
  experiment?: ExperimentConfig | null | undefined;
}

export interface StepFault {
  /** Where in the list of steps. */
  path: (string | number)[];
  message: string;
}

const channelOf = (step: StepInput, type: CampaignType | null): Channel | null =>
  step.channel ?? (type === "mixed" ? null : type);

const variantsOf = (step: StepInput): VariantInput[] => step.variants ?? [];

/**
 * Everything wrong with a list of steps that the list alone can tell. Without a
 * campaign type, what depends on it is left out.
 */
export function stepFaults(steps: StepInput[], type: CampaignType | null): StepFault[] {
  return steps.flatMap((step, index) =>
    [
      ...numberFaults(step, index),
      ...channelFaults(step, type),
      ...variantFaults(variantsOf(step)),
      ...textFaults(step, channelOf(step, type)),
      ...noteFaults(step, channelOf(step, type)),
      ...experimentFaults(step),
    ].map(({ path, message }) => ({ path: [index, ...path], message })),
  );
}

function numberFaults(step: StepInput, index: number): StepFault[] {
  if (step.step === index + 1) return [];
  return [
    { path: ["step"], message: `Steps are numbered 1 to n in order; expected ${index + 1}.` },
  ];
}

function channelFaults(step: StepInput, type: CampaignType | null): StepFault[] {
  if (type === "mixed" && step.channel == null)
    return [{ path: ["channel"], message: "A mixed campaign needs a channel in each step." }];
  if (type !== null && type !== "mixed" && step.channel != null && step.channel !== type)
    return [{ path: ["channel"], message: `A campaign of type ${type} has only ${type} steps.` }];
  const channel = channelOf(step, type);
  if (channel === "socialnet" && step.ai_personalization_enabled)
    return [
      {
        path: ["ai_personalization_enabled"],
        message:
          "A model writes emails only; a step of the network takes its text from a template.",
      },
    ];
  if (channel === null || step.action_type == null) return [];
  if (actionsOf(channel).includes(step.action_type)) return [];
  const possible = actionsOf(channel).join(", ");
  return [{ path: ["action_type"], message: `The channel ${channel} can do: ${possible}.` }];
}

function variantFaults(variants: VariantInput[]): StepFault[] {
  const faults: StepFault[] = variants.flatMap((variant, index) => {
    const at = (field: string, message: string) => [{ path: ["variants", index, field], message }];
    if (variant.type === "TEMPLATE" && variant.template_id == null)
      return at("template_id", "A TEMPLATE variant needs a template_id.");
    if (variant.type === "INLINE" && variant.body == null)
      return at("body", "An INLINE variant needs a body.");
    const fault = variant.type === "INLINE" ? limitFault(variant.body ?? "") : null;
    return fault === null ? [] : at("body", fault);
  });
  const labels = variants.flatMap(({ label }) => label ?? []);
  if (new Set(labels).size < labels.length)
    faults.push({ path: ["variants"], message: "Two variants have the same label." });
  if (variants.length > 0 && variants.every(({ weight }) => weight === 0))
    faults.push({ path: ["variants"], message: "At least one variant needs a weight above 0." });
  return faults;
}

function textFaults(step: StepInput, channel: Channel | null): StepFault[] {
  const variants = variantsOf(step);
  const hasTemplate = step.message_template != null;
  const fault = limitFault(step.message_template ?? "");
  if (fault !== null) return [{ path: ["message_template"], message: fault }];
  if (channel === "email") {
    if (variants.length === 0)
      return [{ path: ["variants"], message: "An email step needs 1 to 10 variants." }];
    if (hasTemplate)
      return [
        { path: ["message_template"], message: "An email step takes its text from variants." },
      ];
  }
  if (hasTemplate && variants.length > 0)
    return [
      { path: ["message_template"], message: "Give message_template or variants, not both." },
    ];
  if (step.action_type === "message" && !hasTemplate && variants.length === 0)
    return [
      { path: ["message_template"], message: "A message needs a message_template or variants." },
    ];
  return [];
}

/** The default action carries a note of a few words: a longer text was hardly meant as one. */
function noteFaults(step: StepInput, channel: Channel | null): StepFault[] {
  const action = step.action_type ?? (channel === null ? null : actionsOf(channel)[0]);
  if (step.note_optional != null && action !== null && action !== "connection_request")
    return [{ path: ["note_optional"], message: "Only a connection_request has a note." }];
  if (channel !== "socialnet" || step.action_type != null) return [];
  const texts = [step.message_template, ...variantsOf(step).map(({ body }) => body)];
  const longest = Math.max(...texts.map((text) => text?.length ?? 0));
  if (longest <= LONGEST_NOTE) return [];
  return [
    {
      path: ["action_type"],
      message: `A text of ${longest} characters is no note of a connection_request, which has ${LONGEST_NOTE} at most: say action_type message.`,
    },
  ];
}

/** What a step cannot be tried out by. */
function experimentFaults(step: StepInput): StepFault[] {
  if (step.experiment == null) return [];
  const at = (field: string[], message: string) => [{ path: ["experiment", ...field], message }];
  const arms = variantsOf(step).filter(({ weight }) => weight !== 0).length;
  if (arms < 2) return at([], "An experiment needs two variants with a weight above 0.");
  if (step.experiment.metric === "click" && !step.track_clicks)
    return at(["metric"], "Clicks are counted only with track_clicks.");
  // At a floor of 1 / K nothing could shift.
  if (step.experiment.floor * arms >= 1)
    return at(["floor"], `The floors of ${arms} variants leave nothing to shift.`);
  return [];
}

const LONGEST_NOTE = noteLengthOf({ isPremium: true });

/** The steps as stored and answered: every default filled in. Expects a list without faults. */
export function fillSteps(steps: StepInput[], type: CampaignType): Step[] {
  return steps.map((step) => {
    const channel = channelOf(step, type) ?? "email";
    return {
      step: step.step,
      delay_days: step.delay_days,
      channel,
      action_type: step.action_type ?? actionsOf(channel)[0]!,
      ai_personalization_enabled: step.ai_personalization_enabled,
      track_opens: step.track_opens,
      track_clicks: step.track_clicks,
      variants: fillVariants(variantsOf(step)),
      ...(step.message_template == null ? {} : { message_template: step.message_template }),
      ...(step.note_optional == null ? {} : { note_optional: step.note_optional }),
      ...(step.experiment == null ? {} : { experiment: step.experiment }),
    };
  });
}

const LABELS = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"];

function fillVariants(variants: VariantInput[]): Variant[] {
  const free = LABELS.filter((label) => !variants.some((variant) => variant.label === label));
  const weight = defaultWeight(variants);
  return variants.map((variant) => ({
    label: variant.label ?? free.shift()!,
    weight: variant.weight ?? weight,
    ...(variant.sender_profile_id == null ? {} : { sender_profile_id: variant.sender_profile_id }),
    ...(variant.type === "TEMPLATE"
      ? { type: "TEMPLATE", template_id: variant.template_id! }
      : { type: "INLINE", ...subjectOf(variant), body: variant.body! }),
  }));
}

const subjectOf = ({ subject }: VariantInput) =>
  subject == null || subject === "" ? {} : { subject };

/** Variants without a weight share equally the rest of 100 that the weighted ones leave; if none is left, each gets an equal part of 100. */
function defaultWeight(variants: VariantInput[]): number {
  const given = variants.flatMap(({ weight }) => weight ?? []);
  const left = 100 - given.reduce((sum, weight) => sum + weight, 0);
  const without = variants.length - given.length;
  if (without === 0) return 0;
  return left >= without ? Math.floor(left / without) : Math.floor(100 / variants.length);
}

/** The records that the steps refer to, each id once. */
export function referencesOf(steps: Step[]): { templateIds: string[]; profileIds: string[] } {
  const variants = steps.flatMap((step) => step.variants);
  const templateIds = variants.flatMap((variant) =>
    variant.type === "TEMPLATE" ? variant.template_id : [],
  );
  const profileIds = variants.flatMap((variant) => variant.sender_profile_id ?? []);
  return { templateIds: [...new Set(templateIds)], profileIds: [...new Set(profileIds)] };
}
