/** Base64url without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** A multiple of three: the pieces' texts then join without padding between them. */
const PIECE_BYTES = 6_144;

/** Piece by piece: 8 MiB as one string, grown byte by byte, take 290 MB, and an isolate has 128; a call takes no more arguments. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    text += btoa(binaryOf(bytes.subarray(at, at + PIECE_BYTES)));
  return text;
}

/** A character for each byte. Spread, they would be taken one by one. */
const binaryOf = (bytes: Uint8Array): string => Reflect.apply(String.fromCharCode, null, bytes);

/** Reads base64 and base64url, padded or not; null when the text is neither. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    // A loop takes a third of the time of `Uint8Array.from`, and each tracked link is read this way.
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
    return bytes;
  } catch {
    return null;
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** SHA-256 of bytes, or of a text's UTF-8 bytes, as lower-case hex. */
export async function sha256Hex(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
