import fc from "fast-check";
import { expect, test } from "vitest";
import { driverError } from "#db/base/client.ts";
import { chargeFor } from "#src/domain/billing/credits/charge.ts";
import { expireHolds } from "#src/domain/billing/credits/expire.ts";
import { AppError } from "#src/errors.ts";
import type { Tenant } from "../../../support/api.ts";
import { api, useApi } from "../../../support/use-api.ts";
import { type Ledger, ledgerOf } from "../../../support/ledger.ts";
import { createLedgerModel, type LedgerModel } from "./ledger-model.ts";

useApi();

const A_DAY_AND_MORE = 25 * 3600;
/** Spent, unspent and thrown end well; the worker died, the database was away, or its reply was lost. */
const ENDS = ["spent", "unspent", "throws", "dies", "settle refused", "settle reply lost"] as const;
type End = (typeof ENDS)[number];

const purchase = fc.constantFrom("p1", "p2", "p3");
const amount = fc.integer({ min: 1, max: 8 });
const refs = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), {
  minLength: 1,
  maxLength: 4,
});
const moves = {
  purchase: fc.record({ move: fc.constant("purchase"), purchase, amount }),
  refund: fc.record({ move: fc.constant("refund"), purchase, amount }),
  refundFailed: fc.record({ move: fc.constant("refundFailed"), purchase, amount }),
  dispute: fc.record({ move: fc.constant("dispute"), purchase, amount }),
  disputeWon: fc.record({ move: fc.constant("disputeWon"), purchase, amount }),
  charge: fc.record({ move: fc.constant("charge"), refs, end: fc.constantFrom(...ENDS) }),
  hold: fc.record({ move: fc.constant("hold"), refs }),
  deliver: fc.record({ move: fc.constant("deliver"), refs }),
  fail: fc.record({ move: fc.constant("fail"), refs }),
  expire: fc.record({ move: fc.constant("expire") }),
};
interface Step {
  move: keyof typeof moves;
  purchase?: string;
  amount?: number;
  refs?: string[];
  end?: End;
}
const step = fc.oneof(...Object.values(moves)) as fc.Arbitrary<Step>;
type Given = Required<Step>;

/** Each move of the model, and whether it is one that the caller is refused. */
const inModel: Record<Step["move"], (model: LedgerModel, step: Given) => unknown> = {
  purchase: (model, { purchase: id, amount: by }) => model.grant(`bought ${id}`, by),
  refund: (model, { purchase: id, amount: by }) => model.takeBack(`refund ${id}`, by),
  refundFailed: (model, { purchase: id, amount: by }) => model.grant(`refund failed ${id}`, by),
  dispute: (model, { purchase: id, amount: by }) => model.takeBack(`dispute ${id}`, by),
  disputeWon: (model, { purchase: id, amount: by }) => model.grant(`won ${id}`, by),
  charge(model, { refs: [ref], end }) {
    if (!model.hold([ref!])) return;
    if (end === "spent" || end === "settle reply lost") model.capture(ref!);
    if (end === "unspent" || end === "throws") model.release(ref!);
  },
  hold: (model, { refs: held }) => model.hold(held),
  deliver: (model, { refs: delivered }) => delivered.toSorted().forEach(model.capture),
  fail: (model, { refs: failed }) => failed.toSorted().forEach(model.release),
  expire: (model) => model.expire(),
};

/** Work that ends so; resolves when it has, or when its worker is dead. */
function charge(tenant: Tenant, refId: string, end: End): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const work = async () => {
      if (end === "dies") {
        resolve("dead");
        return new Promise<never>(() => {});
      }
      if (end === "throws") throw new Error("thrown");
      if (end === "settle refused") api.neon.faults.order("refuse", 1);
      if (end === "settle reply lost") api.neon.faults.order("reply_lost", 1);
      return { spent: end !== "unspent", value: null };
    };
    const attempt = { refType: "personalization_draft", refId } as const;
    chargeFor(api.deps, tenant, attempt, work).then(resolve, reject);
  });
}

type Run = (ledger: Ledger, step: Given, tenant: Tenant) => Promise<unknown>;
const forReal: Record<Step["move"], Run> = {
  purchase: (ledger, { purchase: id, amount: by }) => ledger.grant(id, by),
  refund: (ledger, { purchase: id, amount: by }) => ledger.takeBack(id, by),
  refundFailed: (ledger, { purchase: id, amount: by }) => ledger.grant(id, by, "refund_failed"),
  dispute: (ledger, { purchase: id, amount: by }) => ledger.takeBack(id, by, "dispute"),
  disputeWon: (ledger, { purchase: id, amount: by }) => ledger.grant(id, by, "dispute_won"),
  charge: (_, { refs: [ref], end }, tenant) => charge(tenant, ref!, end),
  hold: (ledger, { refs: held }) => ledger.hold(held),
  deliver: (ledger, { refs: delivered }) => ledger.end(delivered, true),
  fail: (ledger, { refs: failed }) => ledger.end(failed, false),
  expire() {
    api.advance(A_DAY_AND_MORE);
    return expireHolds(api.deps);
  },
};

const isExpected = (error: unknown) =>
  (error instanceof AppError && error.code === "INSUFFICIENT_CREDITS") ||
  (error instanceof Error && /charged before|^thrown$/.test(error.message));

test("any sequence of purchases, work, refunds, disputes, expiries and crashes leaves what the model says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const tenant = await api.tenant({ credits: 0 });
      const [ledger, model] = [ledgerOf(api, tenant), createLedgerModel()];
      for (const each of steps) {
        await forReal[each.move](ledger, each as Given, tenant).catch((error: unknown) => {
          if (!isExpected(error)) throw error;
        });
        inModel[each.move](model, each as Given);
        expect({ after: each, ...(await ledger.balance()) }).toEqual({
          after: each,
          ...model.balance,
        });
      }
      await ledger.expectSound();
    }),
    { numRuns: 60 },
  );
});

test("all of it at once, with a database that is away or whose replies are lost: sums hold and nothing is negative", async () => {
  const sequence = fc.array(step, { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(sequence, fc.array(step, { maxLength: 20 }), async (before, atOnce) => {
      const tenant = await api.tenant({ credits: 3 });
      const ledger = ledgerOf(api, tenant);
      // A fault may hit whoever comes next: then it was done or not, but Postgres never refuses.
      const run = (each: Step) =>
        forReal[each.move](ledger, each as Given, tenant).catch((error: unknown) => {
          if (driverError(error) !== null) throw error;
        });
      for (const each of before) await run(each);
      await Promise.all(atOnce.map(run));
      api.neon.faults.clear();
      await ledger.expectSound();
      await run({ move: "expire" });
      expect((await ledger.balance()).held).toBe(0);
      await ledger.expectSound();
    }),
    { numRuns: 60 },
  );
});
