import { hasText, uint32 } from "./bytes.ts";

const HEADER_BYTES = 12;
const CHUNK_BYTES = 8;
const PIXELS = ["VP8 ", "VP8L", "ANMF"];

/** Where the image ends (RFC 9649, section 2): RIFF says how long it is, and its chunks fill that exactly. */
export function endOfWebp(bytes: Uint8Array): number | null {
  const size = uint32(bytes, 4, true);
  if (size === null || !hasText(bytes, 0, "RIFF") || !hasText(bytes, 8, "WEBP")) return null;
  const end = 8 + size;
  if (end > bytes.length || !["VP8 ", "VP8L", "VP8X"].some((name) => hasText(bytes, 12, name)))
    return null;
  let hasPixels = false;
  let at = HEADER_BYTES;
  while (at + CHUNK_BYTES <= end) {
    hasPixels ||= PIXELS.some((name) => hasText(bytes, at, name));
    const length = uint32(bytes, at + 4, true)!;
    // A chunk of an odd length is followed by a byte that fills it up.
    at += CHUNK_BYTES + length + (length % 2);
  }
  return at === end && hasPixels ? end : null;
}
