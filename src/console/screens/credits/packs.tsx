import type { CreditPack, CreditPurchaseOrderPackId } from "../../api/schema.ts";
import { useAction, useQuery } from "../../api/use.ts";
import { Part } from "../../parts/load.tsx";
import { Section } from "../../parts/page.tsx";
import { ProblemNote, useCountdown } from "../../parts/problem.tsx";
import { CREDIT_USES, price } from "../../pure/credit-words.ts";
import { count, num, words } from "../../pure/words.ts";
import { href } from "../../router.ts";

const SESSION = "{CHECKOUT_SESSION_ID}";

/** One leaves to the payment provider's page, and comes back to this screen with the order's session. */
export function Packs() {
  const packs = useQuery("listCreditPacks");
  const purchase = useAction("purchaseCredits");
  const left = useCountdown(purchase.problem);
  async function buy({ id }: CreditPack): Promise<void> {
    const here = location.origin + href("/credits");
    const order = await purchase.run({
      body: {
        pack_id: id as CreditPurchaseOrderPackId,
        success_url: `${here}?session=${SESSION}`,
        cancel_url: `${here}?cancelled=1`,
      },
    });
    if (order !== undefined) location.assign(order.checkout_url);
  }
  return (
    <Section title="Buy credits" note="paid on the payment provider's page">
      {purchase.problem !== undefined && <ProblemNote problem={purchase.problem} />}
      <Part of={packs} lines={3}>
        {({ items }) => (
          <>
            <ul class="plain needs">
              {items.map((pack) => (
                <li key={pack.id}>
                  <b class="figure">{num(pack.credits)}</b>
                  <div>
                    {price(pack.amount_cents, pack.currency)}
                    <small>
                      {price((pack.amount_cents / pack.credits) * 1000, pack.currency)} for a
                      thousand
                    </small>
                  </div>
                  <div>
                    <button
                      type="button"
                      class="btn"
                      disabled={purchase.isRunning || left > 0}
                      onClick={() => void buy(pack)}
                    >
                      {purchase.isRunning ? "Opening the page" : `Buy ${num(pack.credits)}`}
                    </button>
                  </div>
                </li>
              ))}
            </ul>
            {items[0] !== undefined && (
              <details>
                <summary>What they pay for</summary>
                <ul class="plain">
                  {Object.entries(items[0].credit_costs).map(([use, costs]) => (
                    <li key={use}>
                      {count(costs, "credit")}: {CREDIT_USES[use] ?? words(use)}
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </>
        )}
      </Part>
    </Section>
  );
}
