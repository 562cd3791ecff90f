import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TemplateError } from "#src/domain/senders/templates/template-error.ts";
import { renderTemplate } from "#src/domain/senders/templates/template.ts";
import { inFull } from "../../../support/full.ts";

const html = (source: string, variables: Record<string, unknown>) =>
  renderTemplate(source, variables, "html", "seed");

test("what a template captures is HTML, and is escaped once, as what its filters add", () => {
  const at = { company: "AT&T", quote: `O'Brien "B" <i>` };
  const captured = "{% capture g %}<b>Hi</b> {{ company }}{% endcapture %}";
  for (const [source, text] of [
    ["<p>{{ g }}</p>", "<p><b>Hi</b> AT&amp;T</p>"],
    ["{{ g | append: company }}", "<b>Hi</b> AT&amp;TAT&amp;T"],
    ['{{ g | prepend: "<" | append: g }}', "&lt;<b>Hi</b> AT&amp;T<b>Hi</b> AT&amp;T"],
    ["{{ company | append: g }}", "AT&amp;T<b>Hi</b> AT&amp;T"],
    ['{{ g | strip | default: "x" }}', "<b>Hi</b> AT&amp;T"],
    ["{{ g | escape }}", "<b>Hi</b> AT&amp;T"],
    ["{% assign h = g %}{{ h | newline_to_br }}", "<b>Hi</b> AT&amp;T"],
    ["{% capture h %}{{ g }}!{% endcapture %}{{ h }}", "<b>Hi</b> AT&amp;T!"],
    ["{{ g | strip_html | upcase }}", "HI AT&amp;T"],
    ['{{ g.size }}{% if g contains "AT&T" %} yes{% endif %}', "14 yes"],
    ['{% if g == "<b>Hi</b> AT&T" %}same{% endif %}', "same"],
    ["{{ nobody | default: g }}", "<b>Hi</b> AT&amp;T"],
  ] as const)
    expect([source, html(captured + source, at)]).toEqual([source, { ok: true, text }]);
  expect(html("{% capture n %}{{ quote }}{% endcapture %}{{ n | upcase }}", at)).toEqual({
    ok: true,
    text: "O&#39;BRIEN &quot;B&quot; &lt;I&gt;",
  });
  expect(html("{% capture n %} {% endcapture %}{% if n == blank %}none{% endif %}", at)).toEqual({
    ok: true,
    text: "none",
  });
  expect(renderTemplate(`${captured}{{ g }}`, at, "text", "s")).toEqual({
    ok: true,
    text: "<b>Hi</b> AT&T",
  });
});

test("escape and newline_to_br before another filter are escaped once", () => {
  const lines = { company: "AT&T\n<b>" };
  for (const [source, text] of [
    ['{{ company | escape | append: "&" }}', "AT&amp;T\n&lt;b&gt;&amp;"],
    ["{{ company | escape | newline_to_br }}", "AT&amp;T<br>\n&lt;b&gt;"],
    ['{{ company | newline_to_br | append: "&" }}', "AT&amp;T<br>\n&lt;b&gt;&amp;"],
    [
      "{% assign a = company | newline_to_br %}{{ a | newline_to_br }}",
      "AT&amp;T<br><br>\n&lt;b&gt;",
    ],
    ['{{ nobody | newline_to_br | default: "<none>" }}', "&lt;none&gt;"],
  ] as const)
    expect([source, html(source, lines)]).toEqual([source, { ok: true, text }]);
  expect(html("{{ nobody | newline_to_br }}", lines)).toMatchObject({ ok: false });
});

test("whatever filters a lead's value goes through, captured or beside what is, its markup is text", () => {
  const evil = `<script>alert("1")</script>`;
  const operand = fc.constantFrom("evil", "g", "h", '"x"', '"<"', '""');
  const filter = fc.oneof(
    fc.constantFrom(
      ...[
        "escape",
        "escape_once",
        "newline_to_br",
        "strip",
        "lstrip",
        "squish",
        "upcase",
        "downcase",
      ],
      ...[
        "strip_newlines",
        "normalize_whitespace",
        "capitalize",
        "split: ' '",
        "join: ' '",
        "first",
        "last",
      ],
      ...[
        "truncate: 30",
        "truncatewords: 2, ''",
        "url_encode",
        "strip_html",
        "split: ''",
        "join: ''",
        "rstrip",
      ],
    ),
    operand.map((value) => `append: ${value}`),
    operand.map((value) => `prepend: ${value}`),
    operand.map((value) => `default: ${value}`),
    operand.map((value) => `remove: ${value}`),
    fc.tuple(operand, operand).map(([from, to]) => `replace: ${from}, ${to}`),
  );
  const chain = fc
    .tuple(operand, fc.array(filter, { maxLength: 4 }))
    .map(([value, filters]) => [value, ...filters].join(" | "));
  const rendered = (...given: Parameters<typeof html>) => {
    try {
      return html(...given);
    } catch (error) {
      // A text that doubles, or a filter without what it needs.
      expect(error).toBeInstanceOf(TemplateError);
      return { ok: false } as const;
    }
  };
  fc.assert(
    fc.property(chain, chain, chain, (one, two, three) => {
      const source = `{% capture g %}<i>&amp;</i>{{ evil }}{% endcapture %}{% assign h = ${one} %}{% capture g %}{{ ${two} }}{{ g }}{% endcapture %}{{ ${three} }}{{ g }}`;
      const result = rendered(source, { evil: `${evil} & 'x'\n&lt;i onclick=1>` });
      if (result.ok) expect(result.text.replace(/<\/?i>|<br>/g, "")).not.toMatch(/[<>]/);
    }),
    { numRuns: inFull(5_000, 500) },
  );
});
