import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { PAYMENT_NETWORK } from "#src/domain/billing/wallet/prices.ts";
import { FACILITATOR } from "./accounts.ts";
import { type Ledger, openLedger } from "./ledger.ts";

export interface OpenChain {
  ledger: Ledger;
  facilitator: x402Facilitator;
}

/** Puts USDC and the buyer's money on an empty chain. Its packages take a third of a second to load, in which this process answers no request. */
export async function openChain(rpcUrl: string): Promise<OpenChain> {
  const ledger = openLedger(rpcUrl);
  await ledger.deploy();
  const signer = toFacilitatorEvmSigner({
    ...ledger.client,
    address: FACILITATOR.address,
  } as never);
  const facilitator = new x402Facilitator().register(PAYMENT_NETWORK, new ExactEvmScheme(signer));
  return { ledger, facilitator };
}
