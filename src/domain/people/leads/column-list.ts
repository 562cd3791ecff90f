import { CSV_LIMITS } from "#src/csv/reader.ts";
import { type Column, keyOf, type Target } from "./columns.ts";

/** What became of the keys so far, for the dataset's description: one column for each place that values go to. */
export function createColumnList() {
  const all: Column[] = [];
  const places = new Map<string, number>();
  let noted: ReadonlyMap<string, Target> | null = null;
  return {
    all,
    /** A row's texts, each at the place of its column. */
    place(targets: ReadonlyMap<string, Target>, row: Record<string, unknown>): (string | null)[] {
      const texts = all.map((): string | null => null);
      for (const [label, target] of targets) {
        const index = indexOf(label, target);
        if (index !== undefined) texts[index] = scalarText(row[label]);
      }
      return texts;
    },
    note(targets: ReadonlyMap<string, Target>): void {
      if (targets === noted) return;
      noted = targets;
      for (const [label, target] of targets) indexOf(label, target);
    },
  };

  function indexOf(label: string, target: Target): number | undefined {
    const key = keyOf(target);
    if (key === null) return undefined;
    const known = places.get(key);
    if (known !== undefined || all.length === CSV_LIMITS.columns) return known;
    places.set(key, all.length);
    all.push({ label, target });
    return all.length - 1;
  }
}

export type ColumnList = ReturnType<typeof createColumnList>;

/** A value as text; null for an object or a list. */
export function scalarText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}
