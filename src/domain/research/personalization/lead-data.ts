import { planColumns } from "#src/domain/people/leads/columns.ts";

/** Of an object that may have any number. */
const MAX_FIELDS = 300;

/**
 * The fields of a lead that somebody describes in their own words: what an import would understand goes by our names
 * (`role` is `title`, `linkedin_url` is `profile_url`), everything else keeps its own.
 */
export function leadFields(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(data).slice(0, MAX_FIELDS);
  const columns = planColumns(
    entries.map(([name]) => name),
    {},
  );
  if (typeof columns === "string") return Object.fromEntries(entries);
  const named = entries.map(([name, value], at) => {
    const target = columns[at]!.target;
    return [target.kind === "field" ? target.field : name, value] as const;
  });
  // A field of ours is not hidden by somebody's own of that name.
  return Object.fromEntries(named.toReversed());
}
