import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findAnvil } from "../../../../scripts/stack/chain/anvil.ts";
import { type Farm, startFarm } from "../../../../scripts/stack/farm.ts";
import {
  type Bought,
  type Buyer,
  startWalletSetting,
  type WalletSetting,
} from "../../../support/wallet.ts";

const VERIFY = { path: "/api/x402/v1/email/verify", price: 5_000 };
const VALIDATE = { path: "/api/x402/v1/email/validate", price: 3_000 };

if (findAnvil() === null) console.log("paid email calls: not run (no anvil)");
describe.runIf(findAnvil() !== null)("paid email calls", () => {
  let farm: Farm;
  let world: WalletSetting;
  let buyer: Buyer;
  beforeAll(async () => {
    farm = await startFarm();
    world = await startWalletSetting({ PROBE_INTERVAL_MS: "0" }, { farm });
    buyer = await world.buyer();
  });
  afterAll(() => Promise.all([world.close(), farm.close()]));
  afterEach(() => farm.faults.clear());

  /** Buys, and sees that merchant and buyer agree on what moved. */
  async function buy(
    { path }: { path: string },
    email: unknown,
  ): Promise<Bought & { paid: number }> {
    const [before, sold] = [await buyer.balance(), await world.merchantBalance()];
    const bought = await buyer.buy(path, { email });
    const paid = before - (await buyer.balance());
    expect((await world.merchantBalance()) - sold).toBe(paid);
    expect(bought.receipt !== null).toBe(paid > 0);
    return { ...bought, paid };
  }

  test.each([
    ["anna@corp.zz", { result: "valid", backend: "smtp" }],
    ["ulla@corp.zz", { result: "invalid", backend: "smtp" }],
    ["anna@no-such-domain.zz", { result: "invalid", backend: "dns" }],
    ["noreply@corp.zz", { result: "invalid", backend: "prefilter" }],
    ["not an address", { result: "invalid", backend: "prefilter" }],
    ["", { result: "invalid", backend: "prefilter" }],
    ["\u0000\r\nDATA\ud800", { result: "invalid", backend: "prefilter" }],
    ["anna@[127.0.0.1]", { result: "invalid", backend: "prefilter" }],
  ])("verify: %j is %o, and charged", async (email, body) => {
    expect(await buy(VERIFY, email)).toMatchObject({ status: 200, body, paid: VERIFY.price });
  });

  test.each([
    ["kim.north@takeall-studio.zz", { result: "catch_all", is_catch_all: true }],
    ["anna.berg@listkeeper2.zz", { result: "unknown", is_catch_all: null }],
  ])("verify: %s is not definitive, and not charged", async (email, detail) => {
    const { status, body, paid } = await buy(VERIFY, email);
    expect({ status, body, paid }).toEqual({
      status: 422,
      body: { detail: { error: "ERR_EMAIL_VERIFY_NOT_DEFINITIVE", ...detail } },
      paid: 0,
    });
  });

  const safe = {
    valid_format: true,
    has_mx: true,
    is_disposable: false,
    is_role: false,
    risk_level: "safe",
  };
  test.each([
    ["anna.berg@corp.zz", safe],
    ["ann@corp.zz", { ...safe, risk_level: "invalid" }],
    ["kim.north@takeall-studio.zz", { ...safe, risk_level: "risky" }],
    ["info@teamwork.zz", { ...safe, is_role: true, risk_level: "risky" }],
    ["anna.berg@yopmail.com", { ...safe, is_disposable: true, risk_level: "risky" }],
    ["noreply@teamwork.zz", { ...safe, has_mx: false, risk_level: "invalid" }],
    ["anna@gone-for-good.zz", { ...safe, has_mx: false, risk_level: "invalid" }],
    ["nobody at home", { ...safe, valid_format: false, has_mx: false, risk_level: "invalid" }],
  ])("validate: %s, charged", async (email, body) => {
    const bought = await buy(VALIDATE, email);
    expect([bought.status, bought.body, bought.paid]).toEqual([200, body, VALIDATE.price]);
  });

  test("validate: hosts that give no answer are 503, not charged, and nobody learns why", async () => {
    const { status, body, paid, headers } = await buy(VALIDATE, "ulla.holm@listkeeper.zz");
    expect([status, body.detail, paid]).toEqual([503, "SMTP_UNAVAILABLE", 0]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toMatch(/listkeeper|block/i);
  });

  test("what a wallet has paid for is known to the next one, who is charged for knowing it", async () => {
    await buy(VERIFY, "tom+news@corp.zz");
    const asked = farm.log.entries().length;
    expect(await buy(VERIFY, "tom+news@corp.zz")).toMatchObject({
      body: { result: "valid", backend: "cache" },
      paid: VERIFY.price,
    });
    expect(farm.log.entries().length).toBe(asked);
  });
});
