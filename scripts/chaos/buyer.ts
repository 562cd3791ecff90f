import { setTimeout as delay } from "node:timers/promises";
import type { Address } from "viem";
import type { Chaos } from "./run.ts";

export interface Purchase {
  name: string;
  /** A wallet of its own, so that what it lost is what this one cost. */
  wallet: Address;
  status: "asking" | "done" | "refused";
  answered: number | null;
}

/** Millionths of a USDC that each wallet begins with. */
export const PURSE = 1_000_000;
const AGAIN_MS = 400;
const TRIES = 60;
const PATIENCE_MS = 20_000;

/** An agent with a wallet: asks for the price, signs once, and repeats the same payment until it is answered. */
export async function createBuyer({ service }: Chaos) {
  if (service.stack.chain === null) return null;
  const [
    { ledger },
    { encodePaymentSignatureHeader, decodePaymentRequiredHeader },
    client,
    evm,
    accounts,
  ] = await Promise.all([
    service.stack.chain.open(),
    import("@x402/core/http"),
    import("@x402/fetch"),
    import("@x402/evm"),
    import("viem/accounts"),
  ]);
  const url = `${service.baseUrl}/api/x402/v1/email/verify`;
  const post = (body: unknown, payment?: string) =>
    fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(payment === undefined ? {} : { "payment-signature": payment }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  return {
    async buy(list: Purchase[], email: string): Promise<void> {
      const account = accounts.privateKeyToAccount(accounts.generatePrivateKey());
      await ledger.mint(account.address, BigInt(PURSE));
      const purchase: Purchase = {
        name: email,
        wallet: account.address,
        status: "asking",
        answered: null,
      };
      list.push(purchase);
      const payer = new client.x402Client().register(
        "eip155:8453",
        new evm.ExactEvmScheme(account),
      );
      let payment: string | undefined;
      for (let tries = 0; tries < TRIES; tries++) {
        try {
          const response = await post({ email }, payment);
          await response.arrayBuffer();
          purchase.answered = response.status;
          if (response.status === 200) break;
          const asked = response.headers.get("payment-required");
          if (payment === undefined && response.status === 402 && asked !== null)
            payment = encodePaymentSignatureHeader(
              await payer.createPaymentPayload(decodePaymentRequiredHeader(asked)),
            );
          // It was told for good that its payment buys nothing.
          else if (response.status < 500 && response.status !== 429 && response.status !== 409)
            break;
          else await delay(AGAIN_MS);
        } catch {
          await delay(AGAIN_MS);
        }
      }
      purchase.status = purchase.answered === 200 ? "done" : "refused";
    },
  };
}
