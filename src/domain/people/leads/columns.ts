import type { ColumnMapping, DatasetColumn } from "#db/schema/index.ts";
import { headersOf, LEAD_FIELDS, type LeadField, typeOf } from "./lead-columns.ts";
import { CUSTOM_LIMITS, isStorable } from "./custom-fields.ts";

/** Where a column's values go. */
export type Target =
  | { kind: "field"; field: LeadField }
  | { kind: "custom"; key: string }
  | { kind: "ignored" };

export interface Column {
  label: string;
  target: Target;
}

const BY_SPELLING = new Map<string, LeadField>(
  LEAD_FIELDS.flatMap((field) =>
    [normalise(field), ...headersOf(field)].map((name) => [name, field] as const),
  ),
);

const OWN_NAMES: ReadonlySet<string> = new Set(LEAD_FIELDS.map(normalise));

/** Columns of the service's own export that say nothing about the person. */
const NOT_IMPORTED = new Set(["rowindex", "verification"]);

/**
 * Decides for each column of a header: the mapping first, then a field's own name, then the common spellings, and
 * everything else becomes a custom field. A field belongs to one column; a second one that would name it becomes
 * custom too. Returns the fault of the mapping in words if there is one.
 */
export function planColumns(labels: readonly string[], mapping: ColumnMapping): Column[] | string {
  const mapped = new Map(Object.entries(mapping).map(([label, to]) => [normalise(label), to]));
  const taken = new Set<string>();
  const columns: (Column | null)[] = [];
  for (const label of labels) {
    const to = mapped.get(normalise(label));
    const target = to === undefined ? null : readTarget(to);
    if (target !== null && target.kind !== "ignored") {
      const key = keyOf(target)!;
      if (taken.has(key)) return `The mapping sends two columns to ${key}.`;
      taken.add(key);
    }
    columns.push(target === null ? null : { label, target });
  }
  // `Company Email,Email`: wherever it stands, the column of the field's own name is the field.
  for (const [index, label] of labels.entries()) {
    const name = normalise(label);
    if (columns[index] !== null || !isOwnName(name) || taken.has(fieldOf(name)!)) continue;
    columns[index] = { label, target: guess(label, index, taken) };
  }
  return columns.map(
    (column, index) =>
      column ?? { label: labels[index]!, target: guess(labels[index]!, index, taken) },
  );
}

/** The field that a name, as `normalise` writes it, is a spelling of. */
export const fieldOf = (name: string): LeadField | undefined => BY_SPELLING.get(name);

/** Whether it is what the service itself calls the field, and no other spelling. */
export const isOwnName = (name: string): boolean => OWN_NAMES.has(name);

export const isNotImported = (name: string): boolean => NOT_IMPORTED.has(name);

/** The custom key that a label makes; empty where nothing of it can be written. */
export const labelKey = (label: string): string => customKey(label.replace(/^custom\./i, ""));

function guess(label: string, index: number, taken: Set<string>): Target {
  const name = normalise(label);
  if (isNotImported(name)) return { kind: "ignored" };
  const field = fieldOf(name);
  if (field !== undefined && !taken.has(field)) {
    taken.add(field);
    return { kind: "field", field };
  }
  const base = labelKey(label) || `column_${index + 1}`;
  let key = base;
  for (let copy = 2; taken.has(`custom.${key}`); copy++) key = `${base}_${copy}`;
  taken.add(`custom.${key}`);
  return { kind: "custom", key };
}

/** A mapping's target; null when it names nothing that a lead has. */
export function readTarget(to: string | null): Target | null {
  if (to === null) return { kind: "ignored" };
  if ((LEAD_FIELDS as readonly string[]).includes(to))
    return { kind: "field", field: to as LeadField };
  const key = /^custom\.(.+)$/.exec(to)?.[1];
  return key !== undefined && customKey(key) === key ? { kind: "custom", key } : null;
}

/** The targets that a mapping may give a column, in words. */
export const MAPPING_TARGETS = `${LEAD_FIELDS.join(", ")}, custom.<name> (lower case letters, digits, underscores), or null to leave it out`;

export const isMappingTarget = (to: string | null): boolean => readTarget(to) !== null;

/** `email`, `custom.deal_size`; null for what is left out. */
export function keyOf(target: Target): string | null {
  if (target.kind === "ignored") return null;
  return target.kind === "field" ? target.field : `custom.${target.key}`;
}

/** A header that gives `key` back when an export is imported again. */
export function exportLabel(key: string): string {
  const column = guess(key, 0, new Set());
  return column.kind === "custom" && column.key === key ? key : `custom.${key}`;
}

/** A name that a template can write: `Deal size (EUR)` is `deal_size_eur`. */
function customKey(label: string): string {
  return label
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, CUSTOM_LIMITS.keyLength);
}

/** A label without case, spaces, accents and punctuation. */
export function normalise(label: string): string {
  return label
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** What the dataset remembers of a header: one entry for each column that is kept. */
export function describeColumns(columns: readonly Column[], samples: readonly (string | null)[]) {
  return columns.flatMap(({ label, target }, index): DatasetColumn[] => {
    const key = keyOf(target);
    if (key === null) return [];
    const type = target.kind === "field" ? typeOf(target.field) : "text";
    const sample = samples[index];
    return [{ key, label: cutText(label, 255), type, sample: sample ?? null }];
  });
}

/** At most so many characters, and none that cannot be stored: this text is shown, not used. */
export function cutText(text: string, length: number): string {
  const short = text.slice(0, length).toWellFormed();
  return isStorable(short) ? short : Array.from(short).filter(isStorable).join("");
}
