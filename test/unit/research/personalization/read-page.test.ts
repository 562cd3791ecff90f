import { expect, test } from "vitest";
import { choosePages } from "#src/domain/research/personalization/research/choose-pages.ts";
import { organizationIn } from "#src/domain/research/personalization/research/organization.ts";
import {
  readPage,
  readPlainText,
} from "#src/domain/research/personalization/research/read-page.ts";

test("headings, paragraphs and list items are lines, and what surrounds a page is not", () => {
  const page = readPage(`<!doctype html><html><head><title> A &amp; B </title>
    <meta property="og:description" content="Open graph"><meta name="Description" content="Plain"></head>
    <body><nav><p>Menu</p></nav><header><h1>Head</h1></header><main><h1>One<br>two</h1>
    <p>A <b>bold</b>   word</p><ul><li>First<li>Second</ul><p hidden>Unseen</p>
    <p style="color:red;DISPLAY : none">Unseen</p><div aria-hidden="true"><p>Unseen</p></div></main>
    <form><p>Form</p></form><aside><p>Aside</p></aside><footer><p>Foot</p></footer><noscript><p>No</p></noscript></body>`);
  expect(page).toMatchObject({
    title: "A & B",
    description: "Plain",
    lines: ["One two", "A bold word", "First", "Second"],
    hasScripts: false,
  });
});

test("a page of boxes is read where they hold sentences, and not their labels", () => {
  const sentence = "This box has a whole sentence about what the company does.";
  expect(readPage(`<div>Label</div><section>${sentence}<div>Short</div></section>`).lines).toEqual([
    sentence,
  ]);
});

test("links are those for visitors, with their words, in menus too", () => {
  const { links } = readPage(
    `<nav><a href="/about"><span>About</span> us</a></nav><form><a href="/no">no</a></form><a>nowhere</a><p><a href="/x">x</a></p>`,
  );
  expect(links).toEqual([
    { href: "/about", text: "About us" },
    { href: "", text: "nowhere" },
    { href: "/x", text: "x" },
  ]);
});

test("a page is bounded in lines, in their length and in links", () => {
  const { lines, links, title } = readPage(
    `<title>${"t".repeat(5_000)}</title>${`<p>${"word ".repeat(1_000)}</p><a href="/a">a</a>`.repeat(1_000)}`,
  );
  expect([lines.length, links.length, title.length]).toEqual([200, 300, 500]);
  expect(Math.max(...lines.map((line) => line.length))).toBe(600);
});

test.each([
  [
    "a company",
    { "@type": "Organization", name: "A", foundingDate: 1999 },
    "company: A; founded: 1999",
  ],
  [
    "one in a graph, with a place",
    {
      "@graph": [
        { "@type": "WebSite" },
        {
          "@type": ["Thing", "Corporation"],
          name: "B",
          address: { addressLocality: "Ulm", addressCountry: "DE" },
        },
      ],
    },
    "company: B; in: Ulm, DE",
  ],
  [
    "a number of employees",
    [{ "@type": "NGO", numberOfEmployees: { value: 12 } }],
    "employees: 12",
  ],
  ["none", { "@type": "Person", name: "C" }, ""],
  ["types that are no words", { "@type": { toString: 1, valueOf: 1 } }, ""],
  [
    "values that are none",
    { "@type": "Organization", name: { value: { value: "x" } }, slogan: [] },
    "",
  ],
])("JSON-LD: %s", (_, data, said) => {
  expect(organizationIn(JSON.stringify(data))).toBe(said);
});

test("JSON-LD that is none, or nested beyond reason, says nothing", () => {
  for (const json of [
    "",
    "{",
    "null",
    "[".repeat(60_000),
    `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
  ])
    expect(organizationIn(json)).toBe("");
});

test("of a site's links one of each kind is chosen, and no other site's", () => {
  const links = [
    ["https://elsewhere.zz/about", "About"],
    ["/blog/2026/a-long-post", "A post"],
    ["/ueber-uns.html?utm_source=x#top", "Über uns"],
    ["/team", "Team"],
    ["https://www.firm.zz/de/aktuelles/", "Neues"],
    ["/x7", "Careers"],
    ["javascript:void(0)", "News"],
    ["http://[bad", "News"],
    ["mailto:jobs@firm.zz", "Jobs"],
    [`/${"a".repeat(200)}/news`, "News"],
  ].map(([href, text]) => ({ href: href!, text: text! }));
  expect(choosePages("https://firm.zz/", links)).toEqual([
    "https://firm.zz/ueber-uns.html",
    "https://www.firm.zz/de/aktuelles/",
    "https://firm.zz/x7",
  ]);
});

test("plain text is its lines", () => {
  expect(readPlainText("One\r\n\n  two\u0000 \n").lines).toEqual(["One", "two"]);
});
