/** Tokens that pass through strangers' hands: a payload and its MAC, as text that survives a change of case. */
export interface SignedTokens {
  sign(payload: Uint8Array): Promise<string>;
  /** The payload, or null when no secret has made the token. Never throws. */
  open(token: string): Promise<Uint8Array | null>;
}

/** RFC 4648 section 6, in lower case: local parts are changed to one case on their way. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** The first secret signs; tokens of the further (older) ones are still read. `purpose` keeps these MACs apart from other uses of the secret. */
export function createSignedTokens(
  purpose: string,
  { payloadBytes, macBytes }: { payloadBytes: number; macBytes: number },
  secrets: readonly [string, ...string[]],
): SignedTokens {
  const keys = secrets.map(importKey);
  const length = Math.ceil(((payloadBytes + macBytes) * 8) / 5);
  const prefix = encoder.encode(`${purpose}\0`);
  return {
    async sign(payload) {
      const bytes = new Uint8Array(payloadBytes + macBytes);
      bytes.set(payload);
      bytes.set((await mac(await keys[0]!, prefix, payload)).subarray(0, macBytes), payloadBytes);
      return toBase32(bytes);
    },
    async open(token) {
      const bytes = token.length === length ? fromBase32(token.toLowerCase()) : null;
      if (bytes === null) return null;
      const payload = bytes.slice(0, payloadBytes);
      for (const key of keys) {
        const expected = await mac(await key, prefix, payload);
        let difference = 0;
        for (let at = 0; at < macBytes; at += 1)
          difference |= expected[at]! ^ bytes[payloadBytes + at]!;
        if (difference === 0) return payload;
      }
      return null;
    },
  };
}

const encoder = new TextEncoder();

const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);

async function mac(key: CryptoKey, prefix: Uint8Array, payload: Uint8Array): Promise<Uint8Array> {
  const data = new Uint8Array(prefix.length + payload.length);
  data.set(prefix);
  data.set(payload, prefix.length);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
}

function toBase32(bytes: Uint8Array): string {
  let text = "";
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(value >>> (bits - 5)) & 31]!;
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31]! : text;
}

/** Null for other characters, and when the bits left over are not zero: one token, one spelling. */
function fromBase32(text: string): Uint8Array | null {
  if (!/^[a-z2-7]*$/.test(text)) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let value = 0;
  let bits = 0;
  let at = 0;
  for (const character of text) {
    value = (value << 5) | ALPHABET.indexOf(character);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = value >>> bits;
      value &= (1 << bits) - 1;
    }
  }
  return value === 0 ? bytes : null;
}

export const UUID_BYTES = 16;

export function uuidBytes(uuid: string): Uint8Array {
  const hex = uuid.replaceAll("-", "");
  if (!/^[0-9a-f]{32}$/i.test(hex)) throw new Error("not a UUID");
  return Uint8Array.from({ length: UUID_BYTES }, (_, at) =>
    Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
  );
}

export function uuidText(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
