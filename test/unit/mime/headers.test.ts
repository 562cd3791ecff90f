import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { domainToAscii, normalizeEmail } from "#src/mime/address.ts";
import { encodedWords } from "#src/mime/encoded-word.ts";
import {
  dateToken,
  headerLine,
  mailboxTokens,
  isMessageId,
  messageIdToken,
  textTokens,
} from "#src/mime/headers.ts";
import { MailInputError } from "#src/mime/input-error.ts";

test("encoded words stay within 75 characters, their lines within 76, and none splits a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }), (text) => {
      // eslint-disable-next-line no-control-regex
      const clean = text.replace(/[\u0000-\u001f\u007f]/g, "");
      for (const word of encodedWords(clean, 9)) {
        expect(word.length).toBeLessThanOrEqual(75);
        const [, encoding, payload] = /^=\?utf-8\?([QB])\?(.*)\?=$/.exec(word)!;
        const bytes =
          encoding === "B"
            ? Buffer.from(payload!, "base64")
            : Buffer.from(
                payload!
                  .replaceAll("_", " ")
                  .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
                    String.fromCharCode(Number.parseInt(hex, 16)),
                  ),
                "latin1",
              );
        // A split character would not decode.
        new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      }
      if (clean === "") return;
      const header = headerLine("Subject", textTokens("Subject", clean));
      for (const line of header.trimEnd().split("\r\n"))
        if (line.includes("=?utf-8?")) expect(line.length).toBeLessThanOrEqual(76);
    }),
  );
});

test("a display name of any characters comes back as it was", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }), async (text) => {
      // eslint-disable-next-line no-control-regex
      const name = text
        .replace(/[\u0000-\u001f\u007f]/g, "")
        .toWellFormed()
        .trim();
      const header = headerLine("From", mailboxTokens("From", { name, email: "a@b.zz" }));
      const { from } = await PostalMime.parse(`${header}\r\n`);
      expect(from).toMatchObject({ address: "a@b.zz", name });
    }),
    { numRuns: 300 },
  );
});

test("names are atoms, quoted strings or encoded words, never a word inside quotes", () => {
  const from = (name: string) => mailboxTokens("From", { name, email: "a@b.zz" }).join(" ");
  expect(from("Ann Lee")).toBe("Ann Lee <a@b.zz>");
  expect(from('Lee, "Ann"')).toBe('"Lee, \\"Ann\\"" <a@b.zz>');
  expect(from("Zoë Sender")).toBe("=?utf-8?Q?Zo=C3=AB_Sender?= <a@b.zz>");
  expect(from("=?utf-8?Q?x?=")).not.toContain('"');
  expect(from("  ")).toBe("a@b.zz");
});

test("a line break, NUL or other control character in any header value is refused", () => {
  for (const evil of ["a\r\nBcc: x@y.zz", "a\nb", "a\rb", "a\u0000b", "a\u0007"]) {
    expect(() => textTokens("Subject", evil)).toThrow(MailInputError);
    expect(() => mailboxTokens("From", { name: evil, email: "a@b.zz" })).toThrow(MailInputError);
    expect(() => mailboxTokens("From", { email: `${evil}@b.zz` })).toThrow(MailInputError);
    expect(() => mailboxTokens("From", { email: `a@${evil}` })).toThrow(MailInputError);
    expect(() => messageIdToken("In-Reply-To", `<${evil}@b.zz>`)).toThrow(MailInputError);
    expect(() => headerLine("Feedback-ID", [evil])).toThrow(MailInputError);
    expect(() => headerLine(`X-${evil}`, ["a"])).toThrow(MailInputError);
  }
});

test("long headers fold at spaces, and a continuation begins with one", () => {
  const header = headerLine(
    "References",
    Array.from({ length: 20 }, (_, index) => `<${index}-0123456789abcdef@sender.zz>`),
  );
  const lines = header.trimEnd().split("\r\n");
  expect(lines.every((line) => line.length <= 76)).toBe(true);
  expect(lines.slice(1).every((line) => line.startsWith(" <"))).toBe(true);
});

test("a Message-ID is refused only where no line can carry it", () => {
  for (const id of ["a@b.zz", "no-domain", "a".repeat(983)]) {
    expect(isMessageId(id)).toBe(true);
    const line = headerLine("In-Reply-To", [messageIdToken("In-Reply-To", `<${id}>`)]);
    expect(line.trimEnd().length).toBeLessThanOrEqual(998);
  }
  for (const id of ["", "grüße@b.zz", "a b@b.zz", "a<b@b.zz", "a".repeat(984)]) {
    expect(isMessageId(id)).toBe(false);
    expect(() => messageIdToken("In-Reply-To", id)).toThrow(MailInputError);
  }
});

test("domains become A-labels; what is no host name is refused", () => {
  expect(domainToAscii("Bücher.Example")).toBe("xn--bcher-kva.example");
  expect(domainToAscii("ACME.com")).toBe("acme.com");
  for (const bad of [
    "",
    "a b.zz",
    "a/b",
    "127.0.0.1",
    "１２７.0.0.1",
    "a..b",
    "-a.zz",
    "a.zz:25",
    "[::1]",
    "%61.zz",
  ])
    expect(domainToAscii(bad)).toBeNull();
  expect(normalizeEmail("Ann@BÜCHER.zz", "to")).toBe("Ann@xn--bcher-kva.zz");
  for (const bad of [
    "ann",
    "@b.zz",
    "a@",
    "a b@c.zz",
    "a,b@c.zz",
    "<a@b.zz>",
    '"a b"@c.zz',
    "a@b@c.zz",
    ".a@b.zz",
    `${"x".repeat(65)}@b.zz`,
  ])
    expect(() => normalizeEmail(bad, "to")).toThrow(MailInputError);
});

test("dates are UTC and say +0000", () => {
  expect(dateToken(new Date("2026-05-05T10:00:00+02:00"))).toBe("Tue, 05 May 2026 08:00:00 +0000");
});
