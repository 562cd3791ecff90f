import fc from "fast-check";
import { expect, test } from "vitest";
import { saysThePage, saysTheSame } from "#src/domain/network/same-text.ts";
import { textToHtml } from "#src/mime/text-to-html.ts";

test("a text is known again however the network writes its blanks and links", () => {
  const written = "Hello,\r\nread https://example.com/a/long?way=1 \u200bnow ";
  expect(saysTheSame(written, "Hello,\n\nread https://lnkd.in/x now")).toBe(true);
  expect(saysTheSame(written, "Hello, read it now")).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => saysTheSame(text, ` ${text}\n`)),
  );
});

test("a message that the network trimmed, or whose link it shortened, is still the one that the ledger has", () => {
  const page = textToHtml("Hello  <Mara>,\r\n\nread https://example.com/a?b=1&c=2 now. ");
  expect(saysThePage(page, "Hello <Mara>,\nread https://lnkd.in/x now.")).toBe(true);
  expect(saysThePage(page, "Hello <Mara>,\nread it now.")).toBe(false);
});
