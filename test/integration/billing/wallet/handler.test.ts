import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { importProspectFile } from "../../../../scripts/prospect-import.ts";
import { findAnvil } from "../../../../scripts/stack/chain/anvil.ts";
import { untilWaiting } from "../../../support/locks.ts";
import { submitTransfer } from "../../../support/transfer.ts";
import {
  authorizationOf,
  type Bought,
  startWalletSetting,
  type WalletSetting,
} from "../../../support/wallet.ts";

const SEARCH = "/api/x402/v1/prospects/search";
const QUESTION = { tags: ["fintech"] };
const PRICE = 12_000;
const PURSE = 1_000_000;

if (findAnvil() === null) console.log("the work behind a payment: not run (no anvil)");
describe.runIf(findAnvil() !== null)("the work behind a payment", () => {
  let world: WalletSetting;
  beforeAll(async () => {
    world = await startWalletSetting();
    const client = new Client({ connectionString: world.api.databaseUrl });
    await client.connect();
    await importProspectFile(
      client,
      (async function* () {
        yield new TextEncoder().encode(
          "profile_url,full_name,tags\nhttps://net.zz/in/frida,Frida Wallin,fintech\n",
        );
      })(),
    );
    await client.end();
  });
  afterAll(() => world.close());
  beforeEach(() => {
    world.chain.part.faults.clear();
    world.asked();
  });

  /** While this runs, whoever searches the pool waits for its table. */
  async function whileItWaits<T>(work: () => Promise<T>): Promise<T> {
    const holder = await world.api.sql.connect();
    try {
      await holder.query("begin");
      await holder.query("lock table prospects in access exclusive mode");
      return await work();
    } finally {
      await holder.query("rollback");
      holder.release();
    }
  }
  const untilAtWork = () => untilWaiting(world.api.sql, 1);

  test("somebody who is there is charged as nobody is", async () => {
    const buyer = await world.buyer(PURSE);
    const { status, body } = await buyer.buy(SEARCH, QUESTION);
    expect([status, body.count, body.results[0].full_name]).toEqual([200, 1, "Frida Wallin"]);
    expect(await buyer.balance()).toBe(PURSE - PRICE);
  });

  test("ten identical payments at once: one is at work, nine are refused while it is, and one is charged", async () => {
    const buyer = await world.buyer(PURSE);
    const payment = await buyer.sign(SEARCH);
    const done: Bought[] = [];
    const nine = Promise.withResolvers<void>();
    const all = await whileItWaits(async () => {
      const sent = Array.from({ length: 10 }, async () => {
        if (done.push(await world.send(SEARCH, QUESTION, payment)) === 9) nine.resolve();
      });
      await Promise.all([nine.promise, untilAtWork()]);
      for (const { status, body } of done)
        expect([status, body.error]).toEqual([402, "payment_already_in_use"]);
      return sent;
    });
    await Promise.all(all);
    expect(done.at(-1)).toMatchObject({ status: 200, body: { count: 1 } });
    expect(world.asked().filter((call) => call === "POST /settle")).toHaveLength(1);
    expect(await buyer.balance()).toBe(PURSE - PRICE);
  });

  test.each([
    ["its ten seconds", 25, 11],
    ["what the payment's end leaves it", 10, 4],
  ])("work that takes longer than %s: 504, not charged", async (_, validSeconds, seconds) => {
    const buyer = await world.buyer(PURSE);
    const payment = await buyer.sign(SEARCH);
    authorizationOf(payment).validBefore = String(Math.floor(Date.now() / 1000) + validSeconds);
    const signed = await buyer.resign(payment);
    const { reply } = await whileItWaits(async () => {
      const reply = world.send(SEARCH, QUESTION, signed);
      await untilAtWork();
      world.api.advance(seconds);
      return { reply };
    });
    const late = await reply;
    expect([late.status, late.body.detail, late.receipt]).toEqual([504, "UPSTREAM_TIMEOUT", null]);
    expect(world.asked()).toEqual(["POST /verify"]);
    expect(await buyer.balance()).toBe(PURSE);
  });

  test("a payment for work that came too late buys the next answer", async () => {
    const buyer = await world.buyer(PURSE);
    const payment = await buyer.sign(SEARCH);
    await whileItWaits(async () => {
      const reply = world.send(SEARCH, QUESTION, payment);
      await untilAtWork();
      world.api.advance(11);
      expect((await reply).status).toBe(504);
    });
    expect((await world.send(SEARCH, QUESTION, payment)).status).toBe(200);
    expect(await buyer.balance()).toBe(PURSE - PRICE);
  });

  test("an authorization that the payer cancels before it is sent is refused, and nobody works for it", async () => {
    const buyer = await world.buyer(PURSE);
    const payment = await buyer.sign(SEARCH);
    await world.ledger.cancel(buyer.account, authorizationOf(payment).nonce as `0x${string}`);
    const reply = await world.send(SEARCH, QUESTION, payment);
    expect([reply.status, reply.receipt]).toEqual([402, null]);
    expect(reply.body.error).toMatch(/nonce_already_used/);
    expect(world.asked()).toEqual(["POST /verify"]);
    expect(await buyer.balance()).toBe(PURSE);
  });

  test("an authorization that the payer cancels while the work is done: 402, and the answer is withheld", async () => {
    const buyer = await world.buyer(PURSE);
    const payment = await buyer.sign(SEARCH);
    const { sent } = await whileItWaits(async () => {
      const sent = world.send(SEARCH, QUESTION, payment);
      await untilAtWork();
      await world.ledger.cancel(buyer.account, authorizationOf(payment).nonce as `0x${string}`);
      return { sent };
    });
    const reply = await sent;
    expect([reply.status, reply.receipt]).toEqual([402, null]);
    expect(reply.body.error).toMatch(/nonce_already_used/);
    expect(JSON.stringify(reply.body)).not.toContain("Frida Wallin");
    expect(await buyer.balance()).toBe(PURSE);
  });

  test("a nonce that the payer uses for another transfer while the work is done: 402, and the answer is withheld", async () => {
    const buyer = await world.buyer(PURSE);
    const payment = await buyer.sign(SEARCH);
    const other = structuredClone(payment);
    Object.assign(authorizationOf(other), { to: buyer.address, value: "1" });
    const { sent } = await whileItWaits(async () => {
      const sent = world.send(SEARCH, QUESTION, payment);
      await untilAtWork();
      await submitTransfer(world.ledger, await buyer.resign(other));
      return { sent };
    });
    const reply = await sent;
    expect([reply.status, reply.receipt]).toEqual([402, null]);
    expect(reply.body.error).toMatch(/nonce_already_used/);
    expect(JSON.stringify(reply.body)).not.toContain("Frida Wallin");
    expect(await buyer.balance()).toBe(PURSE);
  });

  test("a payment that somebody else carries out while the work is done has bought the answer", async () => {
    const buyer = await world.buyer(PURSE);
    const payment = await buyer.sign(SEARCH);
    const { sent, transaction } = await whileItWaits(async () => {
      const sent = world.send(SEARCH, QUESTION, payment);
      await untilAtWork();
      return { sent, transaction: await submitTransfer(world.ledger, payment) };
    });
    expect(await sent).toMatchObject({ status: 200, body: { count: 1 }, receipt: { transaction } });
    expect(await buyer.balance()).toBe(PURSE - PRICE);
  });

  test("work that fails is 500 without its reason, not charged, and the payment buys the next answer", async () => {
    const buyer = await world.buyer(PURSE);
    const payment = await buyer.sign(SEARCH);
    await world.api.sql.query("alter table prospects rename to elsewhere");
    const failed = await world.send(SEARCH, QUESTION, payment);
    await world.api.sql.query("alter table elsewhere rename to prospects");
    expect([failed.status, failed.receipt]).toEqual([500, null]);
    expect(JSON.stringify(failed.body)).not.toMatch(/relation|prospects/);
    expect(world.asked()).toEqual(["POST /verify"]);
    expect((await world.send(SEARCH, QUESTION, payment)).status).toBe(200);
    expect(await buyer.balance()).toBe(PURSE - PRICE);
  });
});
