import { encodePaymentSignatureHeader } from "@x402/core/http";
import { ExactEvmScheme } from "@x402/evm";
import { x402Client } from "@x402/fetch";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { PAYMENT_NETWORK } from "#src/domain/billing/wallet/prices.ts";
import type { TestService } from "../support/service.ts";
import { median, percentile, range } from "./report.ts";

const PATH = "/api/x402/v1/prospects/search";
const QUESTION = JSON.stringify({ tags: ["bench"] });
const NO_QUESTION = JSON.stringify({ tags: [] });
/** A payer may have 60 uncharged answers a minute, and each round has a payer of its own. */
const TURNS = 40;
const CASES_WITH_PAYMENT = 4;
const TARGETS = { verified: 25, paid: 60 };

type Payment = Awaited<ReturnType<x402Client["createPaymentPayload"]>>;
interface Turn {
  /** One for each case that takes one. */
  payments: Payment[];
  address: string;
}

/**
 * What a payment costs over the handler itself, as single requests in turns on the built Worker: the same search for a
 * key, unpaid, verified and not charged (422), and paid; and what of that is the facilitator's, asked directly.
 */
export async function benchPaid(service: TestService, rounds: number): Promise<void> {
  const cases = casesOf(service);
  const names = Object.keys(cases) as (keyof typeof cases)[];
  const all = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    keyof typeof cases,
    number[]
  >;
  for (let round = 0; round <= rounds; round++) {
    const ms = Object.fromEntries(names.map((name) => [name, [] as number[]]));
    const signTurn = await openWallet(service);
    for (let index = 0; index < TURNS; index++) {
      const turn = await signTurn();
      for (const at of names.keys()) {
        const name = names[(at + index) % names.length]!;
        ms[name]!.push(await timed(name, () => cases[name](turn)));
      }
    }
    // The first round warms up.
    if (round === 0) continue;
    for (const name of names) all[name].push(percentile(ms[name]!, 0.5));
  }
  const line = (name: keyof typeof cases) => `  ${name.padEnd(20)} ${range(all[name], 1)} ms`;
  console.log(
    `\nPaid calls, bare workerd and anvil, in turns, ${rounds} rounds of ${TURNS}: p50, median (min-max)\n${names.map(line).join("\n")}`,
  );
  for (const [name, target] of Object.entries(TARGETS) as [keyof typeof TARGETS, number][]) {
    const over = all[name].map((ms, round) => ms - all.free[round]!);
    const met = median(over) < target ? "met" : "MISSED";
    console.log(`  ${name} over free: ${range(over, 1)} ms, target under ${target}: ${met}`);
  }
  console.log(`  round trips of a paid call: ${await roundTrips(service, cases.paid)}`);
}

function casesOf({ baseUrl, access, stack }: TestService) {
  const post = async (url: string, body: string, headers: Record<string, string>) => {
    const reply = await fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
    await reply.arrayBuffer();
    return reply.status;
  };
  const signed = (payment: Payment) => ({
    "payment-signature": encodePaymentSignatureHeader(payment),
  });
  const from = ({ address }: Turn) => ({ "cf-connecting-ip": address });
  const facilitator = (path: string, payment: Payment) => {
    const order = { paymentPayload: payment, paymentRequirements: payment.accepted };
    return post(
      `${stack.chain!.part.url}/${path}`,
      JSON.stringify({ x402Version: 2, ...order }),
      {},
    );
  };
  const key = { authorization: `Bearer ${access.api_key}` };
  const expecting =
    (status: number, ask: (turn: Turn) => Promise<number>) => async (turn: Turn) => {
      const got = await ask(turn);
      if (got !== status) throw new Error(`answered ${got}, not ${status}`);
    };
  return {
    free: expecting(200, () => post(`${baseUrl}/api/v1/prospects/search`, QUESTION, key)),
    unpaid: expecting(402, (turn) => post(baseUrl + PATH, QUESTION, from(turn))),
    verified: expecting(422, (turn) =>
      post(baseUrl + PATH, NO_QUESTION, { ...from(turn), ...signed(turn.payments[0]!) }),
    ),
    paid: expecting(200, (turn) =>
      post(baseUrl + PATH, QUESTION, { ...from(turn), ...signed(turn.payments[1]!) }),
    ),
    "facilitator verifies": expecting(200, (turn) => facilitator("verify", turn.payments[2]!)),
    "facilitator settles": expecting(200, (turn) => facilitator("settle", turn.payments[3]!)),
  };
}

/** A new wallet, whose payments are signed before anything is timed and soon enough to be valid for a while. */
async function openWallet({ baseUrl, stack }: TestService): Promise<() => Promise<Turn>> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { ledger } = await stack.chain!.open();
  await ledger.mint(account.address, 1_000_000_000n);
  const client = new x402Client().register(PAYMENT_NETWORK, new ExactEvmScheme(account));
  const headers = { "cf-connecting-ip": anyAddress() };
  const asked: unknown = await (await fetch(baseUrl + PATH, { method: "POST", headers })).json();
  return async () => {
    const payments: Payment[] = [];
    while (payments.length < CASES_WITH_PAYMENT)
      payments.push(await client.createPaymentPayload(asked as never));
    return { payments, address: anyAddress() };
  };
}

const anyAddress = () =>
  `2001:db8:${[1, 2, 3, 4].map(() => Math.floor(Math.random() * 65_536).toString(16)).join(":")}::1`;

async function timed(name: string, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work().catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`);
  });
  return performance.now() - startedAt;
}

/** By the logs of the parts. */
async function roundTrips(service: TestService, pay: (turn: Turn) => Promise<void>) {
  const { neon, redis, chain } = service.stack;
  const turn = await (await openWallet(service))();
  const parts = { database: neon, cache: redis, facilitator: chain!.part };
  for (const { log } of Object.values(parts)) log.clear();
  await pay(turn);
  return Object.entries(parts)
    .map(([name, { log }]) => `${log.entries().length} ${name}`)
    .join(", ");
}
