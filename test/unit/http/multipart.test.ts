import fc from "fast-check";
import { expect, test } from "vitest";
import { boundaryOf, readForm } from "#src/http/multipart.ts";

async function encode(form: FormData) {
  const response = new Response(form);
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    boundary: boundaryOf(response.headers.get("content-type")!),
  };
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, boundary: string, size: number, skip = "") {
  const parts = [];
  for await (const part of readForm(pieces(bytes, size), boundary)) {
    const chunks = [];
    if (part.name !== skip) for await (const piece of part.bytes) chunks.push(Buffer.from(piece));
    parts.push({
      name: part.name,
      filename: part.filename,
      text: Buffer.concat(chunks).toString("latin1"),
    });
  }
  return parts;
}

test("a form is read back, wherever its pieces are cut", async () => {
  const content = fc
    .array(fc.constantFrom("\r", "\n", "\r\n", "--", "-", "x", "\r\n--", "é"), { maxLength: 30 })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(content, content, fc.integer({ min: 1, max: 90 }), async (a, b, size) => {
      const form = new FormData();
      form.append("file", new Blob([a]), 'na"me.csv');
      form.append("other", new Blob([b]), "x");
      const { bytes, boundary } = await encode(form);
      const latin1 = (text: string) => Buffer.from(text).toString("latin1");
      expect(await read(bytes, boundary, size)).toEqual([
        { name: "file", filename: 'na"me.csv', text: latin1(a) },
        { name: "other", filename: "x", text: latin1(b) },
      ]);
    }),
    { numRuns: 200 },
  );
});

test("a part that nobody reads is skipped", async () => {
  const form = new FormData();
  form.append("first", "x".repeat(5000));
  form.append("second", "two");
  const { bytes, boundary } = await encode(form);
  const parts = await read(bytes, boundary, 100, "first");
  expect(parts.map(({ name, text }) => [name, text])).toEqual([
    ["first", ""],
    ["second", "two"],
  ]);
});

test("a body that ends early, or is no form, is a bad request", async () => {
  const form = new FormData();
  form.append("file", "content");
  const { bytes, boundary } = await encode(form);
  for (const length of [0, 10, 60, bytes.length - 8])
    await expect(read(bytes.subarray(0, length), boundary, 50)).rejects.toMatchObject({
      kind: "bad_request",
    });
  expect(() => boundaryOf("multipart/form-data")).toThrow("boundary");
});
