import { fingerprintOf } from "./canonical.ts";
import { underscored } from "./facts.ts";

/** A text is about this person; other spellings of the same address are the same one. */
const IDENTITY = [
  "email",
  "first_name",
  "last_name",
  "full_name",
  "company",
  "title",
  "profile_url",
];

/** `lead` is its row, as the database or the code spells its columns; what is absent, null or blank is the same. */
export function leadIdentityFingerprint(lead: Readonly<Record<string, unknown>>): Promise<string> {
  const fields = underscored(lead);
  const { email, ...names } = Object.fromEntries(
    IDENTITY.map((field) => [field, saidOf(fields[field])]),
  );
  return fingerprintOf({ ...names, email: email?.toLowerCase() ?? null });
}

function saidOf(value: unknown): string | null {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? null : text;
}

/** The parts of a step, a variant, a template and a profile that decide what is written; their own types have more. */
export interface StepConfig {
  step: { step: number; channel: string; action_type: string };
  variant: { label: string; type: string; subject?: string; body?: string };
  template: { id: string; version: number } | null;
  profile: { id: string; version: number } | null;
}

/** An inline variant has no version: its text stands for it. */
export const stepConfigFingerprint = (
  { step, channel, action_type }: StepConfig["step"],
  { label, type, subject, body }: StepConfig["variant"],
  template: StepConfig["template"],
  profile: StepConfig["profile"],
): Promise<string> =>
  fingerprintOf({
    step,
    channel,
    action_type,
    variant: { label, type, subject: subject ?? null, body: body ?? null },
    template: template === null ? null : { id: template.id, version: template.version },
    profile: profile === null ? null : { id: profile.id, version: profile.version },
  });

export const researchFingerprint = (text: string): Promise<string> => fingerprintOf(text);

/** What a person saw who approves it. */
export const draftHash = ({ subject, body }: { subject: string; body: string }): Promise<string> =>
  fingerprintOf({ subject, body });
