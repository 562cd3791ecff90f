/** Why a payment fails here, by Stripe's code. */
export const FAILURES: Readonly<Record<string, string>> = {
  card_declined: "Your card was declined.",
  debit_not_authorized: "The customer's bank account could not be debited.",
};
