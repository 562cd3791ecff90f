import type { Balance } from "../../../support/ledger.ts";

/** What the ledger promises, in a few lines and without a database. */
export function createLedgerModel() {
  const balance: Balance = { available: 0, held: 0, owed: 0 };
  const causes = new Set<string>();
  const holds = new Map<string, "open" | "given back" | "ended">();

  const once = (cause: string, effect: () => void) => {
    if (!causes.has(cause)) effect();
    causes.add(cause);
  };
  const gain = (amount: number) => {
    const paid = Math.min(balance.owed, amount);
    balance.owed -= paid;
    balance.available += amount - paid;
  };
  const giveBack = (ref: string) => {
    balance.held--;
    gain(1);
    holds.set(ref, "given back");
  };
  return {
    balance,
    grant: (cause: string, amount: number) => once(cause, () => gain(amount)),
    takeBack: (cause: string, amount: number) =>
      once(cause, () => {
        const taken = Math.min(balance.available, amount);
        balance.available -= taken;
        balance.owed += amount - taken;
      }),
    /** False when an attempt of that name was held for before, or the credits do not suffice. */
    hold(refs: string[]): boolean {
      const fresh = refs.filter((ref) => !holds.has(ref));
      if (fresh.length > balance.available) return false;
      for (const ref of fresh) holds.set(ref, "open");
      balance.available -= fresh.length;
      balance.held += fresh.length;
      return fresh.length > 0;
    },
    capture(ref: string): void {
      if (holds.get(ref) === "open") balance.held--;
      if (holds.get(ref) === "given back" && balance.available > 0) balance.available--;
      if (holds.has(ref)) holds.set(ref, "ended");
    },
    release(ref: string): void {
      if (holds.get(ref) === "open") giveBack(ref);
      if (holds.has(ref)) holds.set(ref, "ended");
    },
    expire(): void {
      for (const [ref, state] of holds) if (state === "open") giveBack(ref);
    },
  };
}
export type LedgerModel = ReturnType<typeof createLedgerModel>;
