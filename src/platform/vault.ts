import { fromBase64, toBase64Url } from "./encoding.ts";

/** Encryption at rest. `context` names the row and field; sealed text opens only with the same one. */
export interface Vault {
  seal(plain: string, context: string): Promise<string>;
  open(sealed: string, context: string): Promise<string>;
}

const VERSION = "v1";
const NONCE_BYTES = 12;
const USES: ("encrypt" | "decrypt")[] = ["encrypt", "decrypt"];

type RandomBytes = (count: number) => Uint8Array<ArrayBuffer>;

/** AES-256-GCM (NIST SP 800-38D) under the master key, a fresh 96-bit nonce per value. */
export const createVault = (masterKey: Uint8Array<ArrayBuffer>, randomBytes: RandomBytes): Vault =>
  vaultOf(() => crypto.subtle.importKey("raw", masterKey, "AES-GCM", false, USES), randomBytes);

/** A vault with a key of its own, derived from the master key (HKDF, RFC 5869): no other vault opens what it seals. */
export const createDerivedVault = (
  masterKey: Uint8Array<ArrayBuffer>,
  purpose: string,
  randomBytes: RandomBytes,
): Vault =>
  vaultOf(async () => {
    const from = await crypto.subtle.importKey("raw", masterKey, "HKDF", false, ["deriveKey"]);
    const info = new TextEncoder().encode(purpose);
    const how = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
    return crypto.subtle.deriveKey(how, from, { name: "AES-GCM", length: 256 }, false, USES);
  }, randomBytes);

function vaultOf(makeKey: () => Promise<CryptoKey>, randomBytes: RandomBytes): Vault {
  let made: Promise<CryptoKey> | undefined;
  const key = () => (made ??= makeKey());
  const algorithm = (iv: Uint8Array<ArrayBuffer>, context: string) => ({
    name: "AES-GCM",
    iv,
    additionalData: new TextEncoder().encode(context),
  });
  return {
    async seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const data = new TextEncoder().encode(plain);
      const sealed = new Uint8Array(
        await crypto.subtle.encrypt(algorithm(nonce, context), await key(), data),
      );
      return `${VERSION}.${toBase64Url(nonce)}.${toBase64Url(sealed)}`;
    },
    async open(text, context) {
      const [version, nonceText = "", sealedText = ""] = text.split(".");
      const nonce = fromBase64(nonceText);
      const sealed = fromBase64(sealedText);
      if (version !== VERSION || nonce === null || sealed === null)
        throw new Error("Not a sealed value");
      return new TextDecoder().decode(
        await crypto.subtle.decrypt(algorithm(nonce, context), await key(), sealed),
      );
    },
  };
}
