import { hasText, uint32 } from "./bytes.ts";

const SIGNATURE = "\u0089PNG\r\n\u001a\n";
const IHDR_BYTES = 13;
/** Length and name before a chunk's data, a checksum behind it. */
const AROUND_BYTES = 12;

/** Where the image ends (PNG, W3C, section 5): IHDR first, pixels somewhere, IEND last. */
export function endOfPng(bytes: Uint8Array): number | null {
  if (!hasText(bytes, 0, SIGNATURE)) return null;
  let at = SIGNATURE.length;
  if (!isHeader(bytes, at)) return null;
  for (let hasPixels = false; ;) {
    const length = uint32(bytes, at);
    if (length === null || at + AROUND_BYTES + length > bytes.length) return null;
    if (hasText(bytes, at + 4, "IDAT")) hasPixels = true;
    const isLast = hasText(bytes, at + 4, "IEND");
    at += AROUND_BYTES + length;
    if (isLast) return hasPixels ? at : null;
  }
}

const isHeader = (bytes: Uint8Array, at: number): boolean =>
  uint32(bytes, at) === IHDR_BYTES &&
  hasText(bytes, at + 4, "IHDR") &&
  isSize(uint32(bytes, at + 8)) &&
  isSize(uint32(bytes, at + 12));

const isSize = (pixels: number | null) => pixels !== null && pixels > 0 && pixels < 2 ** 31;
