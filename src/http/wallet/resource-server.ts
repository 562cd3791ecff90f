import { ExactEvmScheme } from "@x402/evm/exact/server";
import {
  type FacilitatorClient,
  FacilitatorResponseError,
  type RouteConfig,
  x402HTTPResourceServer,
  x402ResourceServer,
} from "@x402/core/server";
import type { Settings } from "#src/deps.ts";
import {
  PAID_CALLS,
  PAYMENT_ASSET,
  PAYMENT_ASSET_DOMAIN,
  PAYMENT_NETWORK,
} from "#src/domain/billing/wallet/prices.ts";
import type { Facilitator } from "#src/providers/facilitator/index.ts";
import { type Discoverable, discoveryOf } from "./discovery.ts";

/** The offer of one paid path. */
export interface Offer extends Discoverable {
  path: string;
  description: string;
}

/**
 * The protocol's side of one paid operation. What is supported is known, so that nothing is fetched and a 402 does not
 * depend on the facilitator's health. To be built within a request: Workers do no work at start.
 */
export async function createResourceServer(
  { wallet, publicBaseUrl }: Pick<Settings, "wallet" | "publicBaseUrl">,
  facilitator: Facilitator,
  offer: Offer,
): Promise<x402HTTPResourceServer> {
  const server = new x402ResourceServer(clientOf(facilitator));
  server.register(PAYMENT_NETWORK, new ExactEvmScheme());
  await server.initialize();
  const { amount, seconds } = PAID_CALLS[offer.call];
  const route: RouteConfig = {
    accepts: {
      scheme: "exact",
      network: PAYMENT_NETWORK,
      payTo: wallet!.merchant,
      price: { asset: PAYMENT_ASSET, amount: String(amount), extra: { ...PAYMENT_ASSET_DOMAIN } },
      maxTimeoutSeconds: seconds + wallet!.settleMarginSeconds,
    },
    resource: `${publicBaseUrl}${offer.path}`,
    description: offer.description,
    mimeType: "application/json",
    serviceName: "Overture",
    extensions: discoveryOf(offer),
  };
  return new x402HTTPResourceServer(server, { [`POST ${offer.path}`]: route });
}

/** Trouble is thrown as the one error that the protocol's library takes for no verdict on the payment. */
const clientOf = (facilitator: Facilitator): FacilitatorClient => ({
  async verify(payment, requirements) {
    const answer = await facilitator.verify({ ...payment }, { ...requirements });
    if (answer.kind === "trouble") throw new FacilitatorResponseError("verification failed");
    if (answer.kind === "invalid") return { isValid: false, invalidReason: answer.reason };
    return { isValid: true, ...(answer.payer === null ? {} : { payer: answer.payer }) };
  },
  settle() {
    throw new Error("Settlement goes through the domain, which keeps the answer first.");
  },
  getSupported: async () => ({
    kinds: [{ x402Version: 2, scheme: "exact", network: PAYMENT_NETWORK }],
    extensions: [],
    signers: {},
  }),
});
