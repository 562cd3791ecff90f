import * as fc from "fast-check";
import { expect, test } from "vitest";
import { expandSpintax } from "#src/domain/senders/templates/spintax.ts";
import {
  renderTemplate,
  templateVariables,
  unresolvedPlaceholders,
} from "#src/domain/senders/templates/template.ts";
import { TemplateError } from "#src/domain/senders/templates/template-error.ts";
import { inFull } from "../../../support/full.ts";
import { leastCostMs } from "../../../support/cost.ts";

const lead = {
  first_name: "Ann",
  company: "",
  bio: "one\ntwo",
  title: null,
  custom: { plan: "pro" },
  tags: ["x", "y"],
};
const html = (source: string, variables: Record<string, unknown> = lead) =>
  renderTemplate(source, variables, "html", "seed");
const thrown = (work: () => unknown): TemplateError => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError);
    return error as TemplateError;
  }
  throw new Error("did not throw");
};

test("variables, properties and conditions resolve", () => {
  expect(
    html("{{ first_name }} {{ custom.plan }} {% if company %}A{% else %}B{% endif %} {{ tags }}"),
  ).toEqual({ ok: true, text: "Ann pro B x, y" });
});

test("absent, null and blank variables are missing wherever they are written without a default", () => {
  expect(
    html("{{ first_name }} {{ company }} {{ title }} {{ nope.deep }} {{ nobody | upcase }}"),
  ).toEqual({
    ok: false,
    missing: ["company", "title", "nope", "nobody"],
  });
});

test("a list without anything in it is missing too, unless a default stands", () => {
  const lead = { tags: [], custom: { tools: ["", null, []] } };
  const source = "I saw {{ tags | join: ', ' }} and {{ custom.tools }}.";
  expect(renderTemplate(source, lead, "text", "seed")).toEqual({
    ok: false,
    missing: ["tags", "custom.tools"],
  });
  expect(
    renderTemplate(
      "{{ tags | default: 'none' }}{% if tags contains 'vip' or tags.size > 0 %}!{% endif %}",
      lead,
      "text",
      "seed",
    ),
  ).toEqual({ ok: true, text: "none" });
});

test("a default anywhere in the chain makes up for a missing variable", () => {
  expect(html('{{ company | default: "you" }} {{ company | upcase | default: "you" }}')).toEqual({
    ok: true,
    text: "you you",
  });
  expect(html('{% if first_name %}{{ nope | upcase | default: "late" }}{% endif %}')).toEqual({
    ok: true,
    text: "late",
  });
});

test("a default stands as it is, whatever filters the missing value went through before it", () => {
  for (const [source, text] of [
    ['{{ team | append: " team" | default: "your team" }}', "your team"],
    ['{{ nobody | prepend: "Hi " | default: "Hello" }}', "Hello"],
    ['{{ n | plus: 1 | default: "several" }}', "several"],
    ['{{ n | escape | default: "<none>" | upcase }}', "&lt;NONE&gt;"],
    ['{{ first_name | append: " team" | default: "your team" }}', "Ann team"],
    ['{{ company | default: "a" | append: "b" | default: "c" }}', "ab"],
  ] as const)
    expect([source, html(source)]).toEqual([source, { ok: true, text }]);
  expect(html("{{ company | default: nobody }}")).toMatchObject({ ok: false });
  expect(html("{{ company | append: nobody | default: 'x' }}")).toMatchObject({ ok: false });
});

test("conditions may ask for what is missing, and guard it", () => {
  expect(
    html("{% if company %}at {{ company }}{% endif %}.{% unless title %}no title{% endunless %}"),
  ).toEqual({ ok: true, text: ".no title" });
});

test("an output that comes to nothing is missing too", () => {
  expect(html('{% assign who = nope %}Hi {{ who }} {{ "" | split: "," | first }}')).toEqual({
    ok: false,
    missing: ["who", '"" | split: "," | first'],
  });
});

test("HTML is escaped, once, and no filter escapes from it", () => {
  const evil = { name: `<b onclick="x">&'` };
  const escaped = "&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;";
  for (const source of ["{{ name }}", "{{ name | escape }}", "{{ name | escape_once }}"])
    expect(html(source, evil)).toEqual({ ok: true, text: escaped });
  expect(html("{{ name | newline_to_br }}", { name: "a\n<b>" })).toEqual({
    ok: true,
    text: "a<br>\n&lt;b&gt;",
  });
  expect(thrown(() => html("{{ name | raw }}", evil)).message).toContain("raw");
});

test("text is not escaped; a subject is one line whatever the lead's data hold", () => {
  const evil = { name: "Ann & Co\r\nBcc: x@y.zz\u0000" };
  expect(renderTemplate("Hi {{ name }}\n\nbye", { name: "<Ann & Co>" }, "text", "s")).toEqual({
    ok: true,
    text: "Hi <Ann & Co>\n\nbye",
  });
  expect(renderTemplate("Hi\n {{ name }}", evil, "subject", "s")).toEqual({
    ok: true,
    text: "Hi Ann & Co Bcc: x@y.zz",
  });
});

test("lead data is never read as a template, and unfilled braces are never sent", () => {
  const result = html("Hi {{ first_name }}", { first_name: "{{ secret }}", secret: "S" });
  expect(result).toEqual({ ok: false, missing: ["{{ secret }}"] });
  expect(html("Hi {{ first_name }}", { first_name: "{a|b}" })).toEqual({
    ok: true,
    text: "Hi {a|b}",
  });
  expect(unresolvedPlaceholders("a {{x}} {% if %} {y} }}")).toEqual(["{{x}}", "{% if %}"]);
});

test("nothing inherited is reachable", () => {
  for (const path of [
    "constructor",
    "__proto__",
    "first_name.constructor",
    "custom.__proto__",
    "toString",
    "custom.hasOwnProperty",
  ])
    expect(html(`{{ ${path} }}`)).toMatchObject({ ok: false });
});

test("loops, includes and other tags are refused at reading, with their line", () => {
  for (const tag of [
    "for x in tags",
    "tablerow x in tags",
    "include 'a'",
    "render 'a'",
    "layout 'a'",
    "block a",
    "raw",
    "liquid echo 1",
    "cycle 1",
    "increment a",
  ]) {
    const error = thrown(() => templateVariables(`Hi\nyou {% ${tag} %}`));
    expect(error).toMatchObject({ kind: "syntax", line: 2 });
  }
});

test("texts that double are stopped", () => {
  const bombs = [
    `{% assign a = "xxxxxxxxxx" %}${"{% assign a = a | append: a %}".repeat(40)}{{ a }}`,
    `{% capture a %}xxxxxxxxxx{% endcapture %}${"{% capture a %}{{ a }}{{ a }}{% endcapture %}".repeat(40)}{{ a }}`,
    `{% assign a = "xxxxxxxxxx" %}${'{% assign a = a | replace: "x", a %}'.repeat(8)}{{ a }}`,
  ];
  for (const bomb of bombs) expect(thrown(() => html(bomb)).kind).toBe("limit");
  expect(thrown(() => html("x".repeat(60_001))).kind).toBe("limit");
});

test("a syntax error tells line and column", () => {
  expect(thrown(() => html("one\ntwo {{ first_name"))).toMatchObject({
    kind: "syntax",
    line: 2,
    column: 5,
  });
  expect(thrown(() => html("{{ first_name | nope }}")).message).toContain("nope");
  expect(thrown(() => html("{% if first_name %}")).kind).toBe("syntax");
});

test("dates can be formatted, but no template knows the time of day", () => {
  expect(html('{{ when | date: "%d %B %Y" }}', { when: "2026-01-02T23:30:00Z" })).toEqual({
    ok: true,
    text: "02 January 2026",
  });
  expect(thrown(() => html('{{ "now" | date: "%Y" }}')).message).toContain("current time");
});

test("the variables of a template, spintax alternatives and conditions included", () => {
  const source =
    "Hi {there|{{ first_name }}} {% if company %}{{ sender.full_name | default: other }}{% endif %}{% assign a = 1 %}{{ a }}";
  expect(templateVariables(source)).toEqual(["company", "first_name", "other", "sender.full_name"]);
});

test("spintax chooses one alternative, the same for the same seed, each for some seed", () => {
  const source = "{Hi|Hello|Hey {{ first_name }}}, {how {are|goes}|what} now?";
  expect(expandSpintax(source, "a")).toBe(expandSpintax(source, "a"));
  const seen = new Set(
    Array.from({ length: 200 }, (_, index) => expandSpintax(source, `lead-${index}`)),
  );
  expect(seen.size).toBe(9);
  for (const text of seen)
    expect(text).toMatch(/^(Hi|Hello|Hey \{\{ first_name \}\}), (how are|how goes|what) now\?$/);
});

test("spintax leaves Liquid, style sheets and braces without a bar alone", () => {
  for (const source of [
    '{{ a | default: "x" }}',
    "{% if a == 'x|y' %}b{% endif %}",
    "<style>a{b|c}</style>",
    "{plain} { } }",
    "a | b",
    "{open|for ever",
    "{{ unclosed | x",
  ])
    expect(expandSpintax(source, "s")).toBe(source);
});

test("letters that are longer in lower case shift no output behind them", () => {
  const source = "İİ {{ first_name | upcase }} <STYLE>a{b|c}</Style> {x|x}";
  expect(expandSpintax(source, "s")).toBe(source.replace("{x|x}", "x"));
});

test("spintax without groups is the identity, and long rows of braces take no long time", async () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, seed) => {
      fc.pre(!text.includes("|"));
      expect(expandSpintax(text, seed)).toBe(text);
    }),
  );
  const long = () => {
    for (const unit of ["{", "{{", "{%", "{a|", "<style", "}"])
      expandSpintax(unit.repeat(Math.floor(60_000 / unit.length)), "s");
  };
  expect(await leastCostMs(long)).toBeLessThan(2_000);
});

test("a text that is written to many says to each what it would say to them alone", () => {
  const source =
    '{% assign name = first_name %}{% if company %}{{ company }}{% else %}-{% endif %} {{ name | upcase | append: "!" }} {{ nick | upcase | default: "friend" }}{% capture name %}{{ last_name | default: "none" }}{% endcapture %} {{ name }}';
  const value = fc.option(fc.stringMatching(/^[a-z]{1,5}$/), { nil: undefined });
  const person = fc.record({ first_name: value, last_name: value, company: value, nick: value });
  fc.assert(
    fc.property(fc.array(person, { minLength: 2, maxLength: 5 }), fc.nat(), (people, salt) => {
      for (const each of people) {
        const among = html(source, each);
        // A source of its own, which nobody has read before.
        const alone = html(`${salt}.${JSON.stringify(each).length}:${source}`, each);
        expect(among.ok).toBe(alone.ok);
        if (among.ok && alone.ok) expect(among.text).toBe(alone.text.replace(/^[\d.]+:/, ""));
        else expect(among).toEqual(alone);
      }
    }),
  );
});

test("a number that is none is no value: the lead is skipped, or the default used", () => {
  expect(html("{{ 1 | divided_by: 0 }}")).toEqual({ ok: false, missing: ["1 | divided_by: 0"] });
  expect(html("{{ 1 | divided_by: 0 | append: '%' }}")).toMatchObject({ ok: false });
  expect(html("{{ 5 | modulo: 0 | default: 'none' }}")).toEqual({ ok: true, text: "none" });
  expect(html("{{ 1 | divided_by: 0 | round | append: '%' | default: 'none' }}")).toEqual({
    ok: true,
    text: "none",
  });
});

test("tags nested too deeply are said to be, not a defect of ours", () => {
  const nested = (depth: number) => `${"{% if a %}".repeat(depth)}x${"{% endif %}".repeat(depth)}`;
  expect(html(nested(100))).toEqual({ ok: true, text: "" });
  for (const depth of [101, 2_700]) {
    const error = thrown(() => html(nested(depth)));
    expect(error).toMatchObject({ kind: "limit", message: "tags are nested more than 100 deep" });
  }
});

test("a text has at most 100 distinct variables", () => {
  const withVariables = (count: number) =>
    Array.from({ length: count }, (_, at) => `{{ v${at} }} {{ v${at} }}`).join("");
  expect(templateVariables(withVariables(100))).toHaveLength(100);
  expect(thrown(() => templateVariables(withVariables(101))).message).toBe(
    "a text has at most 100 distinct variables, this one has 101",
  );
});

test("a template of nothing but variables says what Liquid makes of it, whatever the values are", () => {
  const words = ["true", "false", "nil", "null", "empty", "blank", "not", "and", "or", "contains"];
  const names = ["a", "b", "list", "_x1", "deep", "size", "first", "last", ...words];
  const name = fc.constantFrom("B-2", ...names);
  const variable = fc
    .tuple(fc.constantFrom("", " ", "\n"), fc.array(name, { minLength: 1, maxLength: 6 }))
    .map(([blank, path]) => `{{${blank}${path.join(".")}${blank}}}`);
  const text = fc.constantFrom("", "Hi ", "<p>", "{", "}", "{}", "&amp;", "{{ '}' }}", "{{- a }}");
  const leaf = fc.oneof(
    fc.constantFrom(...["Ann & <b>", " ", "", "{{ a }}", "{% if %}", "x".repeat(60_000), "ñ"]),
    fc.constantFrom(0, -1.5, Number.NaN, Infinity, true, false, null, undefined, new Date(0)),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 6 }, leaf, fc.array(leaf, { maxLength: 2 }), tie("tree")),
    tree: fc.dictionary(fc.constantFrom("toString", ...names), tie("any")),
  })).any;
  const variables = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 8 });
  const template = fc.array(fc.oneof(variable, text), { maxLength: 5 }).map((all) => all.join(""));
  const outcome = (source: string, values: Record<string, unknown>, context: "html" | "text") => {
    try {
      return renderTemplate(source, values, context, "seed");
    } catch (error) {
      return error instanceof TemplateError ? error.kind : String(error);
    }
  };
  fc.assert(
    fc.property(template, variables, fc.constantFrom("html", "text"), (source, values, context) => {
      // The tag says nothing, and leaves the whole to Liquid.
      expect(outcome(`${source}|`, values, context)).toEqual(
        outcome(`${source}|{% comment %}{% endcomment %}`, values, context),
      );
    }),
    { numRuns: inFull(2_000, 400) },
  );
}, 60_000);
