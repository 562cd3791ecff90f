import fc from "fast-check";
import { expect, test } from "vitest";
import { planColumns, keyOf } from "../../../src/domain/people/leads/columns.ts";
import type { Lead, MailAlias } from "../../../src/console/api/schema.ts";
import {
  aliasBody,
  aliasChange,
  NEW_ALIAS,
  valuesOf,
} from "../../../src/console/pure/alias-form.ts";
import { choicesFor, mappingOf } from "../../../src/console/pure/column-choice.ts";
import { htmlNodes, type HtmlNode } from "../../../src/console/pure/html-nodes.ts";
import { customOf, leadBody, leadValues, NEW_LEAD } from "../../../src/console/pure/lead-form.ts";
import { recordsOf, rejectsCsv } from "../../../src/console/pure/rejects-csv.ts";
import { rampWords } from "../../../src/console/pure/sender-words.ts";
import { leastCostMs } from "../../support/cost.ts";

const lead = (custom: Record<string, unknown>): Lead =>
  ({
    ...Object.fromEntries(Object.keys(NEW_LEAD).map((name) => [name, null])),
    tags: [],
    custom,
  }) as unknown as Lead;

test("fields of one's own come through the form as they were, whatever they hold", () => {
  const key = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text !== "__proto__");
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 2 })), (custom) => {
      expect(customOf(leadValues(lead(custom)).custom)).toEqual(JSON.parse(JSON.stringify(custom)));
    }),
  );
});

test("a line is a field: numbers are numbers, a time of day is a text", () => {
  expect(customOf('team: Platform\nsize: 40\nat: 09:30\nzip: "01234"\n\nalone')).toEqual({
    team: "Platform",
    size: 40,
    at: "09:30",
    zip: "01234",
    alone: "",
  });
  expect(leadBody({ email: " ", tags: "a, ,b" })).toEqual({ email: null, tags: ["a", "b"] });
});

test("of an alias only what was changed is sent, and an account as a whole without its password", () => {
  const alias = {
    email: "a@b.zz",
    display_name: "A",
    domain_id: null,
    transport: { kind: "smtp", host: "h.zz", port: 587, security: "starttls", username: "u" },
    inbox: null,
    oauth: null,
    ramp: null,
    daily_limit: 50,
    min_interval_seconds: null,
    reply_to: null,
    signature: null,
  } as unknown as MailAlias;
  const values = valuesOf(alias);
  expect(aliasChange({ ...values, display_name: "B" }, { display_name: "B" })).toEqual({
    display_name: "B",
  });
  expect(aliasChange({ ...values, port: "465" }, { port: "465" })).toEqual({
    transport: { kind: "smtp", host: "h.zz", port: 465, security: "starttls", username: "u" },
  });
  expect(aliasChange({ ...values, is_ramped: true }, { is_ramped: true })).toEqual({
    ramp: { enabled: true, start: 10, step: 5, ceiling: 50 },
  });
  expect(aliasBody({ ...NEW_ALIAS, account: "google" })).toMatchObject({
    oauth: { provider: "google" },
  });
  expect(aliasBody({ ...NEW_ALIAS, account: "google" })).not.toHaveProperty("transport");
  // What is no number goes out as it was typed: the API says what is wrong.
  expect(aliasBody({ ...NEW_ALIAS, daily_limit: "many" }).daily_limit).toBe("many");
});

test("a column's own name is the one that an import gives it", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40 }), (header) => {
      const own = choicesFor({ header, guess: null, samples: [] }).find((each) =>
        each.startsWith("custom."),
      )!;
      // Taken as it is: a mapping to it is no fault.
      expect(planColumns([header], { [header]: own })).not.toBeTypeOf("string");
      const [column] = planColumns([header], {}) as { target: Parameters<typeof keyOf>[0] }[];
      const guess = keyOf(column!.target);
      if (guess?.startsWith("custom.") === true && !/^custom\.column_\d+$/.test(guess))
        expect(own).toBe(guess);
    }),
  );
  expect(mappingOf({ a: "", b: "email" })).toEqual({ a: null, b: "email" });
});

test("rejected rows come back as they stood, with the reason", () => {
  const file = '\uFEFFemail;name\r\nnobody;"A;\r\nB"\r\n\r\nx@y.zz;X\r\n=1+1;Z';
  expect(recordsOf(file)).toHaveLength(4);
  const text = rejectsCsv(file, [
    { row_index: 0, code: "INVALID_EMAIL", message: "is no address; really" },
    { row_index: 2, code: "INVALID_EMAIL", message: "=is none" },
  ]);
  expect(text).toBe(
    'email;name;reason\r\nnobody;"A;\r\nB";"is no address; really"\r\n=1+1;Z;\'=is none\r\n',
  );
  expect(rejectsCsv(null, [{ row_index: 4, code: "X", message: "a, b" }])).toBe(
    'row,code,reason\r\n5,X,"a, b"\r\n',
  );
});

const tags = (nodes: HtmlNode[]): string[] =>
  nodes.flatMap((node) => (typeof node === "string" ? [] : [node.tag, ...tags(node.children)]));
const words = (nodes: HtmlNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : words(node.children))).join("");

test("a mail is drawn of known elements, and a link leads to the web or to a mailbox alone", () => {
  const nodes = htmlNodes(
    '<!doctype html><style>p{}</style><p onclick="x()">A &amp; <b>B<i>C</b></p><script>alert(1)</script><a href="javascript:x()">j</a><a href=\'https://a.zz/?q=1&amp;b=2\'>k</a><img src=x alt="Logo"><iframe src=y>z</iframe>',
  );
  expect(words(nodes)).toBe("A & BCjk[Logo]");
  expect(tags(nodes)).toEqual(["p", "b", "i", "a", "a"]);
  const links = nodes.flatMap((node) =>
    typeof node === "string" || node.tag !== "a" ? [] : [node.href],
  );
  expect(links).toEqual([undefined, "https://a.zz/?q=1&b=2"]);
});

test("no markup makes an element that is not known, and it takes no longer than it is long", async () => {
  const soup = fc.array(
    fc.constantFrom(
      "<",
      ">",
      "script",
      "a",
      " href=",
      '"',
      "'",
      "/",
      "!--",
      "p",
      "javascript:",
      "x",
      "\n",
      "&#60;",
      "svg",
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(soup, (parts) => {
      const nodes = htmlNodes(parts.join(""));
      expect(tags(nodes).every((tag) => /^(p|a|s|b)$/.test(tag))).toBe(true);
      const check = (all: HtmlNode[]): boolean =>
        all.every(
          (node) =>
            typeof node === "string" ||
            (!/^\s*javascript/i.test(node.href ?? "") && check(node.children)),
        );
      expect(check(nodes)).toBe(true);
    }),
  );
  const long = () => {
    for (const unit of ["<a ", "<p>", "<!--"]) htmlNodes(unit.repeat(20_000));
  };
  expect(await leastCostMs(long)).toBeLessThan(5_000);
});

test("a ramp is said by its end", () => {
  const ramp = { enabled: true, start: 10, step: 5, ceiling: 50 };
  expect(rampWords({ ramp, daily_limit: 100, cap_today: 25 })).toBe(
    "ramping up: 5 more each day, 50 in 5 days",
  );
  expect(rampWords({ ramp, daily_limit: 40, cap_today: 40 })).toBe("ramped up to 40 a day");
  expect(rampWords({ ramp: null, daily_limit: 40, cap_today: 40 })).toBeNull();
});
