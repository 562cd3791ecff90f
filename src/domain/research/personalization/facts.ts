import { INVISIBLE } from "./clean-text.ts";
import type { Facts } from "./draft.ts";

/** Ours, and nothing that a letter could say. */
const INTERNAL = new Set(
  (
    "id workspace_id user_id dataset_id row_index lead_id campaign_lead_id email_key identity_key created_at updated_at " +
    "verification timezone tags"
  ).split(" "),
);

/** Of the sender's profile, what is said of him; `custom_prompt` is an instruction and comes as the prompt, if it does. */
const SENDER_FIELDS = new Set(
  (
    "full_name job_title company company_description value_proposition bio tone language signature profile_url calendar_url " +
    "email website"
  ).split(" "),
);

/** A lead has about a dozen fields, and 200 of its own at most. */
const MAX_FACTS = 200;
const MAX_DEPTH = 3;
const MAX_LIST = 20;

type Fields = Readonly<Record<string, unknown>>;

/**
 * What is known of a lead, by the field's name: its columns (spelled with capitals or underscores), then what stands under
 * `custom`, which never hides one of ours. Nested values become `outer.inner`; what is empty, or no text, is left out.
 */
export function leadFacts(fields: Fields): Facts {
  const { custom, ...columns } = fields;
  const facts = new Map<string, string>();
  const isOurs = (key: string) => !INTERNAL.has(key);
  collect(facts, underscored(columns), "", isOurs, 0);
  if (isObject(custom)) collect(facts, custom, "", isOurs, 0);
  return Object.fromEntries(facts);
}

/** A lead with nothing but what the model is shown of it: a value is as it was unless something was cut or left out there. */
export function shownFields(fields: Fields, shown: Facts): Fields {
  const facts = leadFacts(fields);
  const kept = (value: unknown, name: string): unknown => {
    if (isObject(value)) return entriesOf(value, (key) => `${name}.${key}`);
    return shown[name] === facts[name] ? value : shown[name];
  };
  const entriesOf = (of: Fields, nameOf: (key: string) => string): Fields =>
    Object.fromEntries(
      Object.entries(of)
        .map(([key, value]) => [key, kept(value, nameOf(key))] as const)
        .filter(([, value]) => value !== undefined),
    );
  const { custom, ...columns } = fields;
  return {
    ...entriesOf(underscored(columns), (key) => key),
    ...(isObject(custom) && { custom: entriesOf(custom, (key) => key) }),
  };
}

/** What is known of the sender: a saved profile, or fields given along. */
export function senderFacts(profile: Fields): Facts {
  const facts = new Map<string, string>();
  collect(facts, underscored(profile), "", (key) => SENDER_FIELDS.has(key), 0);
  return Object.fromEntries(facts);
}

/** `firstName` is `first_name`: rows come in both spellings. */
export const underscored = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      /^[a-z]+([A-Z][a-z]+)+$/.test(key)
        ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
        : key,
      value,
    ]),
  );

function collect(
  facts: Map<string, string>,
  fields: Fields,
  prefix: string,
  isWanted: (key: string) => boolean,
  depth: number,
): void {
  for (const [key, value] of Object.entries(fields)) {
    if (facts.size >= MAX_FACTS) return;
    const name = prefix + key;
    if (depth === 0 && !isWanted(name)) continue;
    if (isObject(value)) {
      if (depth < MAX_DEPTH) collect(facts, value, `${name}.`, isWanted, depth + 1);
      continue;
    }
    const text = textOf(value);
    if (text !== "" && !facts.has(name)) facts.set(name, text);
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

function textOf(value: unknown): string {
  // A letter that repeats an invisible character is refused, and a greeting without it is not this person's.
  if (typeof value === "string") return value.replace(INVISIBLE, "").trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (!Array.isArray(value)) return "";
  const items = value.slice(0, MAX_LIST).map((each) => (Array.isArray(each) ? "" : textOf(each)));
  return items.filter((each) => each !== "").join(", ");
}
