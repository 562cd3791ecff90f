import { importPKCS8, importJWK, SignJWT } from "jose";
import { toBase64Url, fromBase64, toHex } from "#src/platform/encoding.ts";
import type { Platform } from "#src/platform/index.ts";
import { createHttpFacilitator } from "./http.ts";
import type { Facilitator } from "./index.ts";

export interface CdpOptions {
  fetch: typeof globalThis.fetch;
  url: string;
  keyId: string;
  /** The key's secret as the portal shows it: base64 of an Ed25519 seed and public key, or an EC key in PEM. */
  keySecret: string;
  now(): Date;
  randomBytes: Platform["randomBytes"];
}

/** Coinbase's facilitator: the same API, each request with a token for just that method, host and path. */
export function createCdpFacilitator(options: CdpOptions): Facilitator {
  const { fetch, url } = options;
  const { host } = new URL(url);
  const key = readKey(options.keySecret);
  return createHttpFacilitator({
    fetch,
    url,
    async headersFor(method, path) {
      const { algorithm, secret } = await key;
      const seconds = Math.floor(options.now().getTime() / 1000);
      const token = await new SignJWT({ uris: [`${method} ${host}${path}`] })
        .setProtectedHeader({
          alg: algorithm,
          typ: "JWT",
          kid: options.keyId,
          nonce: toHex(options.randomBytes(16)),
        })
        .setSubject(options.keyId)
        .setIssuer("cdp")
        .setIssuedAt(seconds)
        .setNotBefore(seconds)
        .setExpirationTime(seconds + 120)
        .sign(secret);
      return { authorization: `Bearer ${token}` };
    },
  });
}

const ED25519_BYTES = 64;

async function readKey(text: string): Promise<{ algorithm: string; secret: CryptoKey }> {
  if (text.includes("BEGIN"))
    return { algorithm: "ES256", secret: await importPKCS8(text.replaceAll("\\n", "\n"), "ES256") };
  const bytes = fromBase64(text);
  if (bytes?.length !== ED25519_BYTES)
    throw new Error("CDP_API_KEY_SECRET is neither 64 bytes in base64 nor a PEM");
  const jwk = {
    kty: "OKP",
    crv: "Ed25519",
    d: toBase64Url(bytes.subarray(0, 32)),
    x: toBase64Url(bytes.subarray(32)),
  };
  return { algorithm: "EdDSA", secret: (await importJWK(jwk, "EdDSA")) as CryptoKey };
}
