/** The steps of a campaign as a person edits them, and as the API takes and answers them. */

export type Channel = "email" | "socialnet";
export type ActionType = "send_email" | "connection_request" | "message" | "profile_view";

/** As the API answers a step, as far as it is edited. */
export interface StoredStep {
  step: number;
  delay_days: number;
  channel: Channel;
  action_type: ActionType;
  ai_personalization_enabled: boolean;
  track_opens: boolean;
  track_clicks: boolean;
  variants: StoredVariant[];
  message_template?: string;
  note_optional?: boolean;
  experiment?: Experiment;
}

/** How a step's variants are tried out. */
export interface Experiment {
  metric: "reply" | "click";
  horizon_days: number;
  floor: number;
}

/** As the service fills it in. */
export const USUAL_EXPERIMENT: Experiment = { metric: "reply", horizon_days: 5, floor: 0.05 };

export interface StoredVariant {
  label: string;
  weight: number;
  type: "TEMPLATE" | "INLINE";
  template_id?: string;
  sender_profile_id?: string;
  subject?: string;
  body?: string;
}

/** Numbers are text as long as they are typed. */
export interface VariantForm {
  label: string;
  weight: string;
  type: "TEMPLATE" | "INLINE";
  templateId: string;
  senderProfileId: string;
  subject: string;
  body: string;
}

export interface StepForm {
  /** Stays with the step while others are moved. */
  key: number;
  delayDays: string;
  channel: Channel;
  action: ActionType;
  ai: boolean;
  trackOpens: boolean;
  trackClicks: boolean;
  variants: VariantForm[];
  message: string;
  withoutNote: boolean | null;
  experiment: Experiment | null;
}

export const ACTIONS: Record<Channel, { action: ActionType; label: string }[]> = {
  email: [{ action: "send_email", label: "Email" }],
  socialnet: [
    { action: "connection_request", label: "Connection request" },
    { action: "message", label: "Message" },
    { action: "profile_view", label: "Profile view" },
  ],
};

export const formOf = (steps: readonly StoredStep[]): StepForm[] =>
  steps.map((step, key) => ({
    key,
    delayDays: String(step.delay_days),
    channel: step.channel,
    action: step.action_type,
    ai: step.ai_personalization_enabled,
    trackOpens: step.track_opens,
    trackClicks: step.track_clicks,
    variants: step.variants.map(variantForm),
    message: step.message_template ?? "",
    withoutNote: step.note_optional ?? null,
    experiment: step.experiment ?? null,
  }));

const variantForm = (variant: StoredVariant): VariantForm => ({
  label: variant.label,
  weight: String(variant.weight),
  type: variant.type,
  templateId: variant.template_id ?? "",
  senderProfileId: variant.sender_profile_id ?? "",
  subject: variant.subject ?? "",
  body: variant.body ?? "",
});

/** The body of a change or a create. Of a step what its channel has no use for is left out. */
export const bodyOf = (steps: readonly StepForm[]) =>
  steps.map((step, index) => ({
    step: index + 1,
    delay_days: numberOr(step.delayDays, 0),
    channel: step.channel,
    action_type: step.action,
    ai_personalization_enabled: step.channel === "email" && step.ai,
    track_opens: step.trackOpens,
    track_clicks: step.trackClicks,
    variants: step.variants.map(variantBody),
    ...(step.channel === "socialnet" && step.variants.length === 0 && step.message !== ""
      ? { message_template: step.message }
      : {}),
    ...(step.action === "connection_request" && step.withoutNote !== null
      ? { note_optional: step.withoutNote }
      : {}),
    // One text is compared with nothing.
    ...(step.experiment !== null && step.variants.length > 1
      ? { experiment: step.experiment }
      : {}),
  }));

const variantBody = (variant: VariantForm) => ({
  label: variant.label === "" ? null : variant.label,
  weight: variant.weight.trim() === "" ? null : numberOr(variant.weight, 0),
  type: variant.type,
  ...(variant.senderProfileId === "" ? {} : { sender_profile_id: variant.senderProfileId }),
  ...(variant.type === "TEMPLATE"
    ? { template_id: variant.templateId === "" ? null : variant.templateId }
    : { subject: variant.subject, body: variant.body === "" ? null : variant.body }),
});

/** The whole number that a text is, or else this. */
export function numberOr(text: string, fallback: number): number {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : fallback;
}

/** A new step goes on in the channel of the one before, three days later. */
export function newStep(steps: readonly StepForm[], channel: Channel): StepForm {
  return {
    key: 1 + Math.max(-1, ...steps.map(({ key }) => key)),
    delayDays: steps.length === 0 ? "0" : "3",
    channel,
    action: ACTIONS[channel][0]!.action,
    ai: false,
    trackOpens: false,
    trackClicks: false,
    variants: channel === "email" ? [newVariant([])] : [],
    message: "",
    withoutNote: null,
    experiment: null,
  };
}

const LABELS = "ABCDEFGHIJ".split("");

export const newVariant = (others: readonly VariantForm[]): VariantForm => ({
  label: LABELS.find((label) => !others.some((other) => other.label === label)) ?? "",
  weight: "",
  type: "INLINE",
  templateId: "",
  senderProfileId: "",
  subject: "",
  body: "",
});

/** Each variant's part in percent; those without a weight share what the others leave of 100. */
export function shares(variants: readonly VariantForm[]): number[] {
  const given = variants.map(({ weight }) => (weight.trim() === "" ? null : numberOr(weight, 0)));
  const without = given.filter((weight) => weight === null).length;
  const left = 100 - given.reduce<number>((sum, weight) => sum + (weight ?? 0), 0);
  const usual = left >= without ? Math.floor(left / without) : Math.floor(100 / variants.length);
  const weights = given.map((weight) => weight ?? usual);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (total === 0 ? 0 : Math.round((100 * weight) / total)));
}

/** The campaign with another channel in one of its steps is of this type. */
export function typeOf(steps: readonly StepForm[]): "email" | "socialnet" | "mixed" {
  const channels = new Set(steps.map(({ channel }) => channel));
  return channels.size > 1 ? "mixed" : ([...channels][0] ?? "email");
}

/** A step's neighbours in another order. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  if (to < 0 || to >= items.length) return [...items];
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, items[from]!);
}
