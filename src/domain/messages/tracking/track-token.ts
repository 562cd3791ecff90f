import { fromBase64, toBase64Url, toHex } from "#src/platform/encoding.ts";
import { hash32 } from "#src/mime/hash.ts";

/** The content of a tracking URL in a sent mail; `sendId` is the UUID of the message. */
export type TrackToken =
  | { kind: "open"; sendId: string }
  | { kind: "click"; sendId: string; linkIndex: number; url: string }
  | { kind: "unsubscribe"; sendId: string };

export interface TrackTokens {
  sign(token: TrackToken): Promise<string>;
  /** What a token says, or null for anything that none of the secrets has signed. Never throws. */
  read(text: string): Promise<TrackToken | null>;
}

/** Longer URLs make links that mail programs break. */
export const MAX_TRACKED_URL = 1_500;
export const MAX_LINK_INDEX = 255;

const MAC_BYTES = 10;
const VERSION = 1;
const KINDS = ["open", "click", "unsubscribe"] as const;
/** Of a token that no named cell has made. */
const NO_CELL = 0;
/** In the byte of the kind; the other six say in which cell the token was made. */
const KIND_BITS = 2;
const HEAD_BYTES = 1 + 1 + 16 + 1;
/** 1,500 characters can be 4,500 bytes of UTF-8, in base64. */
const MAX_TOKEN_CHARACTERS = 6_100;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Keeps these MACs apart from any other use of the same secret. */
const MAC_PREFIX = encoder.encode(`overture.track.${VERSION}\0`);

interface TokenKey {
  /** Tells keys apart while they are rotated; a hint, the MAC decides. */
  hint: number;
  key: Promise<CryptoKey>;
}

/**
 * base64url of: MAC (10 bytes of HMAC-SHA256) | version and key hint | cell and kind | message uuid (16 bytes)
 * | link index | URL. The URL is inside the MAC, so that a redirect needs no lookup and is never open.
 * The first secret signs; what the others signed is still read. `cell` is what the router
 * goes by (`cellOfToken`).
 */
export function createTrackTokens(
  secrets: readonly [string, ...string[]],
  cell: number = NO_CELL,
): TrackTokens {
  const keys = secrets.map(importKey);
  const [signing] = keys as [TokenKey, ...TokenKey[]];
  return {
    async sign(token) {
      const body = encode(token, signing.hint, cell);
      const out = new Uint8Array(MAC_BYTES + body.length);
      out.set(await mac(signing, body));
      out.set(body, MAC_BYTES);
      return toBase64Url(out);
    },
    async read(text) {
      if (text.length > MAX_TOKEN_CHARACTERS || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
      const bytes = fromBase64(text);
      if (bytes === null || bytes.length < MAC_BYTES + HEAD_BYTES) return null;
      const body = bytes.subarray(MAC_BYTES);
      for (const key of keys) {
        if (body[0] !== headByte(key.hint)) continue;
        if (equalInConstantTime(await mac(key, body), bytes.subarray(0, MAC_BYTES)))
          return decode(body);
      }
      return null;
    },
  };
}

function importKey(secret: string): TokenKey {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return { hint: hash32(secret) & 15, key };
}

const headByte = (hint: number): number => (VERSION << 4) | hint;

function encode(token: TrackToken, hint: number, cell: number): Uint8Array {
  const click = token.kind === "click" ? token : { linkIndex: 0, url: "" };
  if (click.linkIndex < 0 || click.linkIndex > MAX_LINK_INDEX)
    throw new Error("link index out of range");
  const url = encoder.encode(click.url);
  const body = new Uint8Array(HEAD_BYTES + url.length);
  body[0] = headByte(hint);
  body[1] = (cell << KIND_BITS) | KINDS.indexOf(token.kind);
  body.set(uuidBytes(token.sendId), 2);
  body[18] = click.linkIndex;
  body.set(url, HEAD_BYTES);
  return body;
}

function decode(body: Uint8Array): TrackToken | null {
  const sendId = uuidText(body.subarray(2, 18));
  const kind = KINDS[body[1]! & ((1 << KIND_BITS) - 1)];
  if (kind === "open" || kind === "unsubscribe") return { kind, sendId };
  if (kind !== "click") return null;
  const url = decoder.decode(body.subarray(HEAD_BYTES));
  // Checked again although it is signed: no redirect ever goes to another scheme.
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
  return { kind, sendId, linkIndex: body[18]!, url };
}

async function mac({ key }: TokenKey, body: Uint8Array): Promise<Uint8Array> {
  const data = new Uint8Array(MAC_PREFIX.length + body.length);
  data.set(MAC_PREFIX);
  data.set(body, MAC_PREFIX.length);
  return new Uint8Array(await crypto.subtle.sign("HMAC", await key, data), 0, MAC_BYTES);
}

/** Both have the same length. */
function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= a[index]! ^ b[index]!;
  return difference === 0;
}

function uuidBytes(uuid: string): Uint8Array {
  const hex = uuid.replaceAll("-", "");
  if (!/^[0-9a-f]{32}$/i.test(hex)) throw new Error("not a UUID");
  const bytes = new Uint8Array(16);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16);
  return bytes;
}

function uuidText(bytes: Uint8Array): string {
  const hex = toHex(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Six bits of a cell's name; the router refuses two cells of one number. */
export const numberOfCell = (name: string): number => 1 + (hash32(name) % 63);

/** In which cell a token was made, as it says itself: the router, which has no secret, cannot know whether that is true. */
export function cellOfToken(text: string): number {
  const at = MAC_BYTES + 1;
  // Three bytes are four characters.
  const first = Math.floor(at / 3) * 4;
  const bytes = fromBase64(text.slice(first, first + 4));
  return (bytes?.[at % 3] ?? 0) >> KIND_BITS;
}
