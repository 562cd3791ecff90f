import { fromBase64, toBase64Url } from "./encoding.ts";

/** Encryption at rest. `context` names the row and field; sealed text opens only with the same one. */
export interface Vault {
  seal(plain: string, context: string): Promise<string>;
  open(sealed: string, context: string): Promise<string>;
}

const VERSION = "v1";
const NONCE_BYTES = 12;

/** AES-256-GCM (NIST SP 800-38D) under the master key, a fresh 96-bit nonce per value. */
export function createVault(
  masterKey: Uint8Array<ArrayBuffer>,
  randomBytes: (count: number) => Uint8Array<ArrayBuffer>,
): Vault {
  let imported: Promise<CryptoKey> | undefined;
  const key = () =>
    (imported ??= crypto.subtle.importKey("raw", masterKey, "AES-GCM", false, [
      "encrypt",
      "decrypt",
    ]));
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
