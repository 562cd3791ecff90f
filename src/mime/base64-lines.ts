const ALPHABET = Uint8Array.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  (character) => character.charCodeAt(0),
);
const PADDING = 61;
const BYTES_PER_LINE = 57;

/** Base64 in lines of 76 characters with CRLF (RFC 2045 section 6.8). */
export function base64Lines(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return Uint8Array.of(13, 10);
  const lines = Math.ceil(bytes.length / BYTES_PER_LINE);
  const out = new Uint8Array(Math.ceil(bytes.length / 3) * 4 + lines * 2);
  let at = 0;
  for (let index = 0; index < bytes.length; index += 3) {
    const a = bytes[index]!;
    const b = bytes[index + 1];
    const c = bytes[index + 2];
    out[at++] = ALPHABET[a >> 2]!;
    out[at++] = ALPHABET[((a & 3) << 4) | ((b ?? 0) >> 4)]!;
    out[at++] = b === undefined ? PADDING : ALPHABET[((b & 15) << 2) | ((c ?? 0) >> 6)]!;
    out[at++] = c === undefined ? PADDING : ALPHABET[c & 63]!;
    if ((index + 3) % BYTES_PER_LINE === 0 || index + 3 >= bytes.length) {
      out[at++] = 13;
      out[at++] = 10;
    }
  }
  return out;
}
