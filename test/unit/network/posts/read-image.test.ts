import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readImage } from "#src/domain/network/posts/image/read-image.ts";
import { IMAGES, largePng } from "../../../support/images.ts";

const WHOLE = [
  ["png", "image/png"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["extendedWebp", "image/webp"],
] as const;

const joined = (...parts: (Uint8Array | string)[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part))),
  );
const hex = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));

describe.each(WHOLE)("%s", (name, contentType) => {
  const bytes = IMAGES[name];

  test("is known by its bytes, and kept whole", () => {
    expect(readImage(bytes)).toEqual({ contentType, bytes });
  });

  test("is none when it breaks off anywhere", () => {
    const taken = Array.from({ length: bytes.length }, (_, end) => end).filter(
      (end) => readImage(bytes.subarray(0, end)) !== null,
    );
    expect(taken).toEqual([]);
  });

  test("is cut off where it ends: an archive or a script behind it does not go along", () => {
    const fellow = joined(bytes, "PK\u0003\u0004 <script>alert(1)</script>", IMAGES.gif);
    expect(readImage(fellow)).toEqual({ contentType, bytes });
  });

  test("is none with anything in front of it", () => {
    expect(readImage(joined(" ", bytes))).toBeNull();
    expect(readImage(joined("%PDF-1.7\n", bytes))).toBeNull();
  });

  test("with any of its bytes changed is read or not, and nothing else happens", () => {
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const changed = Uint8Array.from(bytes);
        for (const [at, value] of changes) changed[at] = value;
        const image = readImage(changed);
        if (image !== null) expect(image.bytes.length).toBeLessThanOrEqual(changed.length);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("markers without a length stand between the segments of a JPEG", () => {
  const { jpeg } = IMAGES;
  const bytes = joined(jpeg.subarray(0, 2), hex("ff01 ffd0"), jpeg.subarray(2));
  expect(readImage(bytes)).toEqual({ contentType: "image/jpeg", bytes });
});

test("bytes that fill up to a marker within a JPEG's scan are its own", () => {
  const { jpeg } = IMAGES;
  const bytes = joined(jpeg.subarray(0, -2), hex("ffff d0 11 ff00 ffff"), hex("ffd9"));
  expect(readImage(bytes)).toEqual({ contentType: "image/jpeg", bytes });
});

test("a PNG of one pixel is one", () => {
  const { png } = IMAGES;
  const bytes = joined(png.subarray(0, 16), hex("00000001 00000001"), png.subarray(24));
  expect(readImage(bytes)).toEqual({ contentType: "image/png", bytes });
});

test("any bytes are no image, with and without the first ones of an image", () => {
  const starts = WHOLE.map(([name]) => IMAGES[name].subarray(0, 12));
  const start = fc.constantFrom(new Uint8Array(), ...starts);
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 400 }), (head, tail) => {
      expect(readImage(joined(head, tail))).toBeNull();
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ["nothing", new Uint8Array()],
  ["a page", joined("<!doctype html><img src=x>")],
  ["a drawing", joined('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ["a bitmap", joined("BM", new Uint8Array(60))],
  ["an AVIF", joined(hex("0000001c"), "ftypavif", new Uint8Array(40))],
  ["a GIF that is a script", joined("GIF89a=1;alert(1)//;")],
  ["a GIF without a picture", joined(IMAGES.gif.subarray(0, 19), hex("3b"))],
  ["a GIF of no width", joined("GIF89a", hex("0000 0100 00 00 00 3b"))],
  ["a PNG without pixels", joined(IMAGES.png.subarray(0, 33), hex("00000000 49454e44 ae426082"))],
  [
    "a PNG whose chunk is longer than all of it",
    joined(IMAGES.png.subarray(0, 33), hex("ffffffff 49444154")),
  ],
  ["a JPEG of its tables alone", hex("ffd8 ffdb 0003 00 ffd9")],
  ["a JPEG whose segment has no length", hex("ffd8 ffe0 0000 ffd9")],
  ["a JPEG that begins twice", hex("ffd8 ffd8 ffd8 ffd9")],
  ["a RIFF that is a sound", joined("RIFF", hex("0c000000"), "WAVEfmt ", hex("00000000"))],
  [
    "a WebP whose chunk goes on behind its end",
    joined("RIFF", hex("28000000"), IMAGES.webp.subarray(8)),
  ],
  [
    "a WebP without pixels",
    joined("RIFF", hex("16000000"), "WEBPVP8X", hex("0a000000"), new Uint8Array(10)),
  ],
])("%s is no image", (_what, bytes) => {
  expect(readImage(bytes)).toBeNull();
});

test("8 MiB are walked, not copied", () => {
  const bytes = largePng(8 * 1024 * 1024);
  const image = readImage(bytes)!;
  expect([image.bytes.length, image.bytes.buffer]).toEqual([bytes.length, bytes.buffer]);
});
