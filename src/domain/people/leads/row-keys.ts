import type { ColumnMapping } from "#db/schema/index.ts";
import {
  fieldOf,
  isNotImported,
  isOwnName,
  keyOf,
  labelKey,
  normalise,
  readTarget,
  type Target,
} from "./columns.ts";

/** A key's meaning, independent of its row. */
interface KnownKey {
  /** What the mapping says; null where it is silent. */
  mapped: Target | null;
  /** What it would be in a row where nothing else is the same. */
  guessed: Target;
  /** Whether it is the field's own name, which goes before its other spellings. */
  isOwn: boolean;
}

/** Most imports have one shape of row, or a few. */
const REMEMBERED_SHAPES = 100;

/** Where the values of one row go, key by key; or why that cannot be said, in words. */
export type RowTargets = Map<string, Target> | string;

/**
 * Reads the keys of rows, each row by itself: of two rows one may say `email` and the other `E-mail`, and both have an
 * address. Within a row the rules of a header hold: the mapping first, then a field's own name, then the common
 * spellings, and a second key for the same field is custom. Costs what the row holds; what is remembered is the distinct keys.
 */
export function createKeyReader(mapping: ColumnMapping) {
  const mapped = new Map(Object.entries(mapping).map(([label, to]) => [normalise(label), to]));
  const known = new Map<string, KnownKey>();
  const shapes = new Map<string, { labels: readonly string[]; targets: RowTargets }>();

  function lookUp(label: string): KnownKey {
    const found = known.get(label);
    if (found !== undefined) return found;
    const made = describe(label);
    known.set(label, made);
    return made;
  }

  function describe(label: string): KnownKey {
    const name = normalise(label);
    const to = mapped.get(name);
    const field = fieldOf(name);
    const custom: Target = { kind: "custom", key: labelKey(label) };
    const guessed: Target = isNotImported(name)
      ? { kind: "ignored" }
      : field === undefined
        ? custom
        : { kind: "field", field };
    return { mapped: to === undefined ? null : readTarget(to), guessed, isOwn: isOwnName(name) };
  }

  return {
    /** Whether the key can identify a lead. */
    identifies(label: string): boolean {
      const { mapped: said, guessed } = lookUp(label);
      return IDENTITIES.has(keyOf(said ?? guessed) ?? "");
    },
    read(labels: readonly string[]): RowTargets {
      const shape = labels.join();
      const found = shapes.get(shape);
      // A comma may be part of a key.
      if (found !== undefined && isSame(found.labels, labels)) return found.targets;
      const targets = assign(labels.map((label) => [label, lookUp(label)]));
      if (shapes.size < REMEMBERED_SHAPES) shapes.set(shape, { labels, targets });
      return targets;
    },
  };
}

export type KeyReader = ReturnType<typeof createKeyReader>;

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((label, index) => label === b[index]);

const IDENTITIES: ReadonlySet<string> = new Set(["email", "profile_url"]);

function assign(keys: readonly (readonly [string, KnownKey])[]): RowTargets {
  // In the order of the keys, whatever is decided first.
  const targets = new Map(keys.map(([label, { guessed }]) => [label, guessed]));
  const takenBy = new Map<string, string>();
  for (const [label, { mapped }] of keys) {
    if (mapped === null) continue;
    targets.set(label, mapped);
    const key = keyOf(mapped);
    if (key === null) continue;
    const other = takenBy.get(key);
    if (other !== undefined)
      return `"${other.slice(0, 60)}" and "${label.slice(0, 60)}" are both mapped to ${key}.`;
    takenBy.set(key, label);
  }
  for (const [label, { mapped, guessed, isOwn }] of keys)
    if (mapped === null && isOwn && isFree(guessed, takenBy)) takenBy.set(keyOf(guessed)!, label);
  const copies = new Map<string, number>();
  for (const [index, [label, { mapped, guessed }]] of keys.entries()) {
    if (mapped !== null || takenBy.get(keyOf(guessed) ?? "") === label) continue;
    const target = isFree(guessed, takenBy)
      ? guessed
      : { kind: "custom" as const, key: freeKey(label, index) };
    targets.set(label, target);
    const key = keyOf(target);
    if (key !== null) takenBy.set(key, label);
  }
  return targets;

  /** `size`, and where that is taken `size_2`: counted on from the last copy, so that many of them cost what they are. */
  function freeKey(label: string, index: number): string {
    const base = labelKey(label) || `column_${index + 1}`;
    let copy = copies.get(base) ?? 1;
    const keyOfCopy = () => (copy === 1 ? base : `${base}_${copy}`);
    while (takenBy.has(`custom.${keyOfCopy()}`)) copy += 1;
    copies.set(base, copy);
    return keyOfCopy();
  }
}

function isFree(target: Target, taken: ReadonlyMap<string, string>): boolean {
  const key = keyOf(target);
  return key === null || (key !== "custom." && !taken.has(key));
}
