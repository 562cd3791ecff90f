import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  compileClickPatterns,
  globMatches,
  parseClickPattern,
} from "#src/domain/messages/tracking/click-patterns.ts";
import { rewriteLinks } from "#src/domain/messages/tracking/rewrite-links.ts";
import { leastCostMs } from "../../../support/cost.ts";

const own = "https://link.sender.zz/";
const rewrite = (html: string, patterns: string[] = []) =>
  rewriteLinks(html, { patterns, ownPrefixes: [own] }, ({ index }) =>
    Promise.resolve(`${own}c/${index}`),
  );

test("every way to write an href is replaced in place, and the table holds the addresses as readers see them", async () => {
  const html =
    `<p class=x>A <a class="b" href="https://acme.zz/?a=1&amp;b=2#f">one</a> <A HREF='http://acme.zz/it"s'>two</A>` +
    ` <a href=https://acme.zz/plain target=_blank>three</a> <a\n href = " https://acme.zz/sp\nace " >four</a><map><area href="https://acme.zz/area"></map></p>`;
  const result = await rewrite(html);
  expect(result.links).toEqual([
    { index: 0, url: "https://acme.zz/?a=1&b=2#f" },
    { index: 1, url: 'http://acme.zz/it"s' },
    { index: 2, url: "https://acme.zz/plain" },
    { index: 3, url: "https://acme.zz/space" },
    { index: 4, url: "https://acme.zz/area" },
  ]);
  expect(result.html).toBe(
    `<p class=x>A <a class="b" href="${own}c/0">one</a> <A HREF='${own}c/1'>two</A>` +
      ` <a href="${own}c/2" target=_blank>three</a> <a\n href = "${own}c/3" >four</a><map><area href="${own}c/4"></map></p>`,
  );
});

test("what is not a web link, or not ours to track, keeps every byte", async () => {
  for (const html of [
    '<a href="mailto:a@b.zz">m</a><a href="tel:1">t</a><a href="sms:1">s</a><a href="cid:x">c</a><a href="data:,x">d</a><a href="javascript:x">j</a>',
    '<a href="#top">a</a><a href="">b</a><a href>c</a><a>d</a><a href="/rel">e</a><a href="//acme.zz/x">f</a>',
    '<a href="https://acme.zz/{{ slug }}">a</a>',
    `<a href="${own}u/abc">Unsubscribe</a>`,
    '<a data-no-track href="https://acme.zz">a</a>',
    "<!-- <a href='https://acme.zz'>x</a> --><!--[if mso]><a href='https://acme.zz'>x</a><![endif]-->",
    `<a href="https://acme.zz/${"x".repeat(1_500)}">long</a>`,
    '<link href="https://acme.zz/x.css"><img src="https://acme.zz/x.png"><style>a{b:url(https://acme.zz)}</style>',
    '<a href="https://evil.zz/login">https://bank.zz/login</a>',
    "https://acme.zz in plain text",
    '<a title="href=https://acme.zz">x</a>',
  ])
    expect(await rewrite(html)).toEqual({ html, links: [] });
});

test("a link that shows its own address is tracked: www and path make no other host", async () => {
  const { links } = await rewrite(
    '<a href="https://www.acme.zz/x">acme.zz</a><a href="https://acme.zz/x">https://acme.zz/x</a><a href="https://acme.zz"><b>Node.js rocks</b></a>',
  );
  expect(links).toHaveLength(3);
});

test("of two hrefs on one tag the first counts", async () => {
  const { html, links } = await rewrite('<a href="https://a.zz" href="https://b.zz">x</a>');
  expect(links).toEqual([{ index: 0, url: "https://a.zz" }]);
  expect(html).toBe(`<a href="${own}c/0" href="https://b.zz">x</a>`);
});

test("at most 256 links are tracked", async () => {
  const { links } = await rewrite('<a href="https://acme.zz/x">y</a>'.repeat(300));
  expect(links).toHaveLength(256);
  expect(links.at(-1)!.index).toBe(255);
});

test("outside the replaced values every byte is identical, in any tag soup", async () => {
  const soup = fc.array(
    fc.constantFrom(
      "<a href='https://a.zz/1'>",
      "<a href=https://b.zz>",
      '<a href="https://c.zz/?x&amp;y">',
      "</a>",
      "<p ",
      ">",
      '"',
      "'",
      "<",
      "&amp;",
      "text",
      "<!--",
      "-->",
      "<style>",
      "</style>",
      "é漢😀",
      "<area href=http://d.zz>",
      "<svg>",
      "</svg>",
      "=",
      " ",
      "href=",
      "\n",
    ),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(soup, async (pieces) => {
      const html = pieces.join("");
      const result = await rewriteLinks(html, { patterns: [], ownPrefixes: [] }, ({ index }) =>
        Promise.resolve(`@@${index}@@`),
      );
      // Each mark stands for exactly one stretch of the source; what lies between is the source itself.
      const between = result.html.split(/"?@@\d+@@"?/);
      let at = 0;
      for (const [index, piece] of between.entries()) {
        const found = index === 0 ? (html.startsWith(piece) ? 0 : -1) : html.indexOf(piece, at);
        expect(found).toBeGreaterThanOrEqual(at === 0 ? 0 : at);
        at = found + piece.length;
      }
      expect(html.endsWith(between.at(-1)!)).toBe(true);
      expect(result.links.length).toBe(between.length - 1);
    }),
    { numRuns: 1_000 },
  );
});

test("patterns: host and path globs, case-insensitive, with or without scheme", () => {
  const cases: [pattern: string, url: string, fits: boolean][] = [
    ["acme.com/*", "https://acme.com/x", true],
    ["acme.com/*", "https://acme.com/", true],
    ["acme.com", "https://acme.com/any/path?x=1", true],
    ["acme.com/*", "https://www.acme.com/x", false],
    ["*.acme.com", "https://www.acme.com/x", true],
    ["*.acme.com", "https://a.b.acme.com/", true],
    ["*.acme.com", "https://acme.com/", false],
    ["*.acme.com", "https://evilacme.com/", false],
    ["https://acme.com/pricing*", "https://acme.com/Pricing/2026", true],
    ["https://acme.com/pricing*", "http://acme.com/pricing", false],
    ["acme.com/pricing", "https://acme.com/pricing?utm=1", true],
    ["acme.com/pricing?utm=*", "https://acme.com/pricing?utm=1", true],
    ["acme.com/pricing?utm=*", "https://acme.com/pricing", false],
    ["ACME.com", "https://acme.COM/x", true],
    ["acme.com:8080", "https://acme.com:8080/", true],
    ["acme.com:8080", "https://acme.com/", false],
    ["*", "https://any.zz/", true],
    ["acme.com/a*c*e", "https://acme.com/abcde", true],
    ["acme.com/a*c*e", "https://acme.com/aec", false],
  ];
  for (const [pattern, url, fits] of cases)
    expect([pattern, url, compileClickPatterns([pattern])(new URL(url))]).toEqual([
      pattern,
      url,
      fits,
    ]);
});

test("patterns: the last one that fits decides; only exclusions start from everything", () => {
  const tracked = (patterns: string[], url: string) => compileClickPatterns(patterns)(new URL(url));
  expect(tracked([], "https://x.zz")).toBe(true);
  expect(tracked(["acme.com"], "https://x.zz")).toBe(false);
  expect(tracked(["acme.com", "!acme.com/docs*"], "https://acme.com/docs/1")).toBe(false);
  expect(
    tracked(["acme.com", "!acme.com/docs*", "acme.com/docs/1"], "https://acme.com/docs/1"),
  ).toBe(true);
  expect(tracked(["!acme.com"], "https://x.zz")).toBe(true);
  expect(tracked(["!acme.com"], "https://acme.com/")).toBe(false);
});

test("patterns that are none are refused", () => {
  for (const bad of [
    "",
    "!",
    "ftp://acme.com",
    "a b.com",
    "acme.com/ x",
    "/path",
    "?x",
    "acme.com#x",
    "!!acme.com",
    "x".repeat(201),
    "(a+)+$",
  ])
    expect(parseClickPattern(bad)).toBeNull();
});

test("globs agree with the definition, and the worst of them is quick", async () => {
  const letters = fc
    .array(fc.constantFrom("a", "b", "*"), { maxLength: 8 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(letters, letters, (glob, text) => {
      const plain = text.replaceAll("*", "");
      expect(globMatches(glob, plain)).toBe(
        new RegExp(`^${glob.replaceAll("*", ".*")}$`).test(plain),
      );
    }),
    { numRuns: 3_000 },
  );
  const often = () => {
    for (let n = 0; n < 1_000; n++) globMatches(`${"*a".repeat(99)}b`, "a".repeat(1_500));
  };
  expect(await leastCostMs(often)).toBeLessThan(1_000);
});
