import { isDraftedStep } from "#db/engine/index.ts";
import { CREDIT_COSTS } from "#src/domain/billing/credits/packs.ts";
import { requiredVariables } from "#src/domain/senders/templates/required-variables.ts";
import { TemplateError } from "#src/domain/senders/templates/template-error.ts";
import {
  type Check,
  type CheckedCampaign,
  type CheckInputs,
  failed,
  passed,
  warned,
} from "./checks.ts";
import { type StepText, textsOf } from "./campaign-texts.ts";

/** Checks the texts: their templates, unfilled variables, sender profiles, and the cost of writing them. */
export function checkTexts(campaign: CheckedCampaign, inputs: CheckInputs): Check[] {
  const { texts, missing } = textsOf(campaign.steps, inputs.templates);
  const needs = texts.map((text) => needsOf(text));
  // A model is shown what a text leaves open, and fills it in or writes around it.
  const drafted = new Set(campaign.steps.filter(isDraftedStep).map(({ step }) => step));
  const literal = needs.filter(({ text }) => !drafted.has(text.step));
  return [
    checkTemplates(campaign, texts, missing, inputs),
    checkVariables(literal, inputs),
    checkProfile(campaign, literal, inputs),
    checkCredits(campaign, inputs),
  ];
}

function checkTemplates(
  { steps }: CheckedCampaign,
  texts: StepText[],
  missing: { where: string; problem: string }[],
  { isModelConfigured }: CheckInputs,
): Check {
  const generated = isModelConfigured ? [] : steps.filter(isDraftedStep);
  const firstMail = steps.find(({ channel }) => channel === "email")?.step;
  const problems = [
    ...missing.map(({ where, problem }) => `${where}: ${problem}`),
    ...texts
      .filter(({ step, subject }) => step === firstMail && (subject ?? "").trim() === "")
      .map(({ where }) => `${where}: the first email of a campaign needs a subject`),
    ...generated.map(
      ({ step }) =>
        `step ${step}: a model writes its text, and this deployment has none (MODEL_BASE_URL)`,
    ),
  ];
  return problems.length === 0
    ? passed("templates_exist", "Every step has its text.")
    : failed("templates_exist", `${problems.join("; ")}.`);
}

/** What the texts that are still to be written cost, and whether the balance covers it. */
export interface TextCost {
  credits: number;
  isCovered: boolean;
}

/** Of texts not approved yet; under the policy `hold` users ask for all of them. */
export function textCost(
  { steps }: Pick<CheckedCampaign, "steps">,
  { leads, provided, creditsAvailable }: CheckInputs,
): TextCost {
  const takers = leads.reachable - leads.suppressed;
  const credits = steps
    .filter(isDraftedStep)
    .map(({ step }) => Math.max(0, takers - (provided[step] ?? 0)))
    .reduce((sum, texts) => sum + texts * CREDIT_COSTS.send_time_generation, 0);
  return { credits, isCovered: credits <= creditsAvailable };
}

function checkCredits(campaign: CheckedCampaign, inputs: CheckInputs): Check {
  const { steps, unreviewedLaunchPolicy } = campaign;
  if (!steps.some(isDraftedStep))
    return passed("credits_sufficient", "Nothing in the campaign costs credits.");
  const { credits, isCovered } = textCost(campaign, inputs);
  const words = `${credits} texts are still to be written and cost a credit each; ${inputs.creditsAvailable} credits are available.`;
  if (isCovered) return passed("credits_sufficient", words);
  const rest =
    unreviewedLaunchPolicy === "hold"
      ? "Drafts are paid for when they are generated."
      : "Without credit the campaign pauses (credits_exhausted).";
  return warned("credits_sufficient", `${words} ${rest}`);
}

/** The variables a text cannot do without, or why it cannot be read. */
interface TextNeeds {
  text: StepText;
  lead: string[];
  sender: string[];
  fault: string | null;
}

const SENDER = "sender.";

function needsOf(text: StepText): TextNeeds {
  try {
    const names = [
      ...new Set([...requiredVariables(text.subject ?? ""), ...requiredVariables(text.body)]),
    ];
    const sender = names.filter((name) => name.startsWith(SENDER));
    return {
      text,
      lead: names.filter((name) => !name.startsWith(SENDER)),
      sender: sender.map((name) => name.slice(SENDER.length)),
      fault: null,
    };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { text, lead: [], sender: [], fault: error.message };
  }
}

/** Fields that every lead has, whatever was imported. */
const ALWAYS_THERE = new Set([
  "lead",
  "custom",
  "id",
  "row_index",
  "tags",
  "dataset_id",
  "created_at",
  "updated_at",
]);

function checkVariables(needs: TextNeeds[], { leads }: CheckInputs): Check {
  const faults = needs.flatMap(({ text, fault }) =>
    fault === null ? [] : [`${text.where} cannot be read: ${fault}`],
  );
  const names = [...new Set(needs.flatMap(({ lead }) => lead))].filter(
    (name) => !ALWAYS_THERE.has(bareName(name)),
  );
  const lacking = names
    .map((name) => ({ name, count: leads.reachable - having(leads, name) }))
    .filter(({ count }) => count > 0);
  const nobodyHas = lacking.filter(({ count }) => count === leads.reachable);
  faults.push(...nobodyHas.map(({ name }) => `no lead has ${name}`));
  if (faults.length > 0) return failed("variables_resolve", `${faults.join("; ")}.`);
  if (lacking.length === 0)
    return passed("variables_resolve", "Every variable resolves for every lead.");
  const counts = lacking.map(({ name, count }) => `${name} is missing for ${count}`).join(", ");
  return warned(
    "variables_resolve",
    `Of ${leads.reachable} leads, ${counts}; without a default they are skipped (MISSING_VARIABLE).`,
  );
}

/** `company`, `lead.company`, `custom.company` and `lead.custom.company` are one variable; a column never hides a standard field. */
function having({ having }: CheckInputs["leads"], name: string): number {
  return having[bareName(name)] ?? 0;
}

const bareName = (name: string) => name.replace(/^(lead\.)?(custom\.)?/, "");

function checkProfile(
  { steps }: CheckedCampaign,
  needs: TextNeeds[],
  { profiles }: CheckInputs,
): Check {
  const known = new Map(profiles.map((profile) => [profile.id, profile]));
  const fallback = profiles.find(({ isDefault }) => isDefault);
  const gone = steps
    .flatMap(({ step, variants }) => variants.map((variant) => ({ step, ...variant })))
    .filter(({ sender_profile_id: id }) => id !== undefined && !known.has(id))
    .map(
      ({ step, label }) => `step ${step}, variant ${label} names a profile that no longer exists`,
    );
  const blank = needs.flatMap(({ text, sender }) => {
    const profile = text.profileId === null ? fallback : known.get(text.profileId);
    if (profile === undefined) {
      const names = sender.map((name) => SENDER + name).join(", ");
      return sender.length === 0 || text.profileId !== null
        ? []
        : [`${text.where} needs ${names}, and the workspace has no default profile`];
    }
    return sender
      .filter((name) => !hasField(profile, name))
      .map((name) => `${text.where} needs ${SENDER}${name}, which the profile leaves open`);
  });
  const nobody = steps
    .filter(isDraftedStep)
    .flatMap(({ step, variants }) => variants.map((variant) => ({ step, ...variant })))
    .filter(({ sender_profile_id: id }) => id === undefined && fallback === undefined)
    .map(
      ({ step, label }) =>
        `step ${step}, variant ${label} is written by a model for a sender, and the workspace has no default profile`,
    );
  const problems = [...gone, ...new Set(blank), ...nobody];
  if (problems.length > 0) return failed("sender_profile", `${problems.join("; ")}.`);
  return passed("sender_profile", "Every text has the sender profile that it needs.");
}

function hasField(profile: Record<string, unknown>, name: string): boolean {
  const column = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const value = profile[column];
  return typeof value === "string" && value.trim() !== "";
}
