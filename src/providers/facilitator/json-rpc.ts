import * as z from "zod";
import { readBoundedText } from "#src/platform/bounded-text.ts";
import type { AuthorizationState, Chain } from "./index.ts";

export interface JsonRpcOptions {
  fetch: typeof globalThis.fetch;
  url: string;
  /** The token's contract. */
  token: string;
}

const CALL_MS = 4_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** Nodes refuse longer ranges. At a block in 2 s these are almost 3 hours; a payment is in doubt for minutes. */
const RECENT_BLOCKS = 5_000;

/** EIP-3009: `authorizationState(address,bytes32)`, and `AuthorizationCanceled(address,bytes32)`. */
const AUTHORIZATION_STATE = "0xe94a0102";
const AUTHORIZATION_CANCELED = "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81";

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/);
const answer = z.object({ result: z.unknown() });

/** Plain JSON-RPC reads of a token with EIP-3009. A nonce that was used was paid, unless its cancellation is on record. */
export function createJsonRpcChain({ fetch, url, token }: JsonRpcOptions): Chain {
  async function call(method: string, params: unknown[]): Promise<unknown> {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      redirect: "manual",
      signal: AbortSignal.timeout(CALL_MS),
    });
    const text = await readBoundedText(response, MAX_ANSWER_BYTES);
    return answer.parse(JSON.parse(text ?? "")).result;
  }
  const word = (value: string) => value.slice(2).toLowerCase().padStart(64, "0");
  return {
    async authorization(payer, nonce): Promise<AuthorizationState | null> {
      try {
        const data = `${AUTHORIZATION_STATE}${word(payer)}${word(nonce)}`;
        const used = hex.parse(await call("eth_call", [{ to: token, data }, "latest"]));
        if (!/[1-9a-f]/i.test(used.slice(2))) return "unused";
        const topics = [AUTHORIZATION_CANCELED, `0x${word(payer)}`, `0x${word(nonce)}`];
        const newest = Number(hex.parse(await call("eth_blockNumber", [])));
        const fromBlock = `0x${Math.max(0, newest - RECENT_BLOCKS).toString(16)}`;
        const filter = { address: token, topics, fromBlock, toBlock: "latest" };
        const logs = z.array(z.unknown()).parse(await call("eth_getLogs", [filter]));
        return logs.length > 0 ? "cancelled" : "paid";
      } catch {
        return null;
      }
    },
  };
}
