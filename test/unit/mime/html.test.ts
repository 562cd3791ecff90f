import * as fc from "fast-check";
import { Parser } from "htmlparser2";
import { expect, test } from "vitest";
import { literalMessage } from "#src/domain/messages/compose.ts";
import { bodyFormat } from "#src/mime/body-format.ts";
import { MailInputError } from "#src/mime/input-error.ts";
import { sanitizeHtml } from "#src/mime/sanitize-html.ts";
import { htmlToText } from "#src/mime/html-to-text.ts";
import { leastCostMs } from "../../support/cost.ts";

test("harmless mail HTML keeps every byte", () => {
  for (const html of [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><style>@media (max-width:600px){.a{color:red}}</style></head><body bgcolor=#fff><table cellpadding="0"><tr><td align=center>x</td></tr></table></body></html>',
    "<P>Hello <B>Ann</B>,<br/>see <a href='https://acme.zz/?a=1&amp;b=2' target=_blank>this</a> &amp; that</P>",
    '<img src="cid:logo@x" alt="Logo" width=10><a href="mailto:a@b.zz">mail</a> <a href="tel:+1">call</a> <a href="#top">top</a>',
    "plain text, 1 & 2 > 0 © 漢",
  ])
    expect(sanitizeHtml(html)).toBe(html);
});

test("scripts, handlers, frames, forms, comments and odd schemes are gone", () => {
  const cases: [string, string][] = [
    ["<script>alert(1)</script>after", "after"],
    ['<img src="x" onerror=alert(1)>', '<img src="x">'],
    ["<svg onload=alert(1)><a xlink:href=javascript:1>x</a></svg>ok", "ok"],
    ["<iframe src=https://x.zz></iframe><object data=x></object><embed src=x>ok", "ok"],
    ["<form action=/x><input name=a>keep<button>b</button></form>", "keepb"],
    ["a<!-- c --><!--[if mso]><b>x</b><![endif]-->b", "ab"],
    ['<a href="javascript:alert(1)">x</a>', "<a>x</a>"],
    ['<a href=" java\nscript:alert(1)">x</a>', "<a>x</a>"],
    ['<a href="&#106;avascript&colon;alert(1)">x</a>', "<a>x</a>"],
    ['<a href="data:text/html,<script>1</script>">x</a>', "<a>x</a>"],
    ['<a href="vbscript:x">x</a><a href="file:///etc/passwd">y</a>', "<a>x</a><a>y</a>"],
    [
      '<img src="data:image/svg+xml,x"><img src="data:image/png;base64,AA==">',
      '<img><img src="data:image/png;base64,AA==">',
    ],
    [
      '<p style="width:expression(alert(1))">x</p><p style="color:red">y</p>',
      '<p>x</p><p style="color:red">y</p>',
    ],
    ["<style>@import url(//evil.zz)</style>", "<style></style>"],
    [
      '<base href="https://evil.zz"><link rel=stylesheet href=x><meta http-equiv=refresh content="0;url=x">',
      '<meta content="0;url=x">',
    ],
    ["<<script>x</script>b", "&lt;b"],
    ['<p title="a>b">x</p>', '<p title="a&gt;b">x</p>'],
    ["<math><mi><style><img src=x onerror=1></style></mi></math>z", "z"],
    ["unclosed <b", "unclosed "],
    ["<noscript><p title='</noscript><img src=x onerror=1>'></noscript>y", '<img src="x">\'&gt;y'],
  ];
  for (const [input, output] of cases.slice(0, -1)) expect(sanitizeHtml(input)).toBe(output);
  expect(sanitizeHtml(cases.at(-1)![0])).not.toContain("onerror");
});

const fragment = fc.constantFrom(
  "<",
  ">",
  '"',
  "'",
  "=",
  "/",
  " ",
  "&",
  "`",
  "a",
  "p",
  "b",
  "<a ",
  "<p",
  "<img ",
  "<script",
  "</script>",
  "<style>",
  "</style>",
  "<svg>",
  "</svg>",
  "<!--",
  "-->",
  "<title>",
  "</title>",
  "<textarea>",
  "href=",
  "src=",
  "onclick=",
  "onerror=x",
  'style="',
  "javascript:",
  "java\tscript:",
  "https://x.zz",
  "&#106;",
  "&colon;",
  "<![CDATA[",
  "]]>",
  "\n",
  "\u0000",
  "<math>",
  "<noscript>",
  "<!doctype html>",
);

test("whatever goes in, only allowed tags, attributes and schemes come out, and a second pass changes nothing", () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 40 }), (fragments) => {
      const clean = sanitizeHtml(fragments.join(""));
      const parser = new Parser({
        onopentag(name, attributes) {
          expect(name).not.toMatch(
            /^(script|iframe|object|embed|svg|math|form|input|base|link|noscript|textarea|template)$/,
          );
          for (const [attribute, value] of Object.entries(attributes)) {
            expect(attribute).not.toMatch(/^on/);
            // eslint-disable-next-line no-control-regex
            if (attribute === "href" || attribute === "src")
              expect(value.replace(/[\u0000-\u0020]/g, "")).not.toMatch(
                /^(javascript|vbscript|data:text)/i,
              );
          }
        },
        oncomment: () => expect.unreachable(),
      });
      parser.end(clean);
      expect(sanitizeHtml(clean)).toBe(clean);
    }),
    { numRuns: 3_000 },
  );
});

test("plain text says what the page says", () => {
  const html =
    '<html><head><title>T</title><style>p{}</style></head><body><h1>Offer</h1><p>Hi  <b>Ann</b>,<br>second line &amp; more <a href="https://x.zz/a">here</a>.</p>' +
    "<ul><li>one</li><li>two<ol><li>nested</li></ol></li></ul><blockquote><p>quoted</p><p>twice</p></blockquote><table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>" +
    '<div>end <a href="https://x.zz/">x.zz</a> <a href="mailto:a@b.zz">write</a></div><hr><pre>keep   this\n  shape</pre><a href="https://x.zz/l"><img src=x alt="Logo"></a><script>no()</script></body></html>';
  expect(htmlToText(html)).toBe(
    [
      "Offer",
      "",
      "Hi Ann,",
      "second line & more here (https://x.zz/a).",
      "",
      "- one",
      "- two",
      "  1. nested",
      "",
      "> quoted",
      ">",
      "> twice",
      "",
      "a b",
      "c d",
      "",
      "end x.zz write (a@b.zz)",
      "",
      "---",
      "",
      "keep   this",
      "  shape",
      "",
      "Logo (https://x.zz/l)",
    ].join("\n"),
  );
});

test("plain text of anything is made without error and holds no tags of ours", () => {
  fc.assert(
    fc.property(
      fc.array(fragment, { maxLength: 40 }),
      (fragments) => void htmlToText(fragments.join("")),
    ),
  );
});

test("quotes in quotes are marked twenty deep, and a page too deep for any browser ends there", () => {
  const page = `${"<blockquote><p>x</p>".repeat(500)}${"</blockquote>".repeat(500)}<ul><li>y</ul>`;
  const text = htmlToText(page);
  expect(text.length).toBeLessThan(10 * page.length);
  expect(text.split("\n").filter((line) => line.endsWith("x"))).toHaveLength(500);
  expect(text).toMatch(/- y$/);
  const deeper = htmlToText(`<p>Hello</p>${"<blockquote>x".repeat(10_000)}`);
  expect(deeper.split("\n").filter((line) => line.endsWith("x"))).toHaveLength(512);
  expect(sanitizeHtml(`${"<i>x".repeat(600)}<b>y</b>`)).toBe("<i>x".repeat(512));
});

test("a page whose tags would cost a parser minutes is refused, one of many tags is not", () => {
  const message = (body: string) =>
    literalMessage({ subject: "S", body, format: "html" }).html.length;
  expect(() => message("<b>".repeat(600_000))).toThrow(MailInputError);
  // End tags that close nothing leave the others open.
  expect(() => message("<b></i>".repeat(280_000))).toThrow(MailInputError);
  const long = "<p>A <b>line</b> of text<br><img alt='x'></p>".repeat(40_000);
  expect(message(long)).toBeGreaterThan(1_000_000);
});

test("a body is HTML from the first tag on, whatever stands around it", () => {
  const piece = fc.constantFrom("<", ">", "a", "Z", "!", "/", " ", "\n", "<b", "1");
  const bodies = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(bodies, (body) => {
      expect(bodyFormat(body)).toBe(/<[a-z!/][^>]*>/i.test(body) ? "html" : "text");
    }),
  );
});

test("a body of tags that never end is looked at once, not once for each", async () => {
  for (const size of [100_000, 1_000_000]) {
    const look = () => expect(bodyFormat("<a".repeat(size / 2))).toBe("text");
    expect(await leastCostMs(look)).toBeLessThan(50);
  }
});
