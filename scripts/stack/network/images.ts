export interface Picture {
  type: string;
  width: number;
  height: number;
}

/** What image these bytes are, whatever they are called; null for none that the network takes. */
export function readPicture(bytes: Buffer): Picture | null {
  return READERS.map((read) => read(bytes)).find((picture) => picture !== null) ?? null;
}

const starts = (bytes: Buffer, ...head: number[]) =>
  bytes.subarray(0, head.length).equals(Buffer.from(head));
const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString("latin1", from, to);

const READERS: ((bytes: Buffer) => Picture | null)[] = [
  (bytes) =>
    bytes.length >= 24 && starts(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
      ? { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
      : null,
  (bytes) =>
    bytes.length >= 10 && /^GIF8[79]a$/.test(ascii(bytes, 0, 6))
      ? { type: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
      : null,
  (bytes) =>
    ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP"
      ? { type: "image/webp", ...webpSize(bytes) }
      : null,
  (bytes) => (starts(bytes, 0xff, 0xd8, 0xff) ? { type: "image/jpeg", ...jpegSize(bytes) } : null),
];

const UNKNOWN = { width: 0, height: 0 };

/** The lossy, lossless and extended headers (RFC 9649). */
function webpSize(bytes: Buffer) {
  if (bytes.length < 30) return UNKNOWN;
  const kind = ascii(bytes, 12, 16);
  if (kind === "VP8X")
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 ")
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** The first frame header among the segments. */
function jpegSize(bytes: Buffer) {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return UNKNOWN;
}
