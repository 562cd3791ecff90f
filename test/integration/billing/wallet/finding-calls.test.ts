import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findAnvil } from "../../../../scripts/stack/chain/anvil.ts";
import { type Farm, startFarm } from "../../../../scripts/stack/farm.ts";
import { type SearchPart, startSearch } from "../../../../scripts/stack/search.ts";
import { type Buyer, startWalletSetting, type WalletSetting } from "../../../support/wallet.ts";

const FIND = { path: "/api/x402/v1/email/find", price: 10_000 };
const PROFILE = { path: "/api/x402/v1/linkedin/find-url", price: 8_000 };
const ALIAS = { ...PROFILE, path: "/api/x402/v1/socialnet/find-url" };

if (findAnvil() === null) console.log("paid finding calls: not run (no anvil)");
describe.runIf(findAnvil() !== null)("paid finding calls", () => {
  let farm: Farm;
  let search: SearchPart;
  let world: WalletSetting;
  let buyer: Buyer;
  beforeAll(async () => {
    farm = await startFarm();
    const url = "https://se.linkedin.com/in/anna-lind-1";
    const title = "Anna Lind - CTO - Nordwind | LinkedIn";
    search = await startSearch({ web: { pages: [{ url, title, snippet: "" }], people: [] } });
    world = await startWalletSetting({ PROBE_INTERVAL_MS: "0", ...search.env }, { farm });
    buyer = await world.buyer();
  });
  afterAll(() => Promise.all([world.close(), farm.close(), search.close()]));
  afterEach(() => search.faults.clear());

  async function buy({ path }: { path: string }, body: object) {
    const [before, sold] = [await buyer.balance(), await world.merchantBalance()];
    const bought = await buyer.buy(path, body);
    const paid = before - (await buyer.balance());
    expect((await world.merchantBalance()) - sold).toBe(paid);
    expect(bought.receipt !== null).toBe(paid > 0);
    return { status: bought.status, body: bought.body, paid };
  }

  test("an address that is found is charged, and so is the certainty that there is none", async () => {
    const anna = { domain: "corp.zz", first_name: "Anna", last_name: "Berg" };
    expect(await buy(FIND, anna)).toEqual({
      status: 200,
      body: {
        found: true,
        email: "anna.berg@corp.zz",
        pattern: "first.last",
        confidence: 0.99,
        backend: "smtp",
      },
      paid: FIND.price,
    });
    const nobody = { domain: "corp.zz", candidates: [{ email: "nobody.there@corp.zz" }] };
    expect(await buy(FIND, nobody)).toMatchObject({
      status: 200,
      body: { found: false },
      paid: FIND.price,
    });
  });

  test("a domain that takes everything: 422 with the best guess, not charged", async () => {
    const body = { domain: "takeall-studio.zz", first_name: "Kim", last_name: "North" };
    const reply = await buy(FIND, body);
    expect(reply).toMatchObject({
      status: 422,
      body: { detail: { error: "ERR_EMAIL_FIND_CATCH_ALL", is_catch_all: true } },
      paid: 0,
    });
    expect(reply.body.detail.email).toMatch(/@takeall-studio\.zz$/);
  });

  test("a mail host that answers nothing about anybody: 503, not charged", async () => {
    const body = { domain: "snapped.zz", first_name: "Anna", last_name: "Berg" };
    expect(await buy(FIND, body)).toMatchObject({
      status: 503,
      body: { detail: "SMTP_UNAVAILABLE" },
      paid: 0,
    });
  });

  test("candidates and a name, neither, and a foreign candidate: 422, not charged", async () => {
    const name = { first_name: "A", last_name: "B" };
    for (const body of [
      { domain: "corp.zz" },
      { domain: "corp.zz", ...name, candidates: [{ email: "a@corp.zz" }] },
      { domain: "corp.zz", candidates: [{ email: "a@other.zz" }] },
    ])
      expect(await buy(FIND, body)).toMatchObject({ status: 422, paid: 0 });
  });

  test.each([[PROFILE], [ALIAS]])(
    "$path: found, not found, and no engine that answers",
    async (call) => {
      const profile = "https://www.linkedin.com/in/anna-lind-1";
      expect(await buy(call, { name: "Anna Lind", company: "Nordwind" })).toMatchObject({
        status: 200,
        body: { status: "found", profile_url: profile, linkedin_url: profile },
        paid: call.price,
      });
      expect(await buy(call, { name: "Ingrid Solberg" })).toEqual({
        status: 200,
        body: {
          status: "not_found",
          profile_url: null,
          linkedin_url: null,
          match_confidence: null,
          profiles: [],
        },
        paid: call.price,
      });
      search.faults.order("unavailable", 3);
      expect(await buy(call, { name: "Anna Lind" })).toMatchObject({ status: 503, paid: 0 });
    },
  );
});
