import { expect, test } from "vitest";
import { createJsonRpcChain } from "#src/providers/facilitator/json-rpc.ts";

const USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TOKEN = `0x${"70".repeat(20)}`;
const HASH = `0x${"12".repeat(32)}`;
const signed = {
  payer: `0x${"aa".repeat(20)}`,
  nonce: `0x${"01".repeat(32)}`,
  to: `0x${"bb".repeat(20)}`,
  amount: 5_000n,
};
const word = (value: bigint | string) => `0x${BigInt(value).toString(16).padStart(64, "0")}`;

type Search = { fromBlock: string; toBlock: string };
interface Answers {
  eth_getBlockByNumber?(): unknown;
  eth_call?(params: [order: object, block: string]): unknown;
  eth_getLogs?(params: [search: Search]): unknown;
  eth_getTransactionReceipt?(): unknown;
}
const use = {
  address: TOKEN,
  topics: [USED, word(signed.payer), signed.nonce],
  data: "0x",
  logIndex: "0x7",
  transactionHash: HASH,
};
const transfer = {
  ...use,
  topics: [TRANSFER, word(signed.payer), word(signed.to)],
  data: word(signed.amount),
  logIndex: "0x8",
};
const paid: Required<Answers> = {
  eth_getBlockByNumber: () => ({ number: "0x2710", timestamp: "0x65f00000" }),
  eth_call: () => word(1n),
  eth_getLogs: () => [use],
  eth_getTransactionReceipt: () => ({ status: "0x1", logs: [use, transfer] }),
};

/** A node that answers so; what throws is the protocol's error. */
function chainThat(answers: Answers) {
  return createJsonRpcChain({
    url: "http://node.zz",
    token: TOKEN,
    fetch: (async (_: unknown, init: RequestInit) => {
      const { method, params } = JSON.parse(init.body as string) as {
        method: keyof Answers;
        params: never;
      };
      try {
        return Response.json({ jsonrpc: "2.0", id: 1, result: answers[method]!(params) });
      } catch (error) {
        return Response.json({ jsonrpc: "2.0", id: 1, error: { message: String(error) } });
      }
    }) as typeof fetch,
  });
}
const stateOf = (answers: Answers) => chainThat({ ...paid, ...answers }).transferState(signed);
const refuse = () => {
  throw new Error("no");
};

test("a used nonce with its transfer is paid, by the transaction that did it", async () => {
  expect(await stateOf({})).toEqual({ kind: "paid", transaction: HASH });
});

test("an unused nonce is so at the time of the newest block", async () => {
  const state = await stateOf({ eth_call: () => word(0n) });
  expect(state).toEqual({ kind: "unused", asOf: new Date(0x65f00000 * 1000) });
});

test("state, logs and time are of the same block", async () => {
  const asked: unknown[] = [];
  await stateOf({
    eth_call: ([, block]) => (asked.push(block), word(1n)),
    eth_getLogs: ([{ toBlock }]) => (asked.push(toBlock), [use]),
  });
  expect(asked).toEqual(["0x2710", "0x2710"]);
});

const receiptOf = (...logs: object[]): Answers => ({
  eth_getTransactionReceipt: () => ({ status: "0x1", logs }),
});
const otherEnds: [string, Answers][] = [
  ["a cancellation", { eth_getLogs: () => [{ ...use, topics: [CANCELED] }] }],
  ["no transfer after the use", receiptOf(use)],
  ["another amount", receiptOf(use, { ...transfer, data: word(4_999n) })],
  [
    "another recipient",
    receiptOf(use, { ...transfer, topics: [TRANSFER, word(signed.payer), word(signed.payer)] }),
  ],
  [
    "another payer",
    receiptOf(use, { ...transfer, topics: [TRANSFER, word(signed.to), word(signed.to)] }),
  ],
  ["another token", receiptOf(use, { ...transfer, address: `0x${"71".repeat(20)}` })],
  ["the transfer of another authorization", receiptOf(use, { ...transfer, logIndex: "0x9" })],
];
test.each(otherEnds)("%s: the money did not move", async (_, answers) => {
  expect(await stateOf(answers)).toEqual({ kind: "void" });
});

test("a node that refuses a wide search is asked for the newest blocks", async () => {
  const state = await stateOf({
    eth_getLogs: ([{ fromBlock, toBlock }]) =>
      Number(toBlock) - Number(fromBlock) > 10 ? refuse() : [use],
  });
  expect(state).toEqual({ kind: "paid", transaction: HASH });
});

test.each([
  ["is too old", () => []],
  ["is not kept", refuse],
])("a use whose log %s was paid", async (_, eth_getLogs) => {
  expect(await stateOf({ eth_getLogs })).toEqual({ kind: "paid", transaction: null });
});

const noAnswers: [string, Answers][] = [
  ["no contract is there", { eth_call: () => "0x" }],
  ["the state is an error", { eth_call: refuse }],
  ["the block is null", { eth_getBlockByNumber: () => null }],
  ["the receipt is not there yet", { eth_getTransactionReceipt: () => null }],
  ["logs are no logs", { eth_getLogs: () => "many" }],
];
test.each(noAnswers)("%s: nothing is known", async (_, answers) => {
  expect(await stateOf(answers)).toBeNull();
});

test("reverted is what a receipt says, and nothing else", async () => {
  const reverted = (answer: () => unknown) =>
    chainThat({ eth_getTransactionReceipt: answer }).wasReverted(HASH);
  expect(await reverted(() => ({ status: "0x0", logs: [] }))).toBe(true);
  for (const other of [() => ({ status: "0x1", logs: [] }), () => null, () => ({}), refuse])
    expect(await reverted(other)).toBe(false);
});
