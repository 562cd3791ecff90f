import { expect, test } from "vitest";
import { leadFields } from "#src/domain/research/personalization/preview.ts";
import type { ZeroResearchReason } from "#src/domain/research/personalization/research/report.ts";
import { ourRules } from "#src/domain/research/personalization/research/our-rules.ts";
import { forbids, readRobots } from "#src/domain/research/personalization/research/robots.ts";
import { hitsAbout } from "#src/domain/research/personalization/research/search.ts";
import type { Found } from "#src/domain/research/personalization/research/source.ts";
import { siteOf, subjectOf } from "#src/domain/research/personalization/research/subject.ts";
import { zeroReason } from "#src/domain/research/personalization/research/research.ts";
import { decodePage } from "#src/providers/web/decode.ts";

const found = (
  status: "ok" | "empty" | "failed" | "skipped",
  reason: ZeroResearchReason | null,
): Found => ({
  source: { name: "website", status, summary: "", meta: {}, from_cache: false },
  reason,
  cachedAt: null,
});

test.each([
  ["enough text", "x".repeat(200), [found("failed", "http_error")], null],
  [
    "a site that fails before a search that does",
    "",
    [found("failed", "http_error"), found("failed", "provider_error")],
    "http_error",
  ],
  [
    "what was asked before what was not",
    "",
    [found("skipped", "disabled"), found("empty", "too_short")],
    "too_short",
  ],
  [
    "nothing asked: what an operator can mend first",
    "",
    [found("skipped", "no_sources"), found("skipped", "disabled")],
    "disabled",
  ],
  ["nothing to go by", "", [found("skipped", "no_sources"), found("skipped", null)], "no_sources"],
  ["a little of everything", "short", [found("ok", null), found("ok", null)], "too_short"],
])("why there is nothing: %s", (_, text, sources, reason) => {
  expect(zeroReason(text, sources)).toBe(reason);
});

test.each([
  [{ website: "firm.zz" }, "https://firm.zz/"],
  [{ website: "http://firm.zz/de/?utm=1#a" }, "http://firm.zz/de/"],
  [{ website: "file:///etc/passwd" }, "file:///etc/passwd"],
  [{ website: "not a site" }, "not a site"],
  [{ email: "Ada@Sub.Firm.zz" }, "https://sub.firm.zz/"],
  [{ email: "ada@gmail.com" }, null],
  [{ email: "nobody" }, null],
  [{}, null],
])("where the company's site is: %j", (fields, site) => {
  expect(siteOf(subjectOf(fields))).toBe(site);
});

test("a subject is read from a lead's fields in either spelling, and from nothing else", () => {
  expect(
    subjectOf({ firstName: "Ada", last_name: "Byron", location: "Germany", company: 7 }),
  ).toMatchObject({
    fullName: "Ada Byron",
    country: "DE",
    company: null,
  });
});

test("robots.txt: none is no rule, trouble is a no, and what is not reached is not kept", () => {
  const kinds = [
    readRobots({ kind: "status", status: 404 }),
    readRobots({ kind: "status", status: 429 }),
    readRobots({ kind: "status", status: 503 }),
    readRobots({ kind: "refused", why: "" }),
    readRobots({ kind: "failed", reason: "too_many_redirects", detail: "" }),
    readRobots({ kind: "failed", reason: "timeout", detail: "" }),
  ].map(({ kind }) => kind);
  expect(kinds).toEqual([
    "everything",
    "nothing",
    "nothing",
    "everything",
    "everything",
    "unreachable",
  ]);
});

test.each([
  [
    "ours by name and by star",
    "User-Agent: OvertureBot/2.0 # us\nuser-agent:*\nDisallow: /a # why\n",
    "User-agent: overturebot\nUser-agent: *\nDisallow: /a",
  ],
  [
    "others' rules are not ours",
    "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nAllow: /",
    "User-agent: *\nAllow: /",
  ],
  [
    "one of several",
    "User-agent: a\nUser-agent: *\nUser-agent: *\nDisallow: /x",
    "User-agent: *\nDisallow: /x",
  ],
  [
    "a delay between two groups",
    "User-agent: *\nCrawl-delay: 9\nUser-agent: b\nDisallow: /",
    "User-agent: *\nDisallow:",
  ],
  ["a rule of nobody", "Disallow: /", ""],
  ["no robots.txt at all", "<!doctype html><p>a: b", ""],
  [
    "stars, of which one says it",
    "User-agent: *\nDisallow: /***a**$",
    "User-agent: *\nDisallow: /*a*$",
  ],
  [
    "no rule that is longer than a path, which ends the naming all the same",
    `User-agent: *\nDisallow: /${"a".repeat(2_000)}\nUser-agent: other\nDisallow: /`,
    "User-agent: *\nDisallow:",
  ],
  ["names that are code", "User-agent: __proto__\nDisallow: /", ""],
])("of a robots.txt we keep what concerns us: %s", (_, text, rules) => {
  expect(ourRules(text)).toBe(rules);
});

test("a long path is held against few rules, and left alone where the rules are many", () => {
  const long = new URL(`https://a.zz/news/${"a".repeat(8_000)}`);
  const few = "User-agent: *\nDisallow: /*.pdf$\nDisallow: /blog/*";
  expect(forbids(few, long)).toBe(false);
  expect(forbids(few, new URL("https://a.zz/blog/1"))).toBe(true);
  const many = `User-agent: *\n${"Disallow: /*a*b\n".repeat(1_000)}`;
  expect(forbids(many, new URL("https://a.zz/news/"))).toBe(false);
  expect(forbids(many, long)).toBe(true);
});

test("of search results those of the company are kept, hers first, each page once", () => {
  const hit = (url: string, title: string) => ({ url, title, snippet: "" });
  const hits = [
    hit("1", "Ada Byron of Elsewhere"),
    hit("2", "News of Zürich Robotics"),
    hit("3", "ada byron joins ZURICH robotics"),
    hit("2", "News of Zürich Robotics"),
    hit("4", "Zürich Roboticsland"),
  ];
  const subject = subjectOf({ full_name: "Ada Byron", company: "Zürich Robotics" });
  expect(hitsAbout(subject, hits).map(({ url }) => url)).toEqual(["3", "2"]);
  expect(hitsAbout(subjectOf({ full_name: "Ada Byron" }), hits).map(({ url }) => url)).toEqual([
    "1",
    "3",
  ]);
});

test("lead data goes by the names of an import, and no own field hides one of ours", () => {
  expect(
    leadFields({
      "First Name": "Ada",
      role: "CTO",
      LinkedIn: "in/ada",
      Company_Name: "A",
      Company: "B",
      company: "C",
      note: 1,
    }),
  ).toEqual({
    first_name: "Ada",
    title: "CTO",
    profile_url: "in/ada",
    Company_Name: "A",
    company: "B",
    note: 1,
  });
});

const bytes = (text: string) => new TextEncoder().encode(text);
test.each([
  [
    "a byte order mark before the header",
    new Uint8Array([0xff, 0xfe, 0x41, 0x00]),
    "text/html; charset=utf-8",
    "A",
  ],
  [
    "the header before the page",
    new Uint8Array([...bytes("<meta charset=utf-8>"), 0xe9]),
    "text/html; charset=ISO-8859-1",
    "<meta charset=utf-8>é",
  ],
  [
    "the page",
    new Uint8Array([
      ...bytes("<META http-equiv=x content='text/html; charset=windows-1251'>"),
      0xcc,
    ]),
    "text/html",
    "<META http-equiv=x content='text/html; charset=windows-1251'>М",
  ],
  ["an encoding nobody knows", bytes("é"), "text/html; charset=klingon", "é"],
  ["nothing, and valid UTF-8 that is cut off", bytes("aé").subarray(0, 2), "text/html", "a"],
  ["nothing, and no UTF-8", new Uint8Array([0x80]), "text/html", "€"],
  ["UTF-16 that cannot be", bytes("<meta charset=utf-16>é"), "text/html", "<meta charset=utf-16>é"],
])("a page is decoded by %s", (_, page, type, text) => {
  expect(decodePage(page, type)).toBe(text);
});
