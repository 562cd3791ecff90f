import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createJsonRowsReader } from "#src/http/json-rows.ts";

class Refused extends Error {}

function read(text: string, { piece = text.length || 1, items = 1e6, characters = 1e6 } = {}) {
  const reader = createJsonRowsReader("rows", {
    items,
    characters,
    refuse: (why) => new Refused(why),
  });
  for (let at = 0; at < text.length; at += piece) reader.push(text.slice(at, at + piece));
  return reader.end();
}

/** What came of it: the value, or that it is no JSON. */
function outcome(work: () => unknown): unknown {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof SyntaxError) return "no JSON";
    throw error;
  }
}

test("any value comes out as it went in, wherever the text is cut", () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.record({ rows: fc.array(fc.jsonValue()), mapping: fc.jsonValue() }, { requiredKeys: [] }),
  );
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 40 }), fc.boolean(), (given, piece, wide) => {
      const text = JSON.stringify(given, null, wide ? 2 : 0);
      expect(read(text, { piece })).toEqual(JSON.parse(text));
    }),
    { numRuns: 2_000 },
  );
});

test("text that was damaged is refused where JSON.parse refuses it, and read where it reads it", () => {
  const good = '{"a":[1,{"b":"]\\"}"}],"rows":[{"x":"\\\\"},[],"t",-1.5e3,null,true] , "m" : {} }';
  fc.assert(
    fc.property(
      fc.nat(good.length),
      fc.nat(3),
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\ 1tn\n'), maxLength: 3 }),
      fc.integer({ min: 1, max: 9 }),
      (at, cut, put, piece) => {
        const text = good.slice(0, at) + put + good.slice(at + cut);
        expect(outcome(() => read(text, { piece }))).toEqual(outcome(() => JSON.parse(text)));
      },
    ),
    { numRuns: 5_000 },
  );
});

test.each([
  '{"rows":[1],"rows":[2,3]}',
  '{"rows":1,"rows":[2]}',
  '{"rows":[2],"rows":{"a":[1]}}',
  '{"__proto__":{"a":1},"rows":[{"__proto__":1}]}',
  " \t\r\n{ } ",
  "[1]",
  '"rows"',
  "17",
])("%s is what JSON.parse makes of it", (text) => {
  expect(JSON.stringify(read(text, { piece: 1 }))).toBe(JSON.stringify(JSON.parse(text)));
});

describe("limits", () => {
  test("of items: the first too many ends it, whatever follows", () => {
    expect(read('{"rows":[1,2]}', { items: 2 })).toEqual({ rows: [1, 2] });
    expect(() => read('{"rows":[1,2,3,', { items: 2 })).toThrow(new Refused("items"));
  });

  test("of characters: an item is given up before it is whole", () => {
    const long = `{"mapping":"${"m".repeat(99)}","rows":["${"x".repeat(8)}"`;
    expect(read(`${long}]}`, { characters: 10 })).toMatchObject({ rows: ["xxxxxxxx"] });
    expect(() => read(long, { characters: 9 })).toThrow(new Refused("characters"));
  });
});
