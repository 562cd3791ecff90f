import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import { CsvFault } from "#src/csv/fault.ts";
import { createCsvReader, CSV_LIMITS } from "#src/csv/reader.ts";
import { csvLine, withoutApostrophe } from "#src/csv/writer.ts";
import { readCsv } from "#src/csv/read.ts";

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, size = 1 << 20) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const records = [];
  for await (const batch of readCsv(pieces(bytes, size))) records.push(...batch);
  return records;
}
const cells = async (text: string | Uint8Array, size?: number) =>
  (await read(text, size)).map((record) => record.cells);

async function faultOf(text: string | Uint8Array): Promise<{ code: string; line: number }> {
  const error = await read(text).catch((thrown: unknown) => thrown);
  if (!(error instanceof CsvFault)) throw new Error("no fault");
  return { code: error.code, line: error.line };
}

const cell = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc
    .array(fc.constantFrom("a", '"', ",", ";", "\n", "\r", "\r\n", "é", "😀", " "), {
      maxLength: 6,
    })
    .map((parts) => parts.join("")),
);

describe("reading", () => {
  test("what another writer wrote is read back, wherever the pieces are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }).chain((width) =>
          fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
            minLength: 1,
            maxLength: 6,
          }),
        ),
        fc.constantFrom(",", ";", "\t"),
        fc.constantFrom("\r\n", "\n"),
        fc.integer({ min: 1, max: 20 }),
        async (rows, delimiter, newline, size) => {
          const text = Papa.unparse(rows, { delimiter, newline, quotes: true });
          const reader = createCsvReader(delimiter);
          const found = [];
          for (let at = 0; at < text.length; at += size)
            found.push(...reader.push(text.slice(at, at + size)));
          found.push(...reader.end());
          expect(found.map((record) => record.cells)).toEqual(rows);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("lines end in CRLF, LF or CR, mixed, and blank ones are no records", async () => {
    for (const size of [1, 2, 3, 100])
      expect(await cells("a,b\r\n1,2\n\n3,4\r\r5,6\r\n\r\n", size)).toEqual([
        ["a", "b"],
        ["1", "2"],
        ["3", "4"],
        ["5", "6"],
      ]);
  });

  test("each record says on which line of the file it starts", async () => {
    for (const size of [1, 3, 100]) {
      const records = await read('a\r\n"1\r\n2\n3"\r\n\r\n"x""\ry"\nlast', size);
      expect(records.map(({ line }) => line)).toEqual([1, 2, 6, 8]);
    }
  });

  test("a quote inside a cell is a character, and text behind a closing quote is kept", async () => {
    expect(await cells('size,note\n5" pipe,"a"b"c\n')).toEqual([
      ["size", "note"],
      ['5" pipe', 'ab"c'],
    ]);
  });

  test.each([
    ["a;b;c\n1,5;2;3", ["1,5", "2", "3"]],
    ["a\tb\n1\t2", ["1", "2"]],
    ["a|b\n1|2", ["1", "2"]],
    ['"a,b,c";d;e\n1;2;3', ["1", "2", "3"]],
    ["sep=;\na;b,b,b\n1;2", ["1", "2"]],
    ["email\nx@example.com", ["x@example.com"]],
  ])("the delimiter of %j is seen in its first line", async (text, row) => {
    for (const size of [1, 100]) expect((await cells(text, size))[1]).toEqual(row);
  });

  test("a byte order mark is not part of the first header", async () => {
    expect(await cells("\ufeffemail\nx")).toEqual([["email"], ["x"]]);
  });

  test("UTF-16 with its mark is read, as spreadsheets write it", async () => {
    const little = Buffer.from("\ufeffemail\tname\r\nx\tJosé\r\n", "utf16le");
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big])
      for (const size of [1, 3, 100])
        expect(await cells(bytes, size)).toEqual([
          ["email", "name"],
          ["x", "José"],
        ]);
  });

  test("text that is not UTF-8 is refused by name", async () => {
    expect((await faultOf(Buffer.from("name\nJos\xe9\n", "latin1"))).code).toBe("NOT_UTF8");
    expect((await faultOf(Buffer.from("name\nx\n", "utf16le"))).code).toBe("NOT_UTF8");
  });

  test("a NUL character is its row's fault, and not the file's", async () => {
    expect(await cells("name\nAda \u0000Lovelace\nBo\n")).toEqual([
      ["name"],
      ["Ada \u0000Lovelace"],
      ["Bo"],
    ]);
  });

  test("a workbook is told from CSV", async () => {
    expect((await faultOf(Buffer.from("PK\x03\x04rest of a zip"))).code).toBe("NOT_CSV");
  });

  test("a quote that never closes is named by its line", async () => {
    expect(await faultOf('a,b\n1,2\n3,"4\n5,6\n')).toEqual({ code: "UNCLOSED_QUOTE", line: 3 });
  });

  test("a row longer than the limit is refused before it is held", async () => {
    const long = "x".repeat(CSV_LIMITS.recordCharacters + 1);
    expect(await faultOf(`a\nb\n${long}`)).toEqual({ code: "ROW_TOO_LARGE", line: 3 });
    expect((await faultOf(`a\n"${long}`)).code).toBe("ROW_TOO_LARGE");
    expect((await faultOf(`a\n${",".repeat(501)}\n`)).code).toBe("TOO_MANY_COLUMNS");
  });

  test("a file without a line break, and an empty one", async () => {
    expect(await cells("email")).toEqual([["email"]]);
    expect(await cells("")).toEqual([]);
    expect(await cells("\ufeff")).toEqual([]);
  });
});

describe("writing", () => {
  test("what we wrote is read the same by us and by another reader", async () => {
    const value = cell.filter((text) => text !== "" && !text.startsWith("'"));
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), async (row) => {
        const line = csvLine(row);
        const expected = row.map((text) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text));
        expect(Papa.parse(line, { delimiter: ",", newline: "\r\n" }).data[0]).toEqual(expected);
        const [record] = createCsvReader(",").push(line);
        expect(record?.cells.map(withoutApostrophe)).toEqual(row);
      }),
    );
  });

  test.each(["=1+1", "+49 30 1", "-2", "@SUM(A1)", "\tx", "\rx", "＝1+1"])(
    "%j cannot start a formula",
    (value) => {
      expect(csvLine([value])).toBe(`"'${value}"\r\n`);
    },
  );
});
