import { beforeAll, expect, test } from "vitest";
import { buyCall } from "../../scripts/pay/purchase.ts";
import { findAnvil } from "../../scripts/stack/chain/anvil.ts";
import { BUYER } from "../../scripts/stack/chain/accounts.ts";
import { type SharedService, sharedService } from "../support/shared-service.ts";

const hasAnvil = findAnvil() !== null;
if (!hasAnvil) console.log("the Worker's paid calls: not run (no anvil)");

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const buy = () =>
  buyCall({
    baseUrl: service.baseUrl,
    call: "email/validate",
    body: { email: "anna@corp.zz" },
    privateKey: BUYER.privateKey,
    rpcUrl: service.stack.chain!.rpcUrl,
  });

test.runIf(hasAnvil)(
  "the bundled Worker reads what a facilitator answers: paid is served and settled once, refused is neither",
  async () => {
    const bought = await buy();
    const price = bought.signed!.amount;
    expect(bought).toMatchObject({ status: 200, transaction: expect.stringMatching(/^0x/) });
    const { before, after } = bought.balances!;
    expect([before.buyer - after.buyer, after.merchant - before.merchant]).toEqual([price, price]);
    service.stack.chain!.part.faults.order("refuses_settlement", 1);
    const refused = await buy();
    expect(refused).toMatchObject({ status: 402, transaction: null });
    expect(refused.balances!.after).toEqual(refused.balances!.before);
    service.stack.chain!.part.faults.order("garbage", 1);
    expect((await buy()).status).not.toBe(200);
  },
);
