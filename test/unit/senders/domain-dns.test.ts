import fc from "fast-check";
import { expect, test } from "vitest";
import { readDnsJson, readTxt } from "#src/providers/dns/dns-json.ts";
import { agreed } from "#src/providers/dns/doh.ts";
import { readZone, txtData } from "../../../scripts/stack/dns/zone-file.ts";

test.each([
  ["unquoted", "v=spf1 -all", "v=spf1 -all"],
  ["quoted", '"v=spf1 -all"', "v=spf1 -all"],
  ["several strings", '"abc" "def"', "abcdef"],
  ["several strings without a blank", '"abc""def"', "abcdef"],
  ["escapes", '"a\\"b\\\\c\\059d"', 'a"b\\c;d'],
  ["UTF-8 as octets", '"\\195\\164"', "ä"],
  ["an empty string", '""', ""],
  ["a quote that does not end", '"abc', '"abc'],
])("TXT: %s", (_what, data, text) => {
  expect(readTxt(data)).toBe(text);
});

test("any printable text comes back from the strings of a zone file", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), (text) => {
      expect(readTxt(txtData(text))).toBe(text);
    }),
  );
});

const reply = (Status: number, Answer?: object[]) => JSON.stringify({ Status, Answer });
const txt = (name: string, data: string) => ({ name, type: 16, TTL: 1, data });
const cname = (name: string, data: string) => ({ name, type: 5, TTL: 1, data });

test("records, no such name, no such data and errors are told apart", () => {
  const read = (text: string) => readDnsJson(text, "A.zz.", "TXT");
  expect(read(reply(0, [txt("a.ZZ.", '"x"'), txt("a.zz", '"y"')]))).toEqual({
    kind: "records",
    records: ["x", "y"],
  });
  expect(read(reply(3))).toEqual({ kind: "no_name" });
  expect(read(reply(0))).toEqual({ kind: "no_data" });
  expect(read(reply(0, [txt("b.zz", '"x"')]))).toEqual({ kind: "no_data" });
  expect(read(reply(2))).toEqual({ kind: "error", reason: "SERVFAIL" });
  expect(read("<html>").kind).toBe("error");
  expect(read("{}").kind).toBe("error");
});

test("aliases are followed to their end, and a circle is an error", () => {
  const chain = [cname("a.zz", "B.zz."), cname("b.zz", "c.zz"), txt("c.zz", '"x"')];
  expect(readDnsJson(reply(0, chain), "a.zz", "TXT")).toEqual({ kind: "records", records: ["x"] });
  expect(readDnsJson(reply(0, chain), "a.zz", "CNAME")).toEqual({
    kind: "records",
    records: ["b.zz"],
  });
  expect(readDnsJson(reply(3, chain.slice(0, 2)), "a.zz", "TXT")).toEqual({ kind: "no_name" });
  const circle = [cname("a.zz", "b.zz"), cname("b.zz", "a.zz")];
  expect(readDnsJson(reply(0, circle), "a.zz", "TXT").kind).toBe("error");
});

test("resolvers have to agree; one that is silent leaves the word to the other only for what is there", () => {
  const x = { kind: "records" as const, records: ["x", "y"] };
  const turned = { kind: "records" as const, records: ["y", "x"] };
  const none = { kind: "no_name" as const };
  const silent = { kind: "error" as const, reason: "SERVFAIL" };
  expect(agreed([x, turned])).toEqual(x);
  expect(agreed([x, silent])).toEqual(x);
  expect(agreed([silent, x])).toEqual(x);
  expect(agreed([none, { kind: "no_data" }])).toEqual(none);
  expect(agreed([none, silent])).toEqual(silent);
  expect(agreed([x, none])).toEqual({ kind: "error", reason: "the resolvers do not agree" });
  expect(agreed([none])).toEqual(none);
});

test("a zone file is read with comments, classes and times to live, and a bad line is named", () => {
  expect(
    readZone(
      'A.zz. 60 IN TXT "a;b" ; note\n; nothing\n\nb.zz IN 30 CNAME C.zz.\n_dmarc.a.zz TXT v=DMARC1; p=none\na.zz MX  10   MX.a.zz.',
    ),
  ).toMatchObject([
    { name: "a.zz", ttl: 60, type: "TXT", data: '"a;b"' },
    { name: "b.zz", ttl: 30, type: "CNAME", data: "c.zz" },
    { name: "_dmarc.a.zz", ttl: 300, data: '"v=DMARC1; p=none"' },
    { type: "MX", data: "10 mx.a.zz." },
  ]);
  expect(() => readZone("a.zz A 192.0.2.1\nnonsense")).toThrow("line 2");
});
