import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSheetUrl } from "#src/domain/people/leads/sheet-url.ts";

const ID = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms";
const at = (rest: string) => `https://docs.google.com/spreadsheets/${rest}`;

describe("a sheet's address", () => {
  test.each([
    [at(`d/${ID}`), null],
    [at(`d/${ID}/`), null],
    [at(`d/${ID}/edit`), null],
    [at(`d/${ID}/edit#gid=0`), 0],
    [at(`d/${ID}/edit?gid=12#gid=34`), 34],
    [at(`d/${ID}/edit?usp=sharing&gid=12`), 12],
    [at(`d/${ID}/edit?usp=drive_link&resourcekey=0-a_b#gid=5&range=A1:B2`), 5],
    [at(`d/${ID}/htmlview`), null],
    [at(`u/0/d/${ID}/edit#gid=7`), 7],
    [`https://docs.google.com/a/acme.com/spreadsheets/d/${ID}/edit`, null],
    [`HTTP://DOCS.GOOGLE.COM/spreadsheets/d/${ID}/view`, null],
  ])("%s is read", (url, gid) => {
    expect(parseSheetUrl(url)).toEqual({ spreadsheetId: ID, gid });
  });

  test("that is only published has words of its own", () => {
    expect(parseSheetUrl(at("d/e/2PACX-1vQabc/pubhtml"))).toMatch(/Publish to web/);
    expect(parseSheetUrl(at("u/1/d/e/2PACX-1vQabc/pub?output=csv"))).toMatch(/Publish to web/);
  });
});

describe("no sheet's address is", () => {
  test.each([
    "",
    "sheet",
    ID,
    `docs.google.com/spreadsheets/d/${ID}`,
    `ftp://docs.google.com/spreadsheets/d/${ID}`,
    `javascript://docs.google.com/spreadsheets/d/${ID}`,
    `https://docs.google.com`,
    `https://docs.google.com/document/d/${ID}/edit`,
    `https://drive.google.com/file/d/${ID}/view`,
    `https://sheets.google.com/spreadsheets/d/${ID}`,
    `https://docs.google.com.evil.example/spreadsheets/d/${ID}`,
    `https://evil.example/docs.google.com/spreadsheets/d/${ID}`,
    `https://evil.example/?https://docs.google.com/spreadsheets/d/${ID}`,
    `https://docs.google.com@evil.example/spreadsheets/d/${ID}`,
    `https://user:pass@docs.google.com/spreadsheets/d/${ID}`,
    `https://docs.google.com:443/spreadsheets/d/${ID}`,
    `https://docs.google.com:8080/spreadsheets/d/${ID}`,
    `https://docs.google.com./spreadsheets/d/${ID}`,
    `https://127.0.0.1/spreadsheets/d/${ID}`,
    `https://[::1]/spreadsheets/d/${ID}`,
    `https://2130706433/spreadsheets/d/${ID}`,
    `https://localhost/spreadsheets/d/${ID}`,
    `https:\\\\docs.google.com\\spreadsheets\\d\\${ID}`,
    `https:docs.google.com/spreadsheets/d/${ID}`,
    `https:///docs.google.com/spreadsheets/d/${ID}`,
    `https://docs。google.com/spreadsheets/d/${ID}`,
    `https://dоcs.google.com/spreadsheets/d/${ID}`,
    `https://ⓓocs.google.com/spreadsheets/d/${ID}`,
    `https://docs.google%2ecom/spreadsheets/d/${ID}`,
    `https://docs.goo\tgle.com/spreadsheets/d/${ID}`,
    `https://docs.google.com/spreadsheets/d/${ID}\n/edit`,
    `https://docs.google.com/spreadsheets/d/${ID}/../../d/other/edit`,
    `https://docs.google.com/spreadsheets/d/..%2f..%2fv4`,
    `https://docs.google.com/spreadsheets/d/${ID}%2Fvalues`,
    `https://docs.google.com/spreadsheets/d/${ID}:batchUpdate`,
    `https://docs.google.com/spreadsheets/d/${"a".repeat(129)}`,
    `https://docs.google.com/spreadsheets/d//edit`,
    at(`d/${ID}/edit#gid=abc`),
    at(`d/${ID}/edit#gid=-1`),
    at(`d/${ID}/edit#gid=2147483648`),
    at(`d/${ID}/edit#gid=1e3`),
    at(`d/${ID}/edit?q=<script>`),
    at(`d/${ID}/edit?q=ä`),
  ])("%s", (url) => {
    expect(parseSheetUrl(url)).toBeTypeOf("string");
  });

  test("anything from which more than letters, digits, - and _ would go on", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (head, id, tail) => {
        for (const text of [head, `${head}${at(`d/${id}`)}${tail}`, at(`d/${id}${tail}`)]) {
          const read = parseSheetUrl(text);
          if (typeof read === "string") continue;
          expect(read.spreadsheetId).toMatch(/^[\w-]{1,128}$/);
          expect(new URL(text).host).toBe("docs.google.com");
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("a long text that is almost one, and that is known at once", () => {
    const long = at(`d/${ID}${"/a".repeat(500_000)}?`);
    expect(parseSheetUrl(`${long}\n`)).toBeTypeOf("string");
  });
});
