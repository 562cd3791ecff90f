import { fromBase64, toBase64Url } from "#src/platform/encoding.ts";

/**
 * A cursor of the API names its account and list by itself, and the API trusts it: a forged one could read another
 * customer's chats. So each leaves with the service's seal over the list that it is of, and is taken back for that
 * list alone.
 */
export interface Cursors {
  /** `list`: which list, of whose account. */
  seal(list: string, cursor: string): Promise<string>;
  /** Null where this service did not seal it, or for another list. */
  open(list: string, sealed: string): Promise<string | null>;
}

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };
const LONGEST = 4_000;
const utf8 = new TextEncoder();

export function createCursors(secret: string): Cursors {
  let imported: Promise<CryptoKey> | undefined;
  const key = () =>
    (imported ??= crypto.subtle.importKey(
      "raw",
      utf8.encode(`overture-cursor:${secret}`),
      ALGORITHM,
      false,
      ["sign", "verify"],
    ));

  return {
    async seal(list, cursor) {
      const seal = await crypto.subtle.sign("HMAC", await key(), signed(list, cursor));
      return `${toBase64Url(utf8.encode(cursor))}.${toBase64Url(new Uint8Array(seal))}`;
    },
    async open(list, sealed) {
      const [body, seal] = sealed.length > LONGEST ? [] : sealed.split(".", 2).map(fromBase64);
      if (!body || !seal) return null;
      const cursor = new TextDecoder().decode(body);
      const isOurs = await crypto.subtle.verify("HMAC", await key(), seal, signed(list, cursor));
      return isOurs ? cursor : null;
    },
  };
}

const signed = (list: string, cursor: string) => utf8.encode(JSON.stringify([list, cursor]));
