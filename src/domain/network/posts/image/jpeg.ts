import { uint16 } from "./bytes.ts";

/** The second byte of a marker; the first is 0xff. */
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
/** Markers without a length: TEM and the restarts. */
const isBare = (code: number) => code === 0x01 || (code >= 0xd0 && code <= 0xd7);
/** Start of a frame: SOF0 to SOF15 without the tables and extensions between them. */
const isFrame = (code: number) =>
  code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);

/** Where the image ends (ITU T.81, annex B): a frame with a size, then scans, then EOI. */
export function endOfJpeg(bytes: Uint8Array): number | null {
  if (bytes[0] !== 0xff || bytes[1] !== SOI || bytes[2] !== 0xff) return null;
  let hasFrame = false;
  let hasScan = false;
  for (let at = 2; ;) {
    const marker = readMarker(bytes, at);
    if (marker === null) return null;
    const { code, next } = marker;
    if (code === EOI) return hasFrame && hasScan ? next : null;
    at = next;
    if (isBare(code)) continue;
    const length = uint16(bytes, at);
    if (length === null || length < 2 || at + length > bytes.length) return null;
    if (isFrame(code)) {
      if (!hasSize(bytes, at, length)) return null;
      hasFrame = true;
    }
    at += length;
    if (code !== SOS) continue;
    if (!hasFrame) return null;
    hasScan = true;
    at = endOfScan(bytes, at);
  }
}

/** The marker at this place, which any number of 0xff may fill. */
function readMarker(bytes: Uint8Array, at: number): { code: number; next: number } | null {
  if (bytes[at] !== 0xff) return null;
  let next = at + 1;
  while (bytes[next] === 0xff) next++;
  const code = bytes[next];
  return code === undefined || code === 0 || code === SOI ? null : { code, next: next + 1 };
}

/** Precision, height, width. A height of 0 comes later, in a DNL segment; a width never does. */
const hasSize = (bytes: Uint8Array, at: number, length: number): boolean =>
  length >= 8 && uint16(bytes, at + 5) !== 0;

/** The next marker that is no restart; in a scan 0xff 0x00 stands for the byte 0xff. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; ;) {
    at = bytes.indexOf(0xff, at);
    if (at === -1) return bytes.length;
    const code = bytes[at + 1];
    if (code === undefined) return bytes.length;
    if (code === 0xff) at += 1;
    else if (code === 0 || isBare(code)) at += 2;
    else return at;
  }
}
