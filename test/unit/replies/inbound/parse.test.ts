import * as fc from "fast-check";
import { expect, test } from "vitest";
import { classifyInbound } from "#src/domain/replies/inbound/classify.ts";
import { parseInbound } from "#src/domain/replies/inbound/parse.ts";
import { buildMime } from "#src/mime/message.ts";
import { mail, rawMail } from "./mails.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

test("addresses, ids, date and subject are read", async () => {
  const read = await mail({
    from: '"Lead, Ann" <Ann@LEAD.zz>',
    to: "Sam <sam@sender.zz>, team: bob@sender.zz, carl@sender.zz;",
    subject: "=?utf-8?Q?Gr=C3=BC=C3=9Fe?= =?iso-8859-1?Q?_aus_K=F6ln?=",
    headers: [
      "In-Reply-To: <1@sender.zz>",
      "References: <0@sender.zz>\n <1@sender.zz>",
      "Reply-To: ann2@lead.zz",
    ],
    body: "Hello",
  });
  expect(read).toMatchObject({
    from: { name: "Lead, Ann", email: "Ann@lead.zz" },
    to: [{ email: "sam@sender.zz" }, { email: "bob@sender.zz" }, { email: "carl@sender.zz" }],
    replyTo: [{ email: "ann2@lead.zz" }],
    returnPath: "ann@lead.zz",
    subject: "Grüße aus Köln",
    messageId: "incoming@lead.zz",
    inReplyTo: ["1@sender.zz"],
    references: ["0@sender.zz", "1@sender.zz"],
    date: new Date("2026-07-30T09:00:00Z"),
    text: "Hello\n",
    html: null,
    truncated: false,
  });
});

test("a null sender is not an absent one, and the envelope's word wins", async () => {
  expect((await mail({ headers: ["Return-Path: <>"] })).returnPath).toBe("");
  expect((await parseInbound(bytes("From: a@b.zz\r\n\r\nhi"))).returnPath).toBeNull();
  expect((await parseInbound(rawMail({}), { from: "<>" })).returnPath).toBe("");
  expect((await parseInbound(rawMail({}), { from: "X@y.zz" })).returnPath).toBe("x@y.zz");
});

test("text is made from HTML where there is none", async () => {
  const read = await mail({
    headers: ["Content-Type: text/html"],
    body: "<p>Hello <b>Sam</b></p><script>x</script>",
  });
  expect(read.text).toBe("Hello Sam");
  expect(read.html).toContain("<b>Sam</b>");
});

test.each([
  ["bare LF", "Subject: a\nFrom: b@c.zz\n\nhi\n"],
  ["CR alone", "Subject: a\rFrom: b@c.zz\r\rhi\r"],
  ["an mbox line", "From MAILER-DAEMON Thu Jul 30 09:00:00 2026\nSubject: a\nFrom: b@c.zz\n\nhi\n"],
  ["empty lines first", "\r\n\r\nSubject: a\r\nFrom: b@c.zz\r\n\r\nhi\r\n"],
  ["a byte order mark", "\ufeffSubject: a\r\nFrom: b@c.zz\r\n\r\nhi\r\n"],
])("%s is no hindrance", async (_, raw) => {
  const read = await parseInbound(bytes(raw));
  expect(read).toMatchObject({ subject: "a", from: { email: "b@c.zz" } });
  expect(read.text.trim()).toBe("hi");
});

test("NULs and half surrogates do not reach storage", async () => {
  const read = await parseInbound(bytes("Subject: a\0b\r\nFrom: x@y.zz\r\n\r\nc\0d"));
  expect(read.subject).toBe("a b");
  expect(read.text.trim()).toBe("cd");
});

test("line ends hidden in encoded words do not become line ends", async () => {
  const subject = "=?utf-8?B?" + btoa("Hi\r\nBcc: eve@evil.zz") + "?=";
  const read = await mail({ subject, from: `=?utf-8?Q?Ann=0D=0AX=3A_y?= <ann@lead.zz>` });
  expect(read.subject).toBe("Hi Bcc: eve@evil.zz");
  expect(read.from).toEqual({ name: "Ann X: y", email: "ann@lead.zz" });
  expect(read.headers.some(({ name }) => name === "bcc" || name === "x")).toBe(false);
});

test.each([
  ["utf-8", "Gr\xfc\xdfe"],
  ["no-such-charset", "Gr\xfc\xdfe"],
  ["us-ascii", "Gr\xc3\xbc\xc3\x9fe"],
  ["utf-16", "Hello"],
])("a charset that lies (%s) leaves a usable text", async (charset, body) => {
  const raw = latin1(`From: a@b.zz\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n${body}`);
  const read = await parseInbound(raw);
  expect(read.text.length).toBeGreaterThan(0);
  expect(read.text.isWellFormed()).toBe(true);
});

test.each([
  ["a boundary that never comes", 'Content-Type: multipart/mixed; boundary="x"\r\n\r\nHello Sam'],
  ["no boundary at all", "Content-Type: multipart/mixed\r\n\r\nHello Sam"],
  [
    "a last part without an end",
    'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\n\r\nHello Sam',
  ],
  ["an unknown transfer encoding", "Content-Transfer-Encoding: rot13\r\n\r\nHello Sam"],
])("malformed MIME is read: %s", async (_, rest) => {
  expect((await parseInbound(bytes(`From: a@b.zz\r\n${rest}`))).text).toContain("Hello Sam");
});

test("attachments are named and measured, and messages in them are not opened", async () => {
  const body = `--=b\nContent-Type: text/plain\n\nHello\n--=b\nContent-Type: application/pdf; name="a.pdf"\nContent-Transfer-Encoding: base64\n\nQUJD\n--=b\nContent-Type: message/rfc822\n\nSubject: inner\n\nnot this\n--=b--\n`;
  const read = await mail({ headers: ['Content-Type: multipart/mixed; boundary="=b"'], body });
  expect(read.text.trim()).toBe("Hello");
  expect(read.parts).toMatchObject([
    { contentType: "application/pdf", filename: "a.pdf", size: 3 },
    { contentType: "message/rfc822" },
  ]);
  expect(read.original).toMatchObject({ subject: "inner" });
});

test("what our builder writes is read back exactly", async () => {
  const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
  // eslint-disable-next-line no-control-regex
  const clean = (text: string) =>
    text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/g, "").toWellFormed();
  await fc.assert(
    fc.asyncProperty(
      word,
      word,
      fc.array(word, { maxLength: 6 }),
      fc.array(word, { maxLength: 6 }),
      async (name, subject, text, html) => {
        const input = {
          from: { name: clean(name).trim(), email: "ann@lead.zz" },
          to: { name: "Sam", email: "sam@bücher.zz" },
          subject: clean(subject),
          messageId: "m@lead.zz",
          inReplyTo: "r@sender.zz",
          references: ["q@sender.zz", "r@sender.zz"],
          date: new Date("2026-07-30T09:00:00Z"),
          text: `${text.map(clean).join("\n")}\n`,
          html: `<p>${html.map(clean).join("\n").replaceAll("<", "&lt;")}</p>\n`,
        };
        const read = await parseInbound(buildMime(input));
        expect(read).toMatchObject({
          from: input.from,
          to: [{ name: "Sam", email: "sam@xn--bcher-kva.zz" }],
          subject: input.subject,
          messageId: "m@lead.zz",
          inReplyTo: ["r@sender.zz"],
          references: input.references,
          date: input.date,
          text: input.text,
          html: input.html,
          truncated: false,
        });
      },
    ),
    { numRuns: 150 },
  );
});

test("no bytes make it throw", async () => {
  const piece = fc.oneof(
    fc
      .constantFrom(
        "From: ",
        "To: a@b.zz\r\n",
        "Content-Type: multipart/report; boundary=b\r\n",
        "Content-Type: message/delivery-status\r\n\r\n",
        "\r\n",
        "\n\n",
        "--b\r\n",
        "--b--\r\n",
        "Final-Recipient: rfc822; a@b.zz\r\n",
        "Action: failed\r\n",
        "Status: 5.1.1\r\n",
        "Return-Path: <>\r\n",
        "Subject: =?utf-8?B?",
        "?=",
        "<div class=gmail_quote>",
        "> ",
        "On 1 May 2026 a@b.zz wrote:\n",
        "Content-Transfer-Encoding: base64\r\n",
        "until 31.12.",
        "\0",
        "\ud800",
      )
      .map(bytes),
    fc.uint8Array({ maxLength: 40 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const raw = new Uint8Array(pieces.reduce((sum, each) => sum + each.length, 0));
      let at = 0;
      for (const each of pieces) {
        raw.set(each, at);
        at += each.length;
      }
      const read = await parseInbound(raw);
      expect(read.text.isWellFormed() && !read.text.includes("\0")).toBe(true);
      expect(read.subject).not.toMatch(/[\r\n\0]/);
      expect(typeof classifyInbound(read).class).toBe("string");
    }),
    { numRuns: 600 },
  );
});
