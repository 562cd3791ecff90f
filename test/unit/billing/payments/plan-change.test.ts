import fc from "fast-check";
import { expect, test } from "vitest";
import type { OrderRow } from "#db/billing/payments.ts";
import { creditsBack, type News, planChange } from "#src/domain/billing/payments/plan-change.ts";
import type { CheckoutSession, Reversal } from "#src/providers/payments/index.ts";

const order: OrderRow = {
  id: "order",
  workspaceId: "workspace",
  userId: "user",
  createdAt: new Date(0),
  updatedAt: new Date(0),
  packId: "starter",
  credits: 1000,
  amountCents: 1900,
  currency: "usd",
  successUrl: "https://app.test/paid",
  cancelUrl: "https://app.test/",
  status: "open",
  clickKey: "click",
  sessionId: null,
  paymentId: null,
  expiresAt: new Date(86_400_000),
  checkAt: new Date(900_000),
  closedAt: null,
  version: 0,
  reversals: [],
};

const session = (more: Partial<CheckoutSession> = {}): CheckoutSession => ({
  id: "cs_1",
  url: "https://pay.test/",
  state: "open",
  orderId: "order",
  packId: "starter",
  amountCents: 1900,
  currency: "usd",
  paymentId: "pi_1",
  ...more,
});

const refund = (id: string, amountCents: number, standing = true): Reversal => ({
  id,
  kind: "refund",
  amountCents,
  currency: "usd",
  standing,
});
const dispute = (id: string, amountCents: number, standing = true): Reversal => ({
  ...refund(id, amountCents, standing),
  kind: "dispute",
});

/** The order after all the news, and every move of credits on the way. */
function after(news: News[]) {
  const moves: { kind: string; amount: number; ref: { type: string; id: string } }[] = [];
  let now = order;
  for (const each of news) {
    const change = planChange(now, each);
    moves.push(...change.moves);
    const { status, clickKey, sessionId, paymentId, checkAt } = change;
    const reversals = new Map(now.reversals.map((row) => [row.id, row]));
    for (const row of change.reversals) reversals.set(row.id, row);
    now = { ...now, status, clickKey, sessionId, paymentId, checkAt };
    now = { ...now, version: now.version + 1, reversals: [...reversals.values()] };
  }
  const credits = moves.reduce(
    (sum, { kind, amount }) => sum + (kind === "refund" || kind === "dispute" ? -amount : amount),
    0,
  );
  return { order: now, moves, credits };
}

const paid: News = { session: session({ state: "paid" }) };

const happenings = fc.shuffledSubarray<News>([
  { session: session() },
  { session: session({ state: "processing" }) },
  paid,
  { session: session({ state: "failed" }) },
  { session: session({ state: "expired" }) },
  { reversals: [refund("re_1", 700)] },
  { reversals: [refund("re_1", 700, false)] },
  { reversals: [refund("re_2", 1200)] },
  { reversals: [dispute("dp_1", 1900)] },
  { reversals: [dispute("dp_1", 1900, false)] },
  { reversals: [refund("re_1", 700), refund("re_2", 1200)] },
]);

test("whatever comes in whatever order and however often leads to the same credits", () => {
  fc.assert(
    fc.property(happenings, fc.infiniteStream(fc.nat()), (news, chance) => {
      const again = [...news, ...news].sort(
        () => (chance.next().value as number) - (chance.next().value as number),
      );
      const [once, twice] = [after(news), after(again)];
      expect(twice.credits).toBe(once.credits);
      expect(twice.order.status === "paid").toBe(news.includes(paid));
      expect(twice.credits).toBe(
        news.includes(paid) ? 1000 - creditsBack(order, twice.order.reversals) : 0,
      );
    }),
    { numRuns: 500 },
  );
});

test("no reference is used twice by one kind of move, or the ledger would swallow it", () => {
  fc.assert(
    fc.property(happenings, (news) => {
      const refs = after([...news, ...news]).moves.map(
        ({ kind, ref }) => `${kind} ${ref.type} ${ref.id}`,
      );
      expect(new Set(refs).size).toBe(refs.length);
    }),
    { numRuns: 500 },
  );
});

test("at no moment is more taken back than was bought, nor given back than was taken", () => {
  fc.assert(
    fc.property(happenings, (news) => {
      for (let count = 1; count <= news.length; count++) {
        const { credits } = after(news.slice(0, count));
        expect(credits).toBeGreaterThanOrEqual(0);
        expect(credits).toBeLessThanOrEqual(1000);
      }
    }),
  );
});

test("the parts of a full refund take back exactly what was bought, whatever the parts", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 1899 })), (cuts) => {
      const bounds = [0, ...cuts.toSorted((a, b) => a - b), 1900];
      const parts = bounds.slice(1).map((bound, at) => refund(`re_${at}`, bound - bounds[at]!));
      const { credits, moves } = after([paid, ...parts.map((part) => ({ reversals: [part] }))]);
      expect(credits).toBe(0);
      expect(moves.every(({ amount }) => amount > 0)).toBe(true);
    }),
  );
});

test("a session is complete before its money is there: only `paid` grants", () => {
  expect(after([{ session: session({ state: "processing" }) }]).moves).toEqual([]);
  expect(after([paid]).moves).toEqual([
    { kind: "grant", amount: 1000, ref: { type: "purchase", id: "cs_1" } },
  ]);
});

test.each([
  ["amount", { amountCents: 1 }],
  ["currency", { currency: "eur" }],
  ["pack", { packId: "scale" }],
  ["order", { orderId: "another" }],
])("a payment with another %s grants nothing and is loud", (fault, more) => {
  const change = planChange(order, { session: session({ state: "paid", ...more }) });
  expect(change).toMatchObject({ status: "mismatch", moves: [], alarms: [`another ${fault}`] });
});

test("a page that asks for something else is never given out: its order ends before anybody pays", () => {
  const change = planChange(order, { session: session({ amountCents: 1901 }) });
  expect(change).toMatchObject({ status: "mismatch", clickKey: null, moves: [] });
});

test("a second session of an order grants nothing more, and its end does not end the order", () => {
  const open = { session: session() };
  const other = (state: CheckoutSession["state"]) => ({ session: session({ id: "cs_2", state }) });
  expect(after([open, other("expired")]).order.status).toBe("open");
  expect(after([open, other("paid"), paid]).credits).toBe(1000);
  expect(after([paid, other("paid")]).credits).toBe(1000);
});

test("a click stays with a session that is open, and with no other", () => {
  expect(after([{ session: session() }]).order.clickKey).toBe("click");
  for (const state of ["processing", "paid", "failed", "expired"] as const)
    expect(after([{ session: session({ state }) }]).order.clickKey).toBeNull();
});

test("a refund in another currency is not reckoned, and one above the price takes no more than the pack", () => {
  const foreign = { ...refund("re_1", 1900), currency: "eur" };
  expect(planChange(order, { reversals: [foreign] })).toMatchObject({
    reversals: [],
    alarms: ["re_1 is in eur"],
  });
  expect(after([paid, { reversals: [refund("re_1", 5000)] }]).credits).toBe(0);
});

test.each([
  [1, 0],
  [2, 1],
  [950, 500],
  [1899, 999],
  [1900, 1000],
])(
  "of 1,900 cents %i back take floor(credits x money back / price): %i of 1,000 credits",
  (cents, taken) => {
    expect(after([paid, { reversals: [refund("re_1", cents)] }]).credits).toBe(1000 - taken);
  },
);
