import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { findAnvil } from "../../../../scripts/stack/chain/anvil.ts";
import { type Farm, startFarm } from "../../../../scripts/stack/farm.ts";
import { type SearchPart, startSearch } from "../../../../scripts/stack/search.ts";
import { buyTooLate, TOO_LATE } from "../../../support/late-call.ts";
import { startWalletSetting, type WalletSetting } from "../../../support/wallet.ts";

const PURSE = 1_000_000;
const VERIFY = "/api/x402/v1/email/verify";
const VALIDATE = "/api/x402/v1/email/validate";
const FIND = "/api/x402/v1/email/find";
const PROFILE = "/api/x402/v1/linkedin/find-url";

if (findAnvil() === null) console.log("late answers: not run (no anvil)");
describe.runIf(findAnvil() !== null)("answers that come too late", () => {
  let farm: Farm;
  let search: SearchPart;
  let world: WalletSetting;
  beforeAll(async () => {
    farm = await startFarm();
    search = await startSearch({ web: { pages: [], people: [] } });
    world = await startWalletSetting({ PROBE_INTERVAL_MS: "0", ...search.env }, { farm });
  });
  afterAll(() => Promise.all([world.close(), farm.close(), search.close()]));
  beforeEach(() => {
    world.chain.part.faults.clear();
    search.faults.clear();
    search.log.clear();
  });

  const isOpen = (domain: string) =>
    farm.traffic.operators().some(({ operator, open }) => operator === domain && open > 0);

  test.each([
    [VERIFY, "speechless.zz", { email: "anna.berg@speechless.zz" }],
    [VALIDATE, "midsentence.zz", { email: "anna.berg@midsentence.zz" }],
    [FIND, "daydream.zz", { domain: "daydream.zz", first_name: "A", last_name: "B" }],
  ])("%s: %s hangs past the call's seconds: 504, not charged", async (path, domain, body) => {
    expect(await buyTooLate(world, path, body, () => isOpen(domain))).toMatchObject(TOO_LATE);
  });

  test("engines that say nothing for the call's seconds: 504, not charged", async () => {
    search.faults.order("hang", 9);
    const body = { name: "Anna Lind" };
    const isAsked = () => search.log.entries().length > 0;
    expect(await buyTooLate(world, PROFILE, body, isAsked)).toMatchObject(TOO_LATE);
  });

  test("a facilitator that answers when nobody waits any more: 503, and never charged twice", async () => {
    const { part } = world.chain;
    const [checked, settled] = [await world.buyer(PURSE), await world.buyer(PURSE)];
    const body = { email: "anna@corp.zz" };
    const [first, second] = [await checked.sign(VERIFY), await settled.sign(VERIFY)];
    const take = part.faults.take.bind(part.faults);
    // Of three calls it is slow at the first check and at the settlement.
    let calls = 0;
    part.faults.take = (name) => (name === "slow" ? ++calls !== 2 : take(name));
    const unchecked = world.send(VERIFY, body, first);
    await vi.waitFor(() => expect(calls).toBe(1), { timeout: 5_000, interval: 5 });
    const pending = await world.send(VERIFY, body, second);
    part.faults.take = take;
    expect([pending.status, pending.body.detail]).toEqual([503, "SETTLEMENT_PENDING"]);
    expect(await unchecked).toMatchObject({ status: 503, body: { detail: "UPSTREAM_ERROR" } });
    // What was asked for is carried out all the same.
    const spent = async () => PURSE - (await settled.balance());
    await vi.waitFor(async () => expect(await spent()).toBe(5_000), { timeout: 10_000 });
    const again = await world.send(VERIFY, body, second);
    expect(again).toMatchObject({ status: 200, body: { result: "valid" } });
    expect(await spent()).toBe(5_000);
    expect(await checked.balance()).toBe(PURSE);
  });
});
