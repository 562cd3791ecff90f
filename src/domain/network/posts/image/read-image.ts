import { endOfGif } from "./gif.ts";
import { endOfJpeg } from "./jpeg.ts";
import { endOfPng } from "./png.ts";
import { endOfWebp } from "./webp.ts";

export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export interface Image {
  contentType: ImageType;
  /** From its first byte to its own end: what is appended behind that is no part of it. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Where an image of each type ends in these bytes; null when they are none, or not all of one. */
const FORMATS: Record<ImageType, (bytes: Uint8Array) => number | null> = {
  "image/png": endOfPng,
  "image/jpeg": endOfJpeg,
  "image/gif": endOfGif,
  "image/webp": endOfWebp,
};

/**
 * What image these bytes are, whatever their name or sender says; null when they are none that a post may have, or
 * break off. The structure is walked to the image's end and nothing is decoded.
 */
export function readImage(bytes: Uint8Array<ArrayBuffer>): Image | null {
  for (const [contentType, endOf] of Object.entries(FORMATS)) {
    const end = endOf(bytes);
    if (end !== null)
      return { contentType: contentType as ImageType, bytes: bytes.subarray(0, end) };
  }
  return null;
}
