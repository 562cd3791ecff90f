/** The addresses that campaign mail gives as envelope sender, one for each send (VERP). */
export interface ReturnPathTokens {
  /** `b+<token>@<domain>`: at most 36 characters before the @, and no difference in case. */
  address(sendId: string, domain: string): Promise<string>;
  /** The send that an address stands for, or null when no secret has made it. Never throws. */
  read(address: string): Promise<string | null>;
}

/** RFC 4648 section 6, in lower case: local parts are changed to one case on their way. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const UUID_BYTES = 16;
/** A guess costs a mail to us: 2^40 of them are out of reach. */
const MAC_BYTES = 5;
const TOKEN = /^b[+.-]([a-z2-7]{34})@/;

/** The first secret signs; `retired` ones are still read. */
export function createReturnPathTokens(secret: string, ...retired: string[]): ReturnPathTokens {
  const keys = [secret, ...retired].map(importKey);
  const [signing] = keys as [Promise<CryptoKey>, ...Promise<CryptoKey>[]];
  return {
    async address(sendId, domain) {
      const uuid = uuidBytes(sendId);
      const bytes = new Uint8Array(UUID_BYTES + MAC_BYTES);
      bytes.set(uuid);
      bytes.set(await mac(await signing, uuid), UUID_BYTES);
      return `b+${toBase32(bytes)}@${domain}`;
    },
    async read(address) {
      const token = TOKEN.exec(address.trim().replace(/^<|>$/g, "").toLowerCase())?.[1];
      const bytes = token === undefined ? null : fromBase32(token);
      if (!bytes) return null;
      const uuid = bytes.slice(0, UUID_BYTES);
      for (const key of keys) {
        const expected = await mac(await key, uuid);
        let difference = 0;
        for (const [at, byte] of expected.entries()) difference |= byte ^ bytes[UUID_BYTES + at]!;
        if (difference === 0) return uuidText(uuid);
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

async function mac(key: CryptoKey, uuid: Uint8Array): Promise<Uint8Array> {
  // The prefix keeps these MACs apart from any other use of the same secret.
  const prefix = encoder.encode("overture.return-path.1\0");
  const data = new Uint8Array(prefix.length + uuid.length);
  data.set(prefix);
  data.set(uuid, prefix.length);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, data), 0, MAC_BYTES);
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

/** Null when the bits left over are not zero: one token, one spelling. */
function fromBase32(text: string): Uint8Array | null {
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

function uuidBytes(uuid: string): Uint8Array {
  const hex = uuid.replaceAll("-", "");
  if (!/^[0-9a-f]{32}$/i.test(hex)) throw new Error("not a UUID");
  return Uint8Array.from({ length: UUID_BYTES }, (_, at) =>
    Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
  );
}

function uuidText(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
