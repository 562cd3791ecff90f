import * as fc from "fast-check";
import { expect, test } from "vitest";
import { htmlToText } from "#src/mime/html-to-text.ts";
import { textToHtml } from "#src/mime/text-to-html.ts";

const link = (address: string) => `<a href="${address}">${address}</a>`;

test("web addresses of a text are links, and the sentence keeps its punctuation", () => {
  for (const [text, html] of [
    ["See https://acme.zz/a?b=1&c=2.", `See ${link("https://acme.zz/a?b=1&amp;c=2")}.`],
    ["(see http://acme.zz)", `(see ${link("http://acme.zz")})`],
    ["https://acme.zz/a_(b), then", `${link("https://acme.zz/a_(b)")}, then`],
    ["«https://acme.zz/ä»!", `«${link("https://acme.zz/ä")}»!`],
    ["HTTPS://ACME.ZZ", link("HTTPS://ACME.ZZ")],
    ["https://acme.zz https://acme.zz", `${link("https://acme.zz")} ${link("https://acme.zz")}`],
  ] as const)
    expect(textToHtml(text)).toBe(`<p>${html}</p>`);
});

test("what is no web address is no link, and nothing becomes markup", () => {
  for (const text of [
    "acme.zz",
    "xhttps://acme.zz",
    "javascript:alert(1)",
    "https://",
    "http://?",
    "mailto:a@b.zz",
  ])
    expect(textToHtml(text)).not.toContain("<a");
  expect(textToHtml('https://a.zz/"onclick=x <b>')).toBe(
    `<p>${link("https://a.zz/")}&quot;onclick=x &lt;b&gt;</p>`,
  );
  expect(textToHtml("https://a.zz/'x'")).toContain('href="https://a.zz/&#39;x"');
});

test("the text alternative of a text is the text again", () => {
  const words = fc.constantFrom("Hi", "https://acme.zz/a(b)", "(", ")", ".", "https://b.zz,", "&");
  const lines = fc.array(words, { minLength: 1, maxLength: 8 }).map((each) => each.join(" "));
  fc.assert(
    fc.property(fc.array(lines, { minLength: 1, maxLength: 4 }), (each) => {
      const text = each.join("\n\n");
      expect(htmlToText(textToHtml(text)).trimEnd()).toBe(text);
    }),
  );
});
