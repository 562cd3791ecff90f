import { hasText, uint16 } from "./bytes.ts";

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const SCREEN_BYTES = 13;
const DESCRIPTOR_BYTES = 10;

/** Where the image ends (GIF89a, section 12 onward): a screen with a size, one picture at least, the trailer. */
export function endOfGif(bytes: Uint8Array): number | null {
  if (!hasText(bytes, 0, "GIF87a") && !hasText(bytes, 0, "GIF89a")) return null;
  if (bytes.length < SCREEN_BYTES || !hasArea(bytes, 6)) return null;
  let hasPicture = false;
  for (let at = SCREEN_BYTES + colourBytes(bytes[10]!); ;) {
    const kind = bytes[at];
    if (kind === TRAILER) return hasPicture ? at + 1 : null;
    if (kind !== EXTENSION && kind !== IMAGE) return null;
    if (kind === IMAGE && !hasArea(bytes, at + 5)) return null;
    const end = endOfBlocks(bytes, kind === IMAGE ? pictureData(bytes, at) : at + 2);
    if (end === null) return null;
    at = end;
    hasPicture ||= kind === IMAGE;
  }
}

const hasArea = (bytes: Uint8Array, at: number): boolean =>
  Boolean(uint16(bytes, at, true)) && Boolean(uint16(bytes, at + 2, true));

/** Of the table of colours that these flags announce, if they do. */
const colourBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Behind the descriptor, its colours, and the size of the first codes. */
const pictureData = (bytes: Uint8Array, at: number): number =>
  at + DESCRIPTOR_BYTES + colourBytes(bytes[at + 9] ?? 0) + 1;

/** Blocks, each with its length in front, until one of length 0. */
function endOfBlocks(bytes: Uint8Array, from: number): number | null {
  for (let at = from; at < bytes.length;) {
    const length = bytes[at]!;
    at += 1 + length;
    if (length === 0) return at;
  }
  return null;
}
