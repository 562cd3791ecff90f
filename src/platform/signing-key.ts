import { toBase64Url } from "./encoding.ts";

/** A public key of Ed25519 as JSON (RFC 8037 section 2); some libraries import none that does not say its algorithm. */
export interface PublicJwk {
  alg: "EdDSA";
  kty: "OKP";
  crv: "Ed25519";
  x: string;
}

/** What others can check with the public key alone. */
export interface SigningKey {
  publicJwk(): Promise<PublicJwk>;
  /** 64 bytes (RFC 8032); the same for the same text. */
  sign(text: string): Promise<Uint8Array>;
}

/** PKCS #8 around the 32 bytes of a private key of Ed25519 (RFC 8410 section 7). */
const PKCS8 = Uint8Array.from([
  ...[0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70],
  ...[0x04, 0x22, 0x04, 0x20],
]);

/** A key of Ed25519 derived from the master key (HKDF, RFC 5869): it lives as long as that one, and nothing is stored. */
export function createSigningKey(masterKey: Uint8Array<ArrayBuffer>, purpose: string): SigningKey {
  let made: Promise<{ key: CryptoKey; jwk: PublicJwk }> | undefined;
  const known = () => (made ??= derive(masterKey, purpose));
  return {
    publicJwk: async () => (await known()).jwk,
    async sign(text) {
      const { key } = await known();
      const bytes = new TextEncoder().encode(text);
      return new Uint8Array(await crypto.subtle.sign("Ed25519", key, bytes));
    },
  };
}

async function derive(
  masterKey: Uint8Array<ArrayBuffer>,
  purpose: string,
): Promise<{ key: CryptoKey; jwk: PublicJwk }> {
  const from = await crypto.subtle.importKey("raw", masterKey, "HKDF", false, ["deriveBits"]);
  const info = new TextEncoder().encode(purpose);
  const how = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  const seed = new Uint8Array(await crypto.subtle.deriveBits(how, from, 256));
  const pkcs8 = new Uint8Array([...PKCS8, ...seed]);
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  const { x } = (await crypto.subtle.exportKey("jwk", key)) as JsonWebKey;
  return { key, jwk: { alg: "EdDSA", kty: "OKP", crv: "Ed25519", x: x! } };
}

/** A signed text (RFC 7515 section 7.1, compact), which names its key by `kid`. */
export async function signCompact(key: SigningKey, kid: string, payload: string): Promise<string> {
  const encode = (text: string) => toBase64Url(new TextEncoder().encode(text));
  const signed = `${encode(JSON.stringify({ alg: "EdDSA", kid }))}.${encode(payload)}`;
  return `${signed}.${toBase64Url(await key.sign(signed))}`;
}
