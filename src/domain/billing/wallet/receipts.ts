import type { Deps } from "#src/deps.ts";
import { type PublicJwk, signCompact } from "#src/platform/signing-key.ts";
import { PAYMENT_NETWORK, type PaidCall } from "./prices.ts";

/** What was paid for. */
export interface Paid {
  call: PaidCall;
  payer: string;
  /** Null where only the state of the authorization says that it was used. */
  transaction: string | null;
  at: Date;
}

type Issuer = Pick<Deps, "receiptKey" | "settings">;

export const resourceOf = ({ settings }: Pick<Deps, "settings">, call: PaidCall): string =>
  `${settings.publicBaseUrl}/api/x402/v1/${call}`;

/** The deployment by its host (W3C, did:web): a port's colon is escaped. */
const issuerOf = ({ settings }: Issuer): string =>
  `did:web:${new URL(settings.publicBaseUrl).host.replace(":", "%3A")}`;

/** The key's name holds the key itself, so that another key has another name. */
const kidOf = (issuer: string, { x }: PublicJwk): string => `${issuer}#${x}`;

/**
 * The deployment's signature of a paid call (x402 extension offer-receipt, version 1, section 5, as a JWS): its
 * holder can show, also later, that this payer paid for this resource in this transaction. Nothing of it is stored.
 */
export async function signReceipt(deps: Issuer, { call, payer, transaction, at }: Paid) {
  // Its names are in the order that canonical JSON (RFC 8785) wants.
  const payload = JSON.stringify({
    issuedAt: Math.floor(at.getTime() / 1000),
    network: PAYMENT_NETWORK,
    payer,
    resourceUrl: resourceOf(deps, call),
    transaction: transaction ?? "",
    version: 1,
  });
  const kid = kidOf(issuerOf(deps), await deps.receiptKey.publicJwk());
  return { format: "jws" as const, signature: await signCompact(deps.receiptKey, kid, payload) };
}

/** Where a stranger finds the key (did:web): the document of `/.well-known/did.json`. */
export async function issuerDocument(deps: Issuer) {
  const id = issuerOf(deps);
  const publicKeyJwk = await deps.receiptKey.publicJwk();
  const kid = kidOf(id, publicKeyJwk);
  return {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/suites/jws-2020/v1"],
    id,
    verificationMethod: [{ id: kid, type: "JsonWebKey2020", controller: id, publicKeyJwk }],
    assertionMethod: [kid],
  };
}
