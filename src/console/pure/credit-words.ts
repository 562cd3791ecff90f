/** What one credit pays for, by the name that costs and entries have it under. */
export const CREDIT_USES: Readonly<Record<string, string>> = {
  email_verification: "an address verified",
  dataset_row_verification: "an address of a list verified",
  email_found: "an address found",
  profile_found: "a profile found",
  prospect_found: "a person found in the pool",
  personalization_preview: "a text written as a preview",
  personalization_draft: "a draft written",
  personalization_run_lead: "a text written in a run",
  send_time_generation: "a text written as it was sent",
  purchase: "a purchase",
};

interface Entry {
  kind: string;
  ref_type: string;
  available_delta: number;
  held_delta: number;
  owed_delta: number;
}

/** Why credits moved, in a sentence. */
export function entryWords({ kind, ref_type: ref }: Entry): string {
  const use = CREDIT_USES[ref] ?? ref.replaceAll("_", " ");
  switch (kind) {
    case "grant":
      return ref === "purchase" ? "Bought." : `Given: ${use}.`;
    case "hold":
      return `Reserved for ${use}.`;
    case "capture":
      return `Spent on ${use}.`;
    case "release":
      return `Given back: nothing came of ${use}.`;
    case "expire":
      return `Given back: ${use} took too long.`;
    case "refund":
      return "Taken back: the purchase was refunded.";
    case "refund_failed":
      return "Given again: the refund did not go through.";
    case "dispute":
      return "Taken back: the purchase is disputed.";
    case "dispute_won":
      return "Given again: the dispute was won.";
    default:
      return `${kind.replaceAll("_", " ")}: ${use}.`;
  }
}

/** "+1,000", "-1"; nothing for nothing. */
export const delta = (value: number): string =>
  value === 0 ? "" : `${value > 0 ? "+" : "-"}${Math.abs(value).toLocaleString("en-GB")}`;

/** "$19.00" as its currency is written. */
export const price = (cents: number, currency: string): string =>
  new Intl.NumberFormat("en-GB", {
    style: "currency",
    currency: currency.toUpperCase(),
    currencyDisplay: "narrowSymbol",
  }).format(cents / 100);

interface Listed extends Entry {
  id: string;
  ref_id: string;
  created_at: string;
}

/** Entries that say the same at nearly the same time, as one line. */
export interface EntryGroup<Each extends Listed = Listed> extends Entry {
  id: string;
  created_at: string;
  entries: Each[];
}

const TOGETHER_MS = 60_000;

export function groupEntries<Each extends Listed>(entries: readonly Each[]): EntryGroup<Each>[] {
  const groups: EntryGroup<Each>[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    const isSame =
      last !== undefined &&
      last.kind === entry.kind &&
      last.ref_type === entry.ref_type &&
      Math.abs(Date.parse(last.created_at) - Date.parse(entry.created_at)) < TOGETHER_MS;
    if (!isSame) {
      groups.push({ ...entry, entries: [entry] });
      continue;
    }
    last.entries.push(entry);
    last.available_delta += entry.available_delta;
    last.held_delta += entry.held_delta;
    last.owed_delta += entry.owed_delta;
  }
  return groups;
}
