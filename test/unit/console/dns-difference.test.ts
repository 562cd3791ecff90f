import fc from "fast-check";
import { expect, test } from "vitest";
import { bindText } from "../../../src/console/pure/bind-text.ts";
import { dnsDifference, isOpen, type Piece } from "../../../src/console/pure/dns-difference.ts";

const marked = (pieces: Piece[], kind: Piece["kind"]) =>
  pieces.filter((each) => each.kind === kind).map(({ text }) => text.trim());
const whole = (pieces: Piece[]) => pieces.map(({ text }) => text).join("");

test.each([
  [
    "v=spf1 include:mail.example ~all",
    "v=spf1 include:other.example ~all",
    "include:mail.example",
    "include:other.example",
  ],
  ["v=spf1 include:mail.example ~all", "v=spf1 ~all", "include:mail.example", undefined],
  ["v=DMARC1; p=none", "v=DMARC1; p=reject; adkim=s", "p=none", "p=reject; adkim=s"],
  ["10 mail.example", "10 old.example.", "mail.example", "old.example."],
])("%s beside %s", (expected, found, lacking, extra) => {
  const difference = dnsDifference(expected, found);
  expect(marked(difference.expected, "lacking")[0]).toBe(lacking);
  expect(marked(difference.found, "extra")[0]).toBe(extra);
});

test.each([
  ["10 mail.example", "10 MAIL.example."],
  ["v=DMARC1; p=none", "v=DMARC1;p=none;"],
  ["v=DKIM1; k=rsa; p=MIIB", "v=DKIM1;  k=rsa;p=MIIB"],
])("%s is %s to DNS, and nothing is marked", (expected, found) => {
  const { expected: left, found: right } = dnsDifference(expected, found);
  expect([...left, ...right].filter(({ kind }) => kind !== "same")).toEqual([]);
});

test("of one word its middle is marked", () => {
  const { expected, found } = dnsDifference("overture-domain=1a2b", "overture-domain=1x2b");
  expect([marked(expected, "lacking"), marked(found, "extra")]).toEqual([["a"], ["x"]]);
});

test("of a long key its middle is marked, as of a word", () => {
  const key = (middle: string) =>
    `v=DKIM1; k=rsa; p=MII${"A".repeat(50)}${middle}${"B".repeat(50)}`;
  const { expected, found } = dnsDifference(key("x"), key("y"));
  expect([marked(expected, "lacking"), marked(found, "extra")]).toEqual([["x"], ["y"]]);
});

const records = fc.oneof(
  fc.string({ maxLength: 400 }),
  fc
    .array(fc.constantFrom("v=spf1", "~all", "include:a", " ", ";", "p=none", "="), {
      maxLength: 30,
    })
    .map((parts) => parts.join(" ")),
);

test("whatever is compared, the pieces are the texts again and share one common row", () => {
  fc.assert(
    fc.property(records, records, (expected, found) => {
      const difference = dnsDifference(expected, found);
      expect(whole(difference.expected)).toBe(expected);
      expect(whole(difference.found)).toBe(found);
      expect(marked(difference.expected, "extra")).toEqual([]);
      expect(marked(difference.found, "lacking")).toEqual([]);
      const itself = dnsDifference(expected, expected);
      expect(itself.expected.filter(({ kind }) => kind !== "same")).toEqual([]);
    }),
  );
});

test("two records of any length are compared in time", () => {
  const long = "a;".repeat(30_000);
  expect(whole(dnsDifference(long, `${long}b`).found)).toBe(`${long}b`);
});

test("a zone file takes the records: long texts in parts, quotes escaped, hosts with their dot", () => {
  const text = bindText("a.example", [
    { type: "TXT", host: "_x.a.example", expected: `say "hi" \\ ${"k".repeat(300)}` },
    { type: "MX", host: "bounce.a.example", expected: "10 mx.b.example" },
    { type: "MX", host: "a.example", expected: "<the mail host that takes replies>" },
  ]);
  const [title, txt, mx, open] = text.split("\n");
  expect(title).toBe("; Records of a.example");
  const parts = [...txt!.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part]) =>
    part!.replace(/\\(.)/g, "$1"),
  );
  expect(parts.join("")).toBe(`say "hi" \\ ${"k".repeat(300)}`);
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(255);
  expect(mx).toMatch(/^bounce\.a\.example\. +3600 IN MX +10 mx\.b\.example\.$/);
  expect(open).toMatch(/^; fill in: a\.example\./);
  expect(isOpen("<the mail host that takes replies>")).toBe(true);
});
