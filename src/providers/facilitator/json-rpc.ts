import * as z from "zod";
import { readBoundedText } from "#src/platform/bounded-text.ts";
import type { Chain, SignedTransfer, TransferState } from "./index.ts";

export interface JsonRpcOptions {
  fetch: typeof globalThis.fetch;
  url: string;
  /** The token's contract. */
  token: string;
}

/** For all that one question needs. */
const QUESTION_MS = 4_000;
/** A block's answer names its transactions, 70 bytes each. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** At a block in 2 s almost 3 hours, and where a node refuses so many, what free plans of all vendors allow. */
const RECENT_BLOCKS = [5_000, 10];

/** EIP-3009: `authorizationState(address,bytes32)`, and the events of a nonce's use; `Transfer` is of ERC-20. */
const AUTHORIZATION_STATE = "0xe94a0102";
const AUTHORIZATION_USED = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";
const AUTHORIZATION_CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const hex = z.string().regex(/^0x[0-9a-f]+$/i);
/** Where there is no such contract the answer is empty. */
const flag = z.string().regex(/^0x0{63}[01]$/);
const answer = z.object({ result: z.unknown().optional(), error: z.unknown().optional() });
const block = z.object({ number: hex, timestamp: hex });
const event = z.object({
  address: hex,
  topics: z.array(hex),
  data: z.string(),
  logIndex: hex,
  transactionHash: hex,
});
type Event = z.output<typeof event>;
const receipt = z.object({ status: hex, logs: z.array(event) });

const word = (value: string) => `0x${value.slice(2).toLowerCase().padStart(64, "0")}`;
const isSame = (one: string | undefined, other: string) =>
  one?.toLowerCase() === other.toLowerCase();

/** Plain JSON-RPC reads of a token with EIP-3009. */
export function createJsonRpcChain({ fetch, url, token }: JsonRpcOptions): Chain {
  function openQuestion() {
    const signal = AbortSignal.timeout(QUESTION_MS);
    return async (method: string, params: unknown[]) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        redirect: "manual",
        signal,
      });
      const text = await readBoundedText(response, MAX_ANSWER_BYTES);
      return answer.parse(JSON.parse(text ?? ""));
    };
  }
  type Call = ReturnType<typeof openQuestion>;

  async function readState(signed: SignedTransfer): Promise<TransferState> {
    const call = openQuestion();
    const latest = await call("eth_getBlockByNumber", ["latest", false]);
    const { number, timestamp } = block.parse(latest.result);
    // At the block's number: nodes behind one address are not equally far.
    const data = AUTHORIZATION_STATE + word(signed.payer).slice(2) + word(signed.nonce).slice(2);
    const used = flag.parse((await call("eth_call", [{ to: token, data }, number])).result);
    if (used.endsWith("0")) return { kind: "unused", asOf: new Date(Number(timestamp) * 1000) };
    const end = await findEnd(call, signed, Number(number));
    if (end === null) return { kind: "paid", transaction: null };
    return isSame(end.topics[0], AUTHORIZATION_USED) && (await isTransferred(call, signed, end))
      ? { kind: "paid", transaction: end.transactionHash }
      : { kind: "void" };
  }

  /** The event that used the nonce up; null where the node has none on record, or refuses to look for it. */
  async function findEnd(call: Call, { payer, nonce }: SignedTransfer, newest: number) {
    const ends = [AUTHORIZATION_USED, AUTHORIZATION_CANCELED];
    const filter = { address: token, topics: [ends, word(payer), word(nonce)] };
    const toBlock = `0x${newest.toString(16)}`;
    for (const blocks of RECENT_BLOCKS) {
      const fromBlock = `0x${Math.max(0, newest - blocks).toString(16)}`;
      const { result, error } = await call("eth_getLogs", [{ ...filter, fromBlock, toBlock }]);
      if (error === undefined) return z.array(event).parse(result)[0] ?? null;
    }
    return null;
  }

  /**
   * Whether that use moved this money: a payer may sign two transfers with one nonce. The token tells of the transfer
   * right after the nonce's use (FiatTokenV2, `_transferWithAuthorization`).
   */
  async function isTransferred(call: Call, { payer, to, amount }: SignedTransfer, use: Event) {
    const { result } = await call("eth_getTransactionReceipt", [use.transactionHash]);
    const next = receipt
      .parse(result)
      .logs.find(({ logIndex }) => Number(logIndex) === Number(use.logIndex) + 1);
    return (
      next !== undefined &&
      isSame(next.address, token) &&
      isSame(next.topics.join(), [TRANSFER, word(payer), word(to)].join()) &&
      BigInt(next.data) === amount
    );
  }

  return {
    transferState: (signed) => readState(signed).catch(() => null),
    async wasReverted(transaction) {
      try {
        const { result } = await openQuestion()("eth_getTransactionReceipt", [transaction]);
        return Number(receipt.parse(result).status) === 0;
      } catch {
        return false;
      }
    },
  };
}
