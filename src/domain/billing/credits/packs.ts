/** The credit packs for sale. */
export const PACKS = [
  { id: "starter", credits: 1_000, amountCents: 1_900, currency: "usd" },
  { id: "growth", credits: 5_000, amountCents: 7_900, currency: "usd" },
  { id: "scale", credits: 20_000, amountCents: 24_900, currency: "usd" },
] as const;
export type Pack = (typeof PACKS)[number];

/** Credits that one of each costs. Reserved when enqueued, spent when delivered, given back otherwise. */
export const CREDIT_COSTS = {
  email_verification: 1,
  dataset_row_verification: 1,
  email_found: 1,
  personalization_preview: 1,
  personalization_draft: 1,
  personalization_run_lead: 1,
  send_time_generation: 1,
  profile_found: 1,
  prospect_found: 1,
} as const;
export type CreditUse = keyof typeof CREDIT_COSTS;
