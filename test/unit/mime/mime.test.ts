import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { MailInputError } from "#src/mime/input-error.ts";
import { buildMime, type MimeInput } from "#src/mime/message.ts";
import { quotedPrintable } from "#src/mime/quoted-printable.ts";

const base: MimeInput = {
  from: { name: "Zoë Sender", email: "zoe@sender.zz" },
  to: { name: "Lead, Ann", email: "ann@bücher.zz" },
  subject: "Grüße",
  messageId: "abc@sender.zz",
  date: new Date("2026-05-05T10:00:00Z"),
  text: "Hello\n",
};
const ascii = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);
const linesOf = (bytes: Uint8Array) => ascii(bytes).split("\r\n");

test("a plain message, byte for byte", () => {
  expect(
    ascii(
      buildMime({
        ...base,
        inReplyTo: "<r@x.zz>",
        references: ["r@x.zz"],
        headers: [["Feedback-ID", ["c:w:s:o"]]],
        text: "Hällo.\n.dot\nFrom here\nend \n",
      }),
    ),
  ).toBe(
    [
      "From: =?utf-8?Q?Zo=C3=AB_Sender?= <zoe@sender.zz>",
      'To: "Lead, Ann" <ann@xn--bcher-kva.zz>',
      "Subject: =?utf-8?B?R3LDvMOfZQ==?=",
      "Date: Tue, 05 May 2026 10:00:00 +0000",
      "Message-ID: <abc@sender.zz>",
      "In-Reply-To: <r@x.zz>",
      "References: <r@x.zz>",
      "Feedback-ID: c:w:s:o",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "H=C3=A4llo.",
      "=2Edot",
      "=46rom here",
      "end=20",
      "",
    ].join("\r\n"),
  );
});

test("quoted-printable: lines of at most 76, no leading dot or From, and back to the same text", () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(".", "From ", " ", "\t", "=", "\n", "\r\n", "x".repeat(80), "é", "漢", "😀"),
      fc.string({ unit: "grapheme", maxLength: 3 }),
    ),
    maxLength: 120,
  });
  fc.assert(
    fc.property(text, (input) => {
      const source = input.toWellFormed();
      const encoded = ascii(quotedPrintable(source));
      for (const line of encoded.split("\r\n")) {
        expect(line.length).toBeLessThanOrEqual(76);
        expect(line).toMatch(/^(?!\.|From )[\x20-\x7e\t]*(?<![ \t])$/);
      }
      const bytes = encoded
        .replace(/=\r\n/g, "")
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
      const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
        Buffer.from(bytes, "latin1"),
      );
      const normal = source.replace(/\r\n|\r|\n/g, "\r\n");
      expect(decoded).toBe(normal.endsWith("\r\n") ? normal : `${normal}\r\n`);
    }),
    { numRuns: 500 },
  );
});

test("subject, texts and attachments of any content survive the trip through another parser", async () => {
  const line = fc.string({ unit: "grapheme", maxLength: 150 });
  await fc.assert(
    fc.asyncProperty(
      line,
      fc.array(line, { maxLength: 8 }),
      fc.array(line, { maxLength: 8 }),
      fc.array(
        fc.record({
          filename: fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 }),
          content: fc.uint8Array({ maxLength: 300 }),
        }),
        { maxLength: 3 },
      ),
      async (subject, textLines, htmlLines, files) => {
        // eslint-disable-next-line no-control-regex
        const clean = (value: string) =>
          value.replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, "").toWellFormed();
        const text = textLines.map(clean).join("\n");
        const html = `<p>${htmlLines.map(clean).join("\n").replaceAll("<", "&lt;")}</p>`;
        const raw = buildMime({
          ...base,
          subject: clean(subject),
          text,
          html,
          attachments: files.map(({ filename, content }) => ({
            filename: clean(filename) || "file",
            contentType: "application/pdf",
            content,
          })),
        });
        expect(ascii(raw)).toMatch(/^[\x00-\x7f]*$/);
        expect(ascii(raw).replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
        expect(linesOf(raw).every(({ length }) => length <= 998)).toBe(true);
        const parsed = await PostalMime.parse(raw);
        expect(parsed.subject ?? "").toBe(clean(subject));
        expect((parsed.text ?? "").replace(/\n$/, "")).toBe(text.replace(/\n$/, ""));
        expect((parsed.html ?? "").replace(/\n$/, "")).toBe(html);
        expect(
          parsed.attachments.map(({ content }) => new Uint8Array(content as ArrayBuffer)),
        ).toEqual(files.map(({ content }) => new Uint8Array(content)));
        expect(parsed.attachments.map(({ filename }) => filename)).toEqual(
          files.map(({ filename }) => clean(filename) || "file"),
        );
      },
    ),
    { numRuns: 150 },
  );
});

test("structure is mixed > related > alternative, as far as needed", async () => {
  const png = {
    filename: "logo.png",
    contentType: "image/png",
    content: Uint8Array.of(1, 2),
    contentId: "logo@x",
  };
  const pdf = { filename: "a.pdf", contentType: "application/pdf", content: Uint8Array.of(3) };
  const types = (input: Partial<MimeInput>) =>
    linesOf(buildMime({ ...base, ...input }))
      .filter((line) => line.startsWith("Content-Type:"))
      .map((line) => /: ([a-z/]+)/.exec(line)![1]);
  expect(types({})).toEqual(["text/plain"]);
  expect(types({ html: "<p>x</p>" })).toEqual(["multipart/alternative", "text/plain", "text/html"]);
  expect(types({ html: '<img src="cid:logo@x">', attachments: [png, pdf] })).toEqual([
    "multipart/mixed",
    "multipart/alternative",
    "text/plain",
    "multipart/related",
    "text/html",
    "image/png",
    "application/pdf",
  ]);
  const parsed = await PostalMime.parse(
    buildMime({ ...base, html: '<img src="cid:logo@x">', attachments: [png] }),
  );
  expect(parsed.attachments[0]).toMatchObject({ contentId: "<logo@x>", disposition: "inline" });
});

test("the same input gives the same bytes, another Message-ID another boundary", () => {
  const input = { ...base, html: "<p>x</p>" };
  expect(buildMime(input)).toEqual(buildMime(input));
  const boundary = (raw: Uint8Array) => /boundary="(.*)"/.exec(ascii(raw))![1];
  expect(boundary(buildMime(input))).not.toBe(
    boundary(buildMime({ ...input, messageId: "other@sender.zz" })),
  );
});

test("a boundary cannot be forged from inside a part", async () => {
  const boundary = /boundary="(.*)"/.exec(ascii(buildMime({ ...base, html: "x" })))![1]!;
  const text = `before\n--${boundary}--\nafter`;
  const parsed = await PostalMime.parse(buildMime({ ...base, text, html: "x" }));
  expect(parsed.text?.trimEnd()).toBe(text);
});

test("no field lets a header in", () => {
  const evil = "x\r\nBcc: victim@example.zz";
  const inputs: Partial<MimeInput>[] = [
    { subject: evil },
    { from: { name: evil, email: "a@b.zz" } },
    { to: { email: `a@b.zz\r\nBcc: v@x.zz` } },
    { replyTo: { name: evil, email: "a@b.zz" } },
    { messageId: `<${evil}@b.zz>` },
    { inReplyTo: evil },
    { references: [evil] },
    { headers: [["X-Test", [evil]]] },
    { headers: [["Bcc: v@x.zz\r\nX", ["a"]]] },
    { attachments: [{ filename: evil, contentType: "text/plain", content: Uint8Array.of() }] },
    {
      attachments: [
        { filename: "a", contentType: "text/plain", content: Uint8Array.of(), contentId: evil },
      ],
      html: "x",
    },
  ];
  for (const input of inputs)
    expect(() => buildMime({ ...base, ...input })).toThrow(MailInputError);
  const odd = buildMime({
    ...base,
    attachments: [{ filename: "a", contentType: `text/plain\r\nX: y`, content: Uint8Array.of(1) }],
  });
  expect(ascii(odd)).toContain("Content-Type: application/octet-stream\r\n");
});

test("an attached message travels as bytes, because message/rfc822 may not be base64", () => {
  const raw = buildMime({
    ...base,
    attachments: [{ filename: "m.eml", contentType: "message/rfc822", content: Uint8Array.of(1) }],
  });
  expect(ascii(raw)).toContain("application/octet-stream");
});

test("a message over 25 MiB is refused", () => {
  const content = new Uint8Array(20 * 1024 * 1024);
  expect(() =>
    buildMime({ ...base, attachments: [{ filename: "a", contentType: "text/plain", content }] }),
  ).toThrow("25 MiB");
});
