import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type SearchPart, startSearch } from "../../scripts/stack/search.ts";
import { findAnvil } from "../../scripts/stack/chain/anvil.ts";
import {
  authorizationOf,
  type Buyer,
  type Payment,
  startWalletSetting,
  type WalletSetting,
} from "../support/wallet.ts";
import { HOSTILE, hostileAt, placesOf, put } from "./hostile-values.ts";
import { document, operations } from "./operations.ts";
import { patience } from "../support/patience.ts";

vi.setConfig({ testTimeout: patience(120_000) });

const paid = operations
  .filter(({ access }) => access === "wallet")
  .map((operation) => [operation.name, operation] as const);

if (findAnvil() === null) console.log("paid calls: not run (no anvil)");
describe.runIf(findAnvil() !== null)("paid calls", () => {
  let search: SearchPart;
  let world: WalletSetting;
  let buyer: Buyer;
  beforeAll(async () => {
    search = await startSearch({ web: { pages: [], people: [] } });
    world = await startWalletSetting(search.env);
    buyer = await world.buyer(100_000_000);
  });
  afterAll(() => Promise.all([world.close(), search.close()]));

  test.each(paid)("%s: the example of its body is answered", async (_, operation) => {
    const bought = await buyer.buy(operation.path, operation.example);
    expect(bought.status).toBe(200);
  });

  test.each(paid)(
    "%s answers any body below 500, charged for an answer and for nothing else",
    async (_, operation) => {
      const bodies = [
        ...HOSTILE,
        ...placesOf(operation.bodySchema!).flatMap((place, index) =>
          hostileAt(index).map((hostile) => put(operation.example, place, hostile)),
        ),
      ];
      const failed: string[] = [];
      const before = await buyer.balance();
      let charged = 0;
      let payment = await buyer.sign(operation.path);
      for (const body of bodies) {
        // So that none of them hides an answer.
        world.api.forgetQuotas();
        // One that is not charged may be used again, as long as it is valid.
        if (secondsLeft(payment) < 20) payment = await buyer.sign(operation.path);
        const text = JSON.stringify(body);
        const { status, receipt } = await world.send(operation.path, text, payment);
        if (status !== 200 && status !== 422) failed.push(`${status} ${text.slice(-400)}`);
        if ((status === 200) !== (receipt !== null)) failed.push(`${status}, receipt ${receipt}`);
        if (status !== 200) continue;
        charged += Number(payment.accepted.amount);
        payment = await buyer.sign(operation.path);
      }
      expect(failed).toEqual([]);
      expect(before - (await buyer.balance())).toBe(charged);
    },
  );

  test.each(paid)(
    "%s: ten identical payments run it once and are charged once",
    async (_, operation) => {
      world.api.forgetQuotas();
      const body = operation.example;
      const payment = await buyer.sign(operation.path);
      const before = await buyer.balance();
      world.asked();
      const runs = countRuns();
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => world.send(operation.path, body, payment)),
      );
      expect(runs.stop()).toBe(1);
      expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      expect(world.asked().filter((call) => call === "POST /settle")).toHaveLength(1);
      expect(before - (await buyer.balance())).toBe(Number(payment.accepted.amount));
    },
  );

  /** Each handler that was run asks for a tick, in case that something became due by it. */
  function countRuns() {
    const { deps } = world.api;
    const { wake } = deps;
    let runs = 0;
    deps.wake = () => (runs++, wake());
    return {
      stop() {
        deps.wake = wake;
        return runs;
      },
    };
  }

  test.each(paid)("%s never redirects: that would be charged", (_, { path }) => {
    const statuses = Object.keys(document.paths[path]!["post"]!.responses).map(Number);
    expect(statuses.filter((status) => status < 400)).toEqual([200]);
  });

  const secondsLeft = (payment: Payment) =>
    Number(authorizationOf(payment).validBefore) - Date.now() / 1000;

  test.each(paid)("%s: 415, 413 and 422 are not charged", async (_, operation) => {
    const payment = await buyer.sign(operation.path);
    const before = await buyer.balance();
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect((await world.send(operation.path, "a=b", payment, form)).status).toBe(415);
    const large = JSON.stringify({ name: "x".repeat(1_100_000) });
    expect((await world.send(operation.path, large, payment)).status).toBe(413);
    const malformed = await world.send(operation.path, '{"a": ', payment);
    expect([malformed.status, malformed.body.error]).toEqual([422, "Validation Error"]);
    expect(await buyer.balance()).toBe(before);
  });
});
