import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJsonc, SyntaxFault } from "#src/cli/jsonc.ts";
import { secretAt, secretsIn } from "#src/cli/secrets.ts";
import { plain } from "#src/cli/terminal.ts";

describe("JSON with comments", () => {
  test("is read as JSON reads what is JSON, whatever it is", () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (text, isSpread) => {
        const written = isSpread ? JSON.stringify(JSON.parse(text), null, 2) : text;
        let read;
        try {
          read = readJsonc(written).value;
        } catch (error) {
          // A member that is said twice is no mistake of JSON's.
          expect((error as Error).message).toMatch(/said twice/);
          return;
        }
        expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test("has comments, commas at ends, and the place of each value", () => {
    const text =
      '\\ufeff// a\\n{ /* b\\n{ */ "a": [1, {"b/c": "// no",},], // c\\n  "d": null,\\n}\\n'
        .replaceAll("\\n", "\n")
        .replace("\\ufeff", "\ufeff");
    const { value, places } = readJsonc(text);
    expect(value).toEqual({ a: [1, { "b/c": "// no" }], d: null });
    expect(places.get("/a")).toEqual({ line: 3, column: 6 });
    expect(places.get("/a/0")).toEqual({ line: 3, column: 12 });
    expect(places.get("/a/1/b~1c")).toEqual({ line: 3, column: 16 });
    expect(places.get("/d")).toEqual({ line: 4, column: 3 });
  });

  test.each([
    ["", 1, 1, /value is expected/],
    ["{", 1, 2, /string in double quotes/],
    ['{"a" 1}', 1, 6, /colon/],
    ['{\n "a": 1\n "b": 2}', 3, 2, /comma or \}/],
    ["[1 2]", 1, 4, /comma or \]/],
    ["[,]", 1, 2, /value is expected/],
    ["{'a': 1}", 1, 2, /double quotes/],
    ['{"a": 01}', 1, 8, /comma/],
    ['"\\x"', 1, 1, /escape/],
    ['"a\nb"', 1, 1, /double quotes/],
    ["/* {", 1, 1, /comment does not end/],
    ["{} {}", 1, 4, /behind the end/],
    ['{"a": 1,\n "a": 2}', 2, 2, /"a" is said twice/],
    ['{"a": 1, "\\u0061": 2}', 1, 10, /"a" is said twice/],
    ["[".repeat(70), 1, 66, /nested too deep/],
    ["NaN", 1, 1, /value is expected/],
  ])("%j is refused at %d:%d", (text, line, column, message) => {
    expect.assertions(3);
    try {
      readJsonc(text);
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxFault);
      expect((error as Error).message).toMatch(message);
      expect((error as SyntaxFault).place).toEqual({ line, column });
    }
  });

  test("a member named __proto__ is one like others, and changes nothing else", () => {
    const { value } = readJsonc('{"__proto__": {"isAdmin": true}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe("secrets", () => {
  test.each([
    [`svc_${"live_"}${"a".repeat(43)}`, true],
    [`whsec_${"A".repeat(44)}`, true],
    [`0x${"ab".repeat(32)}`, true],
    ["-----BEGIN EC PRIVATE KEY-----", true],
    ["smtp://me:hunter2@mail.zz", true],
    [`AKIA${"Z".repeat(16)}`, true],
    ["Hello {{ first_name }}, how is password managing going?", false],
    ["https://example.com/a@b:c", false],
    ["risk-averse-task-management-for-all", false],
    ["2027/spring-outreach", false],
  ])("%j is one: %s", (text, isSecret) => {
    expect(secretAt(text) !== null).toBe(isSecret);
    expect(secretsIn({ a: [text] }).map(({ pointer }) => pointer)).toEqual(
      isSecret ? ["/a/0"] : [],
    );
  });

  test("a name says it, too, whatever it holds", () => {
    expect(secretsIn({ smtp: { Password: null } })).toEqual([
      { pointer: "/smtp/Password", what: "what its name says" },
    ]);
  });
});

test("what came from elsewhere moves no cursor, and turns no text around", () => {
  expect(plain("a\u001b[2Jb\r\nc\u202ed")).toBe("a\\u001b[2Jb\\u000d\\u000ac\\u202ed");
});
