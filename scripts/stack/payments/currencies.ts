/**
 * The least that can be charged, in the currency's smallest unit
 * (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). Others are not taken here.
 */
export const LEAST_AMOUNT: Readonly<Record<string, number>> = {
  aed: 200,
  aud: 50,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
  usd: 50,
};

const WITHOUT_FRACTION = new Set(["jpy"]);

/** `$19.00`, `¥500` */
export function money(amount: number, currency: string): string {
  const value = WITHOUT_FRACTION.has(currency) ? amount : amount / 100;
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(value);
}
